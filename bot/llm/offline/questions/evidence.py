"""Whether a line holds an answer of the asked kind: a place, a time, a number, a name; pure."""

import re
from collections.abc import Callable, Collection, Mapping

from bot.llm.offline.questions.asked import AskedKind
from memory.language.chat_spelling import spelt_out
from memory.language.text import fold
from memory.language.word_lists import LIGHT_WORDS, STOP_WORDS

_UNIT_EN = r"(?:min(?:ute)?s?|hours?|hrs?|days?|nights?|weeks?|fortnights?|months?|years?|yrs?)"
_UNIT_FR = r"(?:min(?:ute)?s?|heures?|jours?|nuits?|semaines?|mois|ans?|annees?)"
_COUNT = (
    r"(?:\d+|a|an|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty"
    r"|thirty|half"
    r"|couple of|few|un|une|deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|douze|quinze|vingt"
    r"|trente"
    r"|quelques|demi)"
)
_NUMBER = (
    r"\b(?:\d+(?:[.,]\d+)?|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen"
    r"|fourteen"
    r"|fifteen|sixteen|twenty|thirty|forty|fifty|sixty|seventy|hundred|thousand|dozen|none|zero|one"
    r"|deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|douze|treize|quatorze|quinze|seize|vingt"
    r"|trente"
    r"|quarante|cinquante|soixante|cent|mille|douzaine|aucune?)\b"
)
_ANY_NUMBER = re.compile(_NUMBER)
_DAYS = (
    r"(?:mon|tues?|wednes|weds?|thurs?|fri|satur|sun)(?:day)?|lundi|mardi|mercredi|jeudi|vendredi"
    r"|samedi"
    r"|dimanche"
)
_MONTHS = (
    r"january|february|march|april|may|june|july|august|september|october|november|december"
    r"|janvier|fevrier"
    r"|mars|avril|mai|juin|juillet|aout|septembre|octobre|novembre|decembre"
)
_CLOCK = re.compile(
    r"\b\d{1,2}(?:[:.h]\d{2}|h|am|pm)\b|\b\d{1,2} ?(?:am|pm|heures?|o clock)\b|\b(?:at|by|from"
    r"|till|until"
    r"|around|about|vers|des|a|avant|apres) \d{1,2}(?::\d\d|\.\d\d)?\b(?! (?:ans|euros?|years"
    r"|people))"
    r"|\b(?:say|make it|move (?:it )?to|moved (?:it )?to|pushed (?:it )?to|on dit|disons) \d{1,2}\b"
    r"|\bnoon\b|\bmidnight\b|\bmidi\b|\bminuit\b|\b(?:half|quarter) past\b|\b\d{1,2}ish\b"
    r"|\bhalf (?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b"
)
_DAY = re.compile(
    rf"\b(?:{_DAYS}|{_MONTHS})\b|\b\d{{1,2}}(?:st|nd|rd|th|er)\b|\b\d{{1,2}}/\d{{1,2}}\b"
    rf"|\ble \d{{1,2}}\b"
    r"|\b(?:tomorrow|tonight|today|yesterday|weekend|week end|demain|ce soir|hier|aujourdhui"
    r"|christmas|noel"
    r"|easter|paques|new year|nouvel an|halloween|ce matin|cet aprem|toussaint)\b"
    r"|\b(?:next|last|this|prochaine?|derniere?) (?:week|month|year|summer|spring|autumn|winter"
    r"|semaine|mois)\b"
    r"|\b(?:semaine|mois|annee|an|ete|hiver) prochaine?\b|\b(?:in|dans) (?:\d+|a|un|une|two"
    r"|deux) \w+"
    r"|\b(?:in|en|this|cet) (?:summer|spring|autumn|winter|ete|hiver|automne)\b|\bau printemps\b"
)
_DURATION = re.compile(
    rf"\b{_COUNT} (?:more |whole |good |petites? )?(?:{_UNIT_EN}|{_UNIT_FR})\b|\bsince \w+"
    rf"|\bdepuis \w+"
    rf"|\b(?:until|till|jusqu) \w+|\ball (?:week|summer|day|month|year)\b|\btout(?:e)? (?:l |la "
    rf"|le )?"
    r"(?:ete|semaine|mois|annee|journee)\b|\b\d+(?:min|h|days|weeks)\b"
)
_MONEY = re.compile(
    r"[£$€]|\b(?:quid|pounds?|euros?|bucks|dollars?|balles|sous|francs?|grand|pence|cents?)\b"
)
_LONE_NUMBER = re.compile(
    rf"(?<![\d:/.h])\b\d{{1,6}}(?:[.,]\d+)?\b(?![:/.h]\d)(?! (?:{_DAYS}|{_MONTHS}|am\b|pm\b))"
    r"(?! (?!mois|each|euros|pounds|balles|charges|bucks|dollars)[a-z]{3,}s\b)"
)
_COLOUR = re.compile(
    r"\b(?:red|blue|green|yellow|black|white|grey|gray|orange|purple|pink|brown|beige|silver|gold"
    r"|navy"
    r"|turquoise|violet|rouge|bleue?|verte?|jaune|noire?|blanc(?:he)?|grise?|rose|marron|dore"
    r"|argente"
    r"|bordeaux|lilac|cream|creme)s?\b"
)
_SIDE = re.compile(r"\b(?:left|right|gauche|droite?)\b")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_AGE = re.compile(
    r"\b\d{1,3} (?:years|yrs|yo|ans|piges|balais)\b|\b(?:turn\w*|aged?|am|is|be|fete\w*|eu|a|ai"
    r"|as) \d{1,3}\b"
    rf"|{_NUMBER} (?:years|ans)"
)
_REASON = re.compile(
    r"\b(?:because|since|so that|due to|thanks to|as i|as it|reason|parce|car|a cause|cause|vu que"
    r"|comme"
    r"|grace a|du coup|puisqu\w*|therefore|for my|for the|stuck|failed|broke\w*|in case)\b"
)
_NAMING = re.compile(
    r"\b(?:called|named|name is|names are|name s|nickname|call (?:you|u|him|her|it|them|this|that)"
    r"|calls (?:me|you|him|her|it)|appelle|appellent|prenom|nom|surnom|surnomm\w+|baptise\w*"
    r"|nomm\w+"
    r"|tu (?:seras|es|t appelles)|you are)\b|="
)
_NAMES_AUTHOR = re.compile(
    r"\bcalls? me\b|\bknown as\b|\bi (?:am (?:called|named)|go by|m called)\b"
    r"|\bmy (?:\w+ )?(?:name|nickname) (?:is|s)\b|\bm appelle\w*|\bme (?:surnomm|nomm)\w+"
    r"|\bappelle[sz]? moi\b|\bmon (?:sur|pre)?nom\b"
    r"|^\w+ (?:(?:can be|is|s|est|peut etre) (?:also |aussi )?(?:called|appele|surnomme)|s appelle)"
)
"""Also a statement that was learnt of its author: "Elizabeth can be called Lizzie"."""
_PREPOSITION = re.compile(
    r"\b(?:in|at|to|near|from|into|on|towards|under|behind|inside|next to|off to|round|around|for"
    r"|by|hello"
    r"|en|dans|chez|vers|sur|sous|derriere|pres de|au|aux|a|du cote de|de|cote|c est|visit\w*)"
    r" (?:(?:the|my|our|your|his|her|their|a|an|la|le|l|les|un|une|mon|ma|mes|ton|ta|sa|son"
    r"|de)\s){0,3}"
    rf"(?!\d)(?!(?:{_DAYS}|{_MONTHS})\b)(\w{{2,}})"
)
_ROOM = re.compile(
    r"\b(?:room|salle|chambre) \d+\b|\bmoved us\b|\b(?:home|maison|abroad|etranger)\b"
)
_NO_PLACE = frozenset(
    """
    the my our your his her their it that this me you him us them be go get see do have make take
    bed time
    fact bit moment while week weeks month day days end start front back morning evening night
    weekend hours
    minutes year years summer winter spring autumn sure all some least last first once love god
    hand going
    ce cet cette que qui quoi faire fait etre avoir plus moins peu tout toute rien fond cause fois
    temps
    semaine semaines jour jours mois an ans heure heures minuit midi soir matin vacances ete hiver
    moi toi lui
    elle nous vous eux part cote demain hier peine propos peu bientot demi toujours nouveau fait
    course trop
    """.split()  # noqa: SIM905 - a list of words reads as a list of words
)
_NAMED = re.compile(r"\b(?i:my|our|mon|ma|mes|notre) \w+ [A-ZÀ-Ý]\w+")
"""A name beside what it is the name of: "ma jument Réglisse"."""
_HEDGE = re.compile(
    r"\b(?:maybe|not sure|dunno|do not know|no idea|have to ask|will see|who knows|depends"
    r"|ask me later|tell you"
    r"|peut etre|sais pas|sais plus|faut que je demande|aucune idee|on verra|hesite|ca depend"
    r"|te dirai|explique)\b"
)
_INDEFINITE = re.compile(
    r"\b(?:someone|somebody|anyone|anybody|no one|nobody|quelqu un|personne)\b"
)
_CAPITAL = re.compile(r"\b[A-ZÀ-Ý][\w-]+")
_CLAIM = re.compile(r"\b(?:i|i am|me|we|my|mine|je|j|moi|on|nous|mon|ma|mes)\b")


