"""Whether a clause tells of what was or of what is to come, by its verbs; pure."""

import re

from memory.language.detection import told_language
from memory.language.times.vocabulary import FRENCH_DAY, either_of

_NOT_ED = either_of(
    """
    speed indeed exceed succeed proceed hundred sacred naked wicked ahmed mohamed mohammed muhammad
    alfred wilfred winifred mildred manfred jared hamed khaled walid waleed rashid rasheed javed
    naveed
    """
)
"""Words and names that end as a past tense does."""

_ED = rf"(?!{_NOT_ED}\b)\w{{3,}}ed"

_PERFECT = re.compile(
    r"(?:\b(?:have|has)(?:n['’]?t)?|['’]ve)\s+"
    r"(?:(?:\w+ly|just|already|never|ever|even|always|still|not|been)\s+)?"
    rf"(?:been|got|had|put|set|{_ED}|\w{{2,}}(?:en|wn|ught|ent|ant|old|ost|ade))\b"
    r"|['’]s\s+(?:been\b\s*)?(?:got\b|\w+ed\b)?|\bfingers crossed\b",
    re.IGNORECASE,
)
"""In English what has been done, or is so, has no day that has gone by: what has one was done.
"We've been invited on the 6th" is of a day to come."""

_IRREGULAR = either_of(
    """
    was were went had did broke bought lost met left quit fell won saw came took gave told said ate
    flew drove spent made ran sent sold paid felt found kept heard thought began rang wrote forgot
    brought caught slept stood swam threw woke wore stole sang rode grew drank knew built held sat
    spoke taught meant became chose blew swore lent bent dealt fed fought hid hung shook shot slid
    stuck struck swept tore understood withdrew wept drew froze forgave learnt burnt dreamt spilt
    snuck got
    """
)
_ENGLISH_PAST = re.compile(
    rf"\b(?:{_IRREGULAR}|(?:did|was|were|had|could)n['’]?t|{_ED})\b", re.IGNORECASE
)

_ENGLISH_TO_COME = re.compile(
    r"\b(?:is|am|are|(?-i:will)|can|cannot|should|shall|might|gonna|gotta|needs?|wants?|must|remind"
    r"|has to|have to|starts?|leaves?|flies|plans?|please|(?:wo|do)n['’]?t"
    r"|(?:was|were) (?:hoping|wondering|planning)"
    r"|(?:promised|agreed|decided|offered|planned) to)\b"
    r"|['’](?:m|re|ll|s being)\b"
    r"|['’]d (?:like|love|rather|be|come|go|help|have|do|take|make|bring|get|give|see|meet|pay|call"
    r"|pop|pick|drop|start|send|let|need|prefer)\b",
    re.IGNORECASE,
)

_AVOIR = r"(?:ai|jai|g|as|a|avons|avez|ont)"
_ETRE = r"(?:suis|es|est|sommes|êtes|etes|sont)"
_BETWEEN = (
    r"(?:(?:pas|plus|rien|jamais|bien|mal|tout|tous|toutes|déjà|deja|enfin|encore|trop|vraiment"
    r"|même|meme|juste|aussi|finalement)\s+){0,2}"
)
_NO_PARTICIPLE = either_of(
    """
    ici aussi lui kiné kinés ciné cinés karaté congé congés café thé lycée musée soirée ski taxi
    tennis permis tapis avis devis rugby orthophonie chorale comité activité activités prévu prévue
    prévus qui midi demi oui depuis parmi puis menu
    """
)
_PARTICIPLE = (
    rf"(?!(?:{FRENCH_DAY}|{_NO_PARTICIPLE}|\w+(?:gie|phie|mie|trie|rapie))\b)"
    r"(?:dû|\w+(?:és?|ées?|us?|ues?|is|it|ert|ort|i|ie))"
)
_MOVED = (
    r"(?:(?:all|arriv|rest|tomb|rentr|entr|pass|mont|retourn|n|décéd)ée?s?"
    r"|(?:ven|reven|deven|parven|descend)ue?s?|(?:part|repart|sort|ressort)ie?s?|morte?s?)"
)
_IN_R = (
    r"(?:pleu|ti|reti|atti|ado|ent|rent|mont|rencont|ouv|off|souff|cou|mou|espé|prépa|répa|du|ju"
    r"|liv|ga|ser|respi|igno|déco)r"
)
"""Verbs whose imperfect ends as a conditional does."""

