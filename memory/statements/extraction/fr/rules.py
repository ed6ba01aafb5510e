"""The French verbs and phrases that make a statement."""

import re

from memory.language.expressions import SentencePattern
from memory.model.statements import MemoryType
from memory.statements.extraction.fr.vocabulary import (
    AMBITION,
    CAPITAL,
    CHORE,
    DATE,
    HAD,
    HURT,
    JOB,
    LANGUAGES,
    MEETING,
    NAME,
    OWNED,
    PEOPLE_OF,
    SKILLS,
    SOON,
    SPORT,
    STATE,
    THINGS,
    TO_PLACE,
    TRIP,
    WHERE,
)
from memory.statements.extraction.model import Rule

FACT, EVENT, TODO = MemoryType.FACT, MemoryType.EVENT, MemoryType.TODO
GOAL, PREFERENCE, IDENTITY = MemoryType.GOAL, MemoryType.PREFERENCE, MemoryType.IDENTITY
DECISION = MemoryType.DECISION


def _rule(forms: str, kind: MemoryType, rest: str, *, human: bool = False) -> Rule:
    """`forms` is "first third", or one form for both; "se " before them is a reflexive verb."""
    reflexive = "se " if forms.startswith("se ") else ""
    first, _, third = forms.removeprefix("se ").partition(" ")
    return Rule(
        first=reflexive + first,
        third=reflexive + (third or first),
        memory_type=kind,
        rest=SentencePattern(rest, re.IGNORECASE),
        human=human,
    )