def holds(kind: AskedKind, text: str, names: Collection[str]) -> bool:
    """Whether a line has an answer of this kind; `names` are people's, folded.

    What is asked without a kind of its own is held by every line.
    """
    if kind is AskedKind.NAME and _NAMED.search(text):
        return True
    if kind is AskedKind.PERSON and _names_one(text):
        return True
    return _HOLDS[kind](spelt_out(text), names)


def _has(*patterns: re.Pattern[str]) -> Callable[[str, Collection[str]], bool]:
    return lambda plain, _: any(pattern.search(plain) for pattern in patterns)


def _has_place(plain: str, _: Collection[str]) -> bool:
    return any(found[1] not in _NO_PLACE for found in _PREPOSITION.finditer(plain)) or (
        _ROOM.search(plain) is not None
    )


def without_times(plain: str) -> str:
    """A written-out line without its times, days and stretches of time."""
    for pattern in (_DURATION, _CLOCK, _DAY, _YEAR):
        plain = pattern.sub(" ", plain)
    return plain


def _has_number(plain: str, _: Collection[str]) -> bool:
    return _ANY_NUMBER.search(without_times(plain)) is not None


def _has_price(plain: str, _: Collection[str]) -> bool:
    rest = without_times(plain)
    return _MONEY.search(plain) is not None or _LONE_NUMBER.search(rest) is not None


