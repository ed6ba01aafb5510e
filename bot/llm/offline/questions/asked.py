"""What a question asks for: a place, a time, a number, a reason; pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from bot.llm.offline.questions.subjects import Subject
from memory.language.chat_spelling import WHERE, spelt_out
from memory.language.questions.asking import share_that_asks
from memory.language.text import stems
from memory.model.claims import Slot


class AskedKind(StrEnum):
    """What an answer must hold."""

    REASON = "reason"
    DURATION = "duration"
    COLOUR = "colour"
    SIDE = "side"
    YEAR = "year"
    CLOCK = "clock"
    TIME = "time"
    PLACE = "place"
    PRICE = "price"
    AGE = "age"
    NUMBER = "number"
    NAME = "name"
    PERSON = "person"
    YES_NO = "yes_no"
    THING = "thing"


ASKING_STEMS = frozenset(
    stems(
        """
        know tell remember said say told mean exactly again please remind forgot forget list
        person people thing stuff hear happened happening something somewhere right call called
        name named kind sort sais souviens rappelle dis dit deja exactement precisement juste truc
        chose appelle nom prenom genre sorte type quelqu fait donc alors finalement ensemble gens
        enfait comme coup temps lieu mort rendez place take up off out now currently end still
        these days moment actually finally current final actuellement present maintenant toujours
        actuel use last lasts change changed give given gave nah donne donner meant prevu prevus
        nouveau nouvel new replace replaced remplace one lequel laquelle bas
        """
    )
)
"""Stems that ask; what is asked about is in the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedQuestion:
    """A question as it is understood."""

    plain: str
    kind: AskedKind
    subject: Subject
    topic: tuple[str, ...]
    of_class: str = ""
    """The stem of what kind of thing is asked for: "which instrument"."""
    wanted: Mapping[Slot, float] = field(default_factory=dict)
    """The slots of claims that would answer, with the chance of each."""
    relatives: frozenset[str] = frozenset()
    """The stems of the words that say a relation."""

    @property
    def is_of_own_name(self) -> bool:
        """Whether the asker wants to hear their own name: "what do people call me?"."""
        subject = self.subject
        is_own = subject.of_asker and not (subject.of_pet or subject.people or subject.relations)
        return self.kind is AskedKind.NAME and is_own and not self.topic


_SIDED = (
    r"(?:shoulders?|knees?|legs?|arms?|feet|foot|hands?|eyes?|ears?|ankles?|wrists?|hips?|sides?"
    r"|elbows?"
    r"|epaules?|genoux?|jambes?|bras|pieds?|mains?|oeil|oreilles?|chevilles?|poignets?|hanches?"
    r"|cotes?"
    r"|coudes?)"
)
_PLACES = (
    r"(?:towns?|city|cities|countr(?:y|ies)|places?|villages?|rooms?|streets?|addresse?s?|pubs?"
    r"|destination"
    r"|area|terminal|gate|beach|park|restaurant|cafe|bar|hotel|station|pitch|floor|venue|villes?"
    r"|pays|endroits?|lieux?|salles?|quartiers?|rues?|adresses?|iles?|region|coin|plage|parc"
    r"|parking|cinema|resto|gare|etage|terrain|partie (?:de|du))"
)
_QUEL = r"(?:quel(?:le)?s?|which|what)"
_PRONOUNS = r"(?:i|you|u|he|she|it|we|they)"
_AUX = (
    r"(?:(?:do|does|did) (?!not\b|the (?!\w+ \w)|your|my|n\b)"
    r"|(?:is|are|am|was|were|has) (?!not\b|so\b|very\b|just\b|really\b|too\b|been\b|to\b"
    r"|\w+ly\b)"
    rf"|(?:have|had|can|could|will|would|should|shall) (?=(?:t )?(?:{_PRONOUNS}|there|the|this|that"
    r"|these|those|my|your|his|her|our|their|any\w*|some\w*|every\w*|who|(?!to|not|never|always"
    r"|stop)[a-z]+ (?:been|come|coming|go|going|like|have|got|eat|know|still|ever|be|bring"
    r"|make))\b)"
    rf"|(?:isn|aren|doesn|didn|wasn) t (?=\w)|don t (?={_PRONOUNS}\b)"
    rf"|(?:do|does|did|is|are) not (?={_PRONOUNS}\b))"
)