_NO_IMPERFECT = r"(?:(?:par|at|ex|re|por|sou|abs|dis)?(?:fait|trait|lait|hait)|sait|plait|parait)"
_IMPERFECT = (
    r"(?:(?:ét|et|av|fais|all|voul|pouv|dev|dis|jou|travaill|dorm|pens|regard|parl|attend|ven|rest"
    rf"|pass|cherch|{_IN_R})(?:ais|ions)|(?!{_NO_IMPERFECT}\b)\w{{2,}}(?:ait|aient))"
)
_FRENCH_PAST = re.compile(
    rf"\b{_AVOIR}\s+{_BETWEEN}{_PARTICIPLE}\b"
    rf"|\b(?<!c['’]){_ETRE}\s+{_BETWEEN}{_MOVED}\b"
    rf"|\b(?:me|te|se|nous|vous|[mts]['’])\s?{_ETRE}\s+{_BETWEEN}{_PARTICIPLE}\b"
    rf"|\b{_IMPERFECT}\b",
    re.IGNORECASE,
)
"""With the verbs of movement and of oneself a participle tells what was done; with another one what
is so: "on est fermés samedi"."""

_FRENCH_TO_COME = re.compile(
    r"\b(?:merci de|pense[zr]? à|oublie[zs]? pas|va|vais|vas|vont|allons|allez|part|pars|doit|dois"
    r"|doivent|rappeler|veut|veux|commence|voul(?:ais|ait|ions) savoir|m['’]?e? ?demandais si"
    rf"|(?!{_IN_R}(?:ais|ait|aient|iez)\b)\w{{2,}}(?:ra|ras|rai|rez|rons|ront|rais|rait|raient|riez)"
    r"|(?:promis|proposé|demandé|décidé|accepté|convenu) (?:de |d['’])\w+(?:er|ir|re))\b",
    re.IGNORECASE,
)

_SHOULD_HAVE = re.compile(
    r"\b(?:must|should|might|could|would)(?:n['’]?t)? (?:not )?have \w+"
    r"|\baur(?:ais|ait|ions|iez|aient) (?:pas |jamais )?(?:dû|pu)\b",
    re.IGNORECASE,
)
"""What was, by a verb of what may be."""

_ENGLISH_SUBJECT = re.compile(r"\b(?:I|we|he|she|they|it|you)\b|['’]s \w+ing\b", re.IGNORECASE)
_FRENCH_SUBJECT = re.compile(
    r"(?<!-)\b(?:je|on|nous|vous|tu|ils?|elles?|ça)\b|\b[cj]['’]", re.IGNORECASE
)
"""Whose verb a clause has: one of its own that tells of nothing gone by is of now or to come."""


def is_past(words: str, text: str) -> bool | None:
    """Whether words of a text tell of what was; None where no verb of theirs tells when."""
    if _SHOULD_HAVE.search(words):
        return True
    is_english, is_french = _languages(words, text)
    if is_english:
        if _ENGLISH_TO_COME.search(words):
            return False
        if _ENGLISH_PAST.search(_PERFECT.sub(" ", words)):
            return True
    if is_french:
        if _FRENCH_TO_COME.search(words):
            return False
        if _FRENCH_PAST.search(words):
            return True
    return None


def has_subject(words: str, text: str) -> bool:
    """Whether words of a text have a subject of their own."""
    is_english, is_french = _languages(words, text)
    if is_english and _ENGLISH_SUBJECT.search(words):
        return True
    return is_french and _FRENCH_SUBJECT.search(words) is not None


def _languages(words: str, text: str) -> tuple[bool, bool]:
    """Whether words may be English, and French: both where nothing tells."""
    language = told_language(words) or told_language(text)
    return language != "fr", language != "en"