RULES: tuple[Rule, ...] = (
    _rule("habite", FACT, WHERE, human=True),
    _rule("vis vit", FACT, WHERE, human=True),
    _rule("loge", FACT, WHERE, human=True),
    _rule("viens vient", FACT, r"d(?:e\s+|')(?-i:[A-ZÀ-Ý])"),
    _rule(
        "viens vient",
        EVENT,
        r"(?:de\s+|d')(?:déménager|emménager|divorcer|démissionner|adopter|acheter une? (?:maison"
        r"|appart|voiture)|perdre m|me marier|avoir (?:un|une|mon|le) (?:bébé|fille|garçon"
        r"|permis|bac))",
    ),
    _rule("travaille", FACT, r"(?:chez|comme|en tant|à|au|aux|en|dans|pour)\s(?!moi|fond)"),
    _rule("bosse", FACT, r"(?:chez|comme|en tant|à|au|aux|en|dans|pour)\s(?!moi|fond)"),
    _rule("suis est", FACT, STATE, human=True),
    _rule("suis est", FACT, rf"(?:{JOB}|{PEOPLE_OF})"),
    _rule(
        "suis est", EVENT, rf"(?:en vacances|en voyage|en déplacement|en arrêt)\b|parti?e? {TRIP}"
    ),
    _rule(
        "suis est",
        EVENT,
        r"(?:tombée? (?:malade|enceinte|amoureu)|décédée?"
        r"|morte?\b(?! d[e']))",
    ),
    _rule("étais était", FACT, rf"(?:{JOB}|(?:en|à)\s+{CAPITAL})"),
    _rule("ai a", FACT, r"\d{1,2} ans\b", human=True),
    _rule("ai a", FACT, OWNED),
    _rule("ai a", FACT, r"(?:très )?(?:peur|horreur) d(?:e\s|es\s|u\s|')", human=True),
    _rule("ai a", FACT, r"(?:(?:très|un peu|trop) )?mal (?:à|au|aux)\s", human=True),
    _rule("ai a", EVENT, MEETING),
    _rule("ai a", DECISION, r"(?:décidé|choisi) d(?:e |')\w{4,}"),
    _rule("ai a", GOAL, rf"(?:très )?envie d(?:e |'){AMBITION}"),
    _rule("ai a", GOAL, rf"(?:pour (?:but|objectif)|prévu) d(?:e |')(?:{AMBITION}|partir|aller)"),
    _rule("ai a", EVENT, HAD),
    _rule(
        "ai a", TODO, r"(?:oublié d(?:e |')\w+)(?=.*\b(?:payer|appeler|acheter|envoyer|rendre)\b)"
    ),
    _rule("adore", PREFERENCE, THINGS),
    _rule("aime", PREFERENCE, THINGS),
    _rule("déteste", PREFERENCE, THINGS),
    _rule("hais hait", PREFERENCE, THINGS),
    _rule("kiffe", PREFERENCE, THINGS),
    _rule("préfère", PREFERENCE, rf"(?:le|la|les|l')\s?\w|{CAPITAL}"),
    _rule("supporte", PREFERENCE, r"pas (?:le|la|les|l')\s?\w+"),
    _rule("mange", PREFERENCE, r"(?:pas|végétarien|halal|casher|bio|vegan|sans gluten)\b"),
    _rule("bois boit", PREFERENCE, r"(?:pas (?:d['eu]|de la|le)|beaucoup d|du|de la)"),
    _rule("fume", FACT, r"(?:pas$|pas depuis|depuis|un paquet|\d)"),
    _rule("conduis conduit", FACT, r"(?:pas$|une? |un camion)"),
    _rule("parle", FACT, LANGUAGES),
    _rule("apprends apprend", FACT, rf"(?:{LANGUAGES}|{SKILLS})"),
    _rule("étudie", FACT, r"(?:le|la|l'|les|à|en)\s?\w+"),
    _rule("enseigne", FACT, r"(?:le|la|l'|les|à|en|au)\s?\w+"),
    _rule("joue", FACT, SPORT),
    _rule("fais fait", FACT, SPORT),
    _rule("pratique", FACT, SPORT),
    _rule("possède", FACT, OWNED),
    _rule("collectionne", FACT, r"(?:les|des)\s"),
    _rule("élève", FACT, r"(?:des|mes|seule?|deux|trois)\s"),
    _rule("pars part", EVENT, TRIP),
    _rule("vais va", EVENT, TRIP),
    _rule("vais va", EVENT, SOON),
    _rule("irai ira", EVENT, TRIP),
    _rule(
        "serai sera",
        EVENT,
        rf"(?:à|en|au|aux|absente?|papa|maman|en vacances)\b.*(?:{DATE}|papa|maman)",
    ),
    _rule("pars part", EVENT, r"(?:à|en) (?:la retraite|retraite)"),
    _rule("rentre", EVENT, TRIP),
    _rule("reviens revient", EVENT, TRIP),
    _rule("arrive", EVENT, rf"(?:à|en|au)\s.*{DATE}"),
    _rule("déménage", EVENT, rf"(?:{TO_PLACE}|.*{DATE})", human=True),
    _rule("emménage", EVENT, rf"(?:{TO_PLACE}|.*{DATE}|avec\b)", human=True),
    _rule("commence", EVENT, rf"(?:un|une|mon|ma|le|la|les|à|au)\s.*{DATE}"),
    _rule(
        "passe",
        EVENT,
        r"(?:mon|le|l'|un|une|la)\s?(?:permis|bac|examen|concours|scanner|irm|partiel|oral).*",
    ),
    _rule("fête", EVENT, rf"(?:mon|ma|mes|les|nos)\s.*{DATE}"),
    _rule("attends attend", EVENT, r"un (?:bébé|enfant)\b"),
    _rule("se marie", EVENT, rf"(?:{DATE}|avec\b)", human=True),
    _rule("se suis est", EVENT, HURT, human=True),
    _rule("se fais fait", EVENT, rf"(?:opérer|tatouer|hospitaliser)\b.*(?:{DATE})?", human=True),
    _rule("se appelle", FACT, rf"(?:{CAPITAL}|[a-zà-ÿ]{{2,20}}$)"),
    _rule("se lève", FACT, r"(?:tôt|tard|à \d+ ?h|tous les)"),
    _rule("se appelle appellent", FACT, CAPITAL),
    _rule("veux veut", GOAL, AMBITION),
    _rule("voudrais voudrait", GOAL, AMBITION),
    _rule("aimerais aimerait", GOAL, AMBITION),
    _rule("compte", GOAL, rf"(?:{AMBITION}|(?:partir|aller|déménager|changer)\b)"),
    _rule("prévois prévoit", GOAL, rf"d(?:e |')(?:{AMBITION}|(?:partir|aller|déménager)\b)"),
    _rule("rêve", GOAL, rf"d(?:e |')(?:{AMBITION})"),
    _rule("dois doit", TODO, CHORE),
)
"""Tried in order: the first whose form and rest fit decides."""


def _template(
    pattern: str, content: str, kind: MemoryType
) -> tuple[SentencePattern, str, MemoryType]:
    return SentencePattern(pattern, re.IGNORECASE), content, kind