_KINDS: Mapping[AskedKind, str] = {
    AskedKind.REASON: (
        r"\bwhy\b|\bhow come\b|\bwhat(?: is| s)? (?:\w+ )?(?:stopping|caused|causes|causing)\b"
        r"|\bwhat made\b|\bfor what reason\b|\breason\b"
        r"|\bpourquoi\b|\bpour quelle raison\b|\b(?:quel|pour quel) motif\b|\ba cause de quoi\b"
        rf"|\bd {WHERE} vient (?:que|qu|ce)\b|\bcomment ca se fait\b|\bquelle (?:est la )?raison\b"
    ),
    AskedKind.DURATION: (
        r"\bhow long\b|\bhow much time\b|\bhow many (?:days|weeks|months|nights|hours|minutes"
        r"|years)\b"
        r"|\blength of\b|\bsince when\b|\b(?:stay\w*|gone|away|going) (?:for )?long\b|\bhow long\b"
        r"|\bcombien de (?:temps|jours?|semaines?|mois|nuits?|heures?|minutes?|ans|annees?)\b"
        r"|\blongtemps\b|\bduree\b|\bdure\w* combien\b|\bcombien (?:ca|il|elle|ils) dure"
        r"|\bdepuis (?:quand|combien)\b"
    ),
    AskedKind.COLOUR: r"\bcolou?rs?\b|\bcouleurs?\b|\bteinte\b",
    AskedKind.SIDE: (
        rf"\b{_QUEL} (?:side |cote )?(?:of )?(?:my |the |mon |ma |est l |est la |est le |est mon "
        rf"|est ma )?"
        rf"{_SIDED}\b|\b(?:my|mon|ma|l) {_SIDED} (?:that|which|qui)\b|\bde quel cote\b"
        rf"|\blaquelle (?:de )?(?:mes|mon|ma) {_SIDED}|\b{_SIDED} (?:c est )?laquelle"
    ),
    AskedKind.YEAR: rf"\b{_QUEL} (?:year|annee)\b",
    AskedKind.CLOCK: r"\bwhat time\b|\bquelle heure\b|\bat what time\b|\bquelles? heures?\b",
    AskedKind.TIME: (
        rf"\bwhen\b(?! (?:they|you|people|we) (?:say|mean|talk))|\b{_QUEL} (?:day|date|evening"
        rf"|night|morning|month|week|jour|soir|matin|mois|semaine)\b|\bnouvelle date\b"
        r"|\bdate of\b|\bquand\b(?! meme)|\bthe date\b"
        r"|\b(?:birthday|anniversaire)\b(?=.{0,80}\b(?:what|quoi)\b)"
        r"|\b(?:what|quoi)\b(?=.{0,80}\b(?:birthday|anniversaire)\b)"
    ),
    AskedKind.PLACE: (
        r"\b(?:pour|chez) qui (?:\w+ )?(?:travaille|bosse|taf)\w*|\b(?:travaille|bosse"
        r"|taf)\w* (?:\w+ )?(?:pour|chez) qui\b"
        r"|\bwho (?:does|do|is|are|did) (?:\w+ ){1,2}work\w*(?: for)?$|"
        r"\b(?:whose (?:house|place|garden|flat|home)|chez qui) (?:is it|are we|do we|on|c est)\b|"
        rf"\bwhere(?:abouts)?\b|{WHERE}|\b{_QUEL} (?:\w+ )?{_PLACES}\b|\bdestination\b"
        rf"|\b(?:in|to|from|at) (?:which|what) {_PLACES}|\bdans quoi\b"
    ),
    AskedKind.PRICE: (
        r"\bhow much\b(?! time)|\b(?:what|quel\w*) (?:is |est |s )?(?:the |le |my |mon )?"
        r"(?:price|rent|cost|prix|loyer|tarif|cout)\b"
        r"|\bcombien\b(?=.{0,80}\b(?:cout\w*|pai\w*|pay\w*|loyer|prix|euros?|gagne\w*|vaut)\b)"
        r"|\b(?:cout\w*|pai\w*|pay\w*|loyer|prix)\b(?=.{0,80}\bcombien\b)"
    ),
    AskedKind.AGE: r"\bhow old\b|\bage\b",
    AskedKind.NUMBER: (
        r"\bhow many\b|\bhow (?:late|big|tall|far|heavy|high|deep|fast|often)\b|\bnumber of\b"
        r"|\bcombien\b|\bquel numero\b|\b(?:shoe )?size\b|\btaille\b|\bpointure\b|\bhauteur\b"
        r"|\blongueur\b|\bpoids\b|\bdistance\b"
        r"|\bwhat (?:score|number)\b|\bquelle? (?:score|moyenne|numero)\b"
    ),
    AskedKind.NAME: (
        r"\bnames?\b|\bcalled\b|\bnamed\b|\bnickname\b|\bwhat do (?:you|they|we|i|people) call\b"
        r"|\bprenoms?\b|\bnoms?\b|\bs appelle\w*|\bappelle comment\b|\bsurnoms?\b|\bnomme\b"
        r"|\bcomment (?:\w+ ){0,4}appelle"
    ),
    AskedKind.PERSON: (
        r"\bwho\b(?! am i\b)|\bwhose\b|\bwhom\b|\b(?:which|what) person\b|\bqui ca\b"
        r"|^(?:\w+ ){0,3}qui\b(?! (?:fait|vient|est|etait|me|m|t|te|a|se) (?:mal|souffrir))"
        r"(?<!ce qui)|\b(?:c est|est|a|de|avec|chez|pour|par|sait|sur|contre|deja) qui\b"
    ),
}