def _has_person(plain: str, names: Collection[str]) -> bool:
    if _INDEFINITE.search(plain):
        return False
    said = set(plain.split())
    return bool(said & set(names)) or _CLAIM.search(plain) is not None or "=" in plain


def _names_one(text: str) -> bool:
    """Whether a line has a word with a capital that is no function word: "Hortense garde"."""
    found = {fold(one) for one in _CAPITAL.findall(text)}
    return bool(found - STOP_WORDS - LIGHT_WORDS) and not _INDEFINITE.search(spelt_out(text))


def _anything(_: str, __: Collection[str]) -> bool:
    return True


_HOLDS: Mapping[AskedKind, Callable[[str, Collection[str]], bool]] = {
    AskedKind.REASON: _anything,
    AskedKind.DURATION: _has(_DURATION),
    AskedKind.COLOUR: _has(_COLOUR),
    AskedKind.SIDE: _has(_SIDE),
    AskedKind.YEAR: _has(_YEAR),
    AskedKind.CLOCK: _has(_CLOCK),
    AskedKind.TIME: _has(_CLOCK, _DAY),
    AskedKind.PLACE: _has_place,
    AskedKind.PRICE: _has_price,
    AskedKind.AGE: _has(_AGE),
    AskedKind.NUMBER: _has_number,
    AskedKind.NAME: _has(_NAMING),
    AskedKind.PERSON: _has_person,
    AskedKind.YES_NO: _anything,
    AskedKind.THING: _anything,
}


def names_day(plain: str) -> bool:
    """Whether a written-out line names a day or a date."""
    return _DAY.search(plain) is not None


def is_hedged(plain: str) -> bool:
    """Whether a written-out line says that its author does not know or tell."""
    return _HEDGE.search(plain) is not None


def names_author(plain: str) -> bool:
    """Whether a written-out line says what its author is called, and not what others are."""
    return _NAMES_AUTHOR.search(plain) is not None


def gives_reason(text: str) -> bool:
    """Whether a line says why."""
    return _REASON.search(spelt_out(text)) is not None