TEMPLATES: tuple[tuple[SentencePattern, str, MemoryType], ...] = (
    _template(rf"je m'appelle\s+{NAME}", "{who} s'appelle {name}", IDENTITY),
    _template(r"je m'appelle\s+(?P<name>[a-zà-ÿ]{3,20})", "{who} s'appelle {name}", IDENTITY),
    _template(
        rf"(?:mon (?:pré)?nom,?\s+(?:est|c'est)"
        rf"|moi,? c'est)\s+{NAME}",
        "{who} s'appelle {name}",
        IDENTITY,
    ),
    _template(
        rf"(?:tu peux m'appeler|on m'appelle|appelle-moi|appelez-moi)\s+{NAME}",
        "On peut appeler {who} {name}",
        IDENTITY,
    ),
    _template(
        r"mon anniversaire,?\s+(?:est|c'est)\s+(?P<birthday>le \d{1,2}(?:er)? \w+(?: \d{4})?"
        r"|le \d{1,2}/\d{1,2})",
        "L'anniversaire {of_who} est {birthday}",
        FACT,
    ),
    _template(
        r"je suis née?\s+(?P<birthday>le \d{1,2}(?:er)? \w+ \d{4}|le \d{1,2}/\d{1,2}/\d{4})",
        "L'anniversaire {of_who} est {birthday}",
        FACT,
    ),
    _template(
        rf"c'est mon anniversaire\s+(?P<rest>{DATE}.*)",
        "C'est l'anniversaire {of_who} {rest}",
        EVENT,
    ),
    _template(
        r"(?P<mine>mon|ma)\s+(?P<noun>\w+(?: \w+)?)\s+(?P<liked>préférée?),?\s+(?:est|c'est)\s+"
        r"(?P<rest>\w.{1,60})",
        "{article}{noun} {liked} {of_who} est {rest}",
        PREFERENCE,
    ),
    _template(
        r"(?:rappelle-moi|fais-moi penser)\s+(?P<link>de |d'|à |que )(?P<rest>.+)",
        "Rappeler à {who} {link}{rest}",
        TODO,
    ),
)
"""Whole clauses with a form of their own."""

OPENERS: tuple[tuple[SentencePattern, MemoryType], ...] = tuple(
    (SentencePattern(pattern, re.IGNORECASE), kind)
    for pattern, kind in (
        (r"(?:on|nous)\s+(?:a|avons)\s+(?:décidé|choisi|tranché|opté)\b", DECISION),
        (
            (
                r"(?:finalement,?\s+)?on\s+(?:va\s+(?:utiliser|prendre|passer (?:à|sur)|partir sur"
                r"|remplacer)|part sur|garde|passe sur|opte pour|prend)\s+(?:\S+.*\b(?:à la place"
                rf"|au lieu)|{CAPITAL}|\S+\s+{CAPITAL})"
            ),
            DECISION,
        ),
        (r"(?:on|nous)\s+(?:va|allons)\s+utiliser\s+\w+", DECISION),
        (
            (
                r"(?:on|nous)\s+(?:n')?(?:utilise|utilisons|utilisera)\s+"
                r"(?:plus\s+|pas\s+|plutôt\s+|maintenant\s+|désormais\s+)*"
                rf"(?:{CAPITAL}|\S+\s+(?:pour|comme)\b|\S+\s+à la place)"
            ),
            DECISION,
        ),
        (
            (
                r"on\s+(?:va\s+)?(?:prend(?:re)?|part(?:ir)?\s+sur|passe(?:r)?\s+(?:à|sur))\s+"
                rf"plutôt\s+(?:{CAPITAL}|l[ae]s?\s+\w+|une?\s+\w+)"
            ),
            DECISION,
        ),
        (r"on\s+(?:va\s+)?remplace(?:r)?\s+\w+.*\bpar\s+\w+", DECISION),
        (
            (
                r"(?:pour|dans)\s+l[ea]\s+\w+(?:\s+\S+){0,3}?,?\s+on\s+(?:va\s+utiliser"
                r"|utilise|part\s+sur|passe\s+sur|prend)\s+\S+"
            ),
            DECISION,
        ),
        (rf"il faut que (?:je|j')\s?\w+.*\b{DATE}", TODO),
        (rf"on\s+(?:se marie|déménage|part)\s+{TRIP}", EVENT),
    )
)
"""Beginnings after which the clause is kept word for word."""