_YES_NO = re.compile(
    rf"^(?:(?:so|and|but|eko|hey|ok|please|donc|alors|et|du coup) )*(?:{_AUX}|est ce qu\w*\b)"
    r"|\bou pas$|\bor not\b|\bor nah\b|\bou non$|\bou c est mort\b|\ben fait \?$"
)
_THING = re.compile(
    r"\bwhat\b|\bwhich\b|\bquoi\b|\bquel(?:le)?s?\b|\b(?:le|la|les)quel\w*\b|\bqu est ce\b|\blist\b"
    r"|\bremind me\b|\brappelle moi\b|\btell me\b|\bhow\b|\bcomment\b|\bliste\b|\bque \w"
)
_LAST_WORD = re.compile(
    rf"\b(?:what|who|when|where|which|why|how long|how much|how many|quoi|qui|quand|combien|comment"
    rf"|{WHERE})(?: (?:now|again|exactly|then|though|please|deja|du coup|alors|au juste|maintenant"
    r"|eko|moi|toi|stp|s il te plait))*$"
)
_TOLD_OF = re.compile(
    r"\b(?:can not|do not|did not|can never) (?:remember|recall|think) (?:what|who|where|when|how"
    r"|which|why|if)\b|\b(?:wants?|wanna|need|needs|like) to know (?:what|who|where|when|how|which"
    r"|why|if)\b|\b(?:sais|sait|souviens|rappelle) (?:plus|pas|pu) (?:qui|quand|comment|combien"
    rf"|quel\w*|pourquoi|ce que|ce qu|{WHERE})\b"
    rf"|\b(?:veut|veulent|voudrait|aimerais) savoir (?:qui|quand|comment|combien|quel\w*|{WHERE}"
    r"|si)\b"
)
"""A question told of: "the school wants to know when my last tetanus was"."""
_OF_OTHERS = re.compile(
    r"\b(?:any(?:one|body)|you(?: guys| all)?|quelqu un|qqn|tu|vous) (?:know|remember|sait|sais"
    r"|savez) (?:what|who|where|when|how|which|why|if|qui|quand|comment|combien|quel\w*|si"
    rf"|{WHERE})\b"
)
"""A question whether others know: "anyone know when the party is?"."""
_FORGOTTEN = re.compile(
    r"^(?:\w+ )?(?:i )?(?:forgot|forget|can not remember|do not remember|need to know|wonder)\b"
    r"|^(?:\w+ )?j (?:ai oublie|me demande)|^je (?:me demande|ne sais plus|sais plus)|^je ai oublie"
)
_REQUEST = re.compile(
    r"^(?:(?:eko|hey|ok|so|and|please|pls|come on|dis|et|alors) )*(?:list|remind me (?!to\b|at\b"
    r"|in\b|on\b"
    r"|when i\b|tomorrow\b|every\b|about\b)|tell me (?:who|what|where|when|why|how|which|about)"
    r"|rappelle moi (?:qui|quoi|quand|comment|ce que|ou|le nom|la date|l|les|quel|combien|pourquoi"
    r"|on)\b"
    r"|dis moi (?:qui|quoi|quand|comment|ce que|ou|quel|combien|pourquoi)|name of|liste)\b"
)
_WHERE_IN_HASTE = re.compile(
    r"\bou(?= (?:moi|toi|deja|est|sont|part|va|vas|vais|vit|habite|quil|qu|que|il|elle|je|tu|il y a"
    r"|en vacances|ce que|j)\b)|\bou(?= \?*$)|\bou$"
    r"|(?<=\bc est )ou\b|(?<=\best )ou\b(?! pas| non| c est)|(?<=\bvivre )ou\b|^ou\b"
)
_WHERE_AFTER_VERB = re.compile(
    r"\b(habites?|habitent|vis|vit|vivent|bosses?|bossent|travailles?|creches?|loges?|est|es|sont"
    r"|suis|vas?|vont|pars|part|partent|mis|range|gare|achete|pose|planque|caches?|dors|dort|mange)"
    r" ou\b(?! (?:pas|non|bien|alors|quoi|un|une|des|le|la|les|est|va)\b)"
)
_EITHER = re.compile(r"\bou (?:pas|quoi|non|bien|alors|c est)\b|\bmer ou\b")


def question_text(text: str) -> str:
    """A question written out as it is read here, with a hasty "ou" for "où" put right."""
    plain = spelt_out(text)
    if WHERE in plain or _EITHER.search(plain):
        return plain
    return _WHERE_IN_HASTE.sub(WHERE, _WHERE_AFTER_VERB.sub(rf"\1 {WHERE}", plain))


def asks(text: str) -> bool:
    """Whether a text is meant to be answered from what was said."""
    plain = question_text(text)
    return bool(
        "?" in text
        or share_that_asks(text) >= _MOSTLY
        or _BEGINS.search(plain)
        or (_IN_WHICH.search(plain) and len(plain.split()) <= _SHORT)
        or _LAST_WORD.search(plain)
        or _REQUEST.search(plain)
        or _FORGOTTEN.search(plain)
        or (WHERE in plain and len(plain.split()) <= _SHORT)
        or _YES_NO.search(plain)
        or _TOLD_OF.search(plain)
        or (_INSIDE.search(plain) and len(plain.split()) <= _LONG)
    )


_BEGINS = re.compile(
    r"^(?:(?:so|and|but|ok|hey|please|pls|alors|donc|et|dis|du coup|remind me"
    r"|rappelle moi) )*(?:what(?! a\b| an\b)|where(?:abouts)?|who|whose|when"
    r"(?= \w+ (?!i\b))|which|why|since when|depuis quand|how(?! (?:nice|cool|sweet|cute|funny"
    r"|lovely)\b)|qui|comment|combien|pourquoi|quel(?:le)?s? (?!\w+$)"
    rf"|c est (?:quoi|qui|quand|combien)|{WHERE}|name of|quand est ce)\b"
)
_IN_WHICH = re.compile(
    r"\b(?:in|at|on|from|to|for|with|of|dans|a|avec|de|pour|sur|chez) (?:which|what|quel(?:le)?s?"
    r"|qui|quoi)\b|\bdepuis (?:combien|quand|quel)"
    r"|\b(?:part|reste|dure|absente?|va|pour) longtemps\b"
    r"|\bwhich one\b|\b(?:is|are|was|goes|lives|works|leaves|est|a|fait|va|vit|part) (?:who|where"
    r"|when|what|which|qui|quoi|quand|comment|combien)\b"
)
_INSIDE = re.compile(
    r"^(?!(?:i|that|this|it|he|she|we|they|you)\b)(?:(?!know\b|see\b|love\b|like\b|is\b|was\b"
    r"|understand\b|guess\b|that\b|about\b)\w+ ){1,6}"
    r"(?:what|where|when|how|why)(?: \w+)? (?:is|are|was|were|do|does|did|has|have|had|can"
    r"|could|will|would|should|s) \w"
    r"|^(?:(?:il|elle|ils|elles|on|tu|vous|t|[a-z]{3,12}) )(?:\w+ ){1,3}(?:quand|combien|comment"
    r"|quoi|qui)(?: (?!je\b|tu\b|il\b|elle\b|on\b|j\b|nous\b|vous\b|ils\b|elles\b|c\b|ca\b"
    r"|est\b|a\b|que\b)\w+){0,5}$"
)
"""A question that begins in the middle of a text, or whose asking word stands inside it."""
_LONG = 16
_MOSTLY = 0.5
"""Share of a text that asks."""
_SHORT = 14
"""Words of a question without its mark."""

_ORDERED = tuple((kind, re.compile(pattern)) for kind, pattern in _KINDS.items())


def kind_of(plain: str) -> AskedKind:
    """What is asked for by a question that is written out; the most telling words decide."""
    for kind, pattern in _ORDERED:
        if pattern.search(plain):
            return kind
    if _YES_NO.search(plain) or not _THING.search(plain):
        return AskedKind.YES_NO
    return AskedKind.THING


def wants_word(text: str) -> bool:
    """Whether a question asks by a word, wherever that stands: who, where, quand."""
    plain = question_text(text)
    asking = (_BEGINS, _LAST_WORD, _IN_WHICH, _TOLD_OF, _OF_OTHERS)
    return WHERE in plain or any(one.search(plain) for one in asking)


def without_asking_words(plain: str) -> str:
    """The words of a written-out question that say what it is about."""
    for _, pattern in _ORDERED:
        plain = pattern.sub(" ", plain)
    return plain
