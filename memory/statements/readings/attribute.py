"""What a statement says of a person that has one value at a time: a city, a job, an age. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from memory.language.expressions import SentencePattern
from memory.language.text import fold, words
from memory.language.word_lists import STOP_WORDS
from memory.statements.readings.patterns import FAVOURITES, MATES, NOUNS, PREDICATES
from memory.statements.readings.subject import spoken_words

_CACHED = 4_096
"""Statements whose reading is remembered: a new one is compared with the same ones again."""

_LONGEST = 200
"""Characters: a longer statement is a story, and its first words are not what it is about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """One value of one thing about a person.

    `subject` is whom it is about, folded: a name, `name's mother` of the relatives that people have
    one of, or "" for an unnamed first person. `key` is stable: city, country, name, birthday,
    birthplace, age, job, employer, workplace, partner, phone, email, school, project, car or
    `favourite_` with an English noun. `value` is as it was written, `rest` what follows it.
    """

    subject: str
    key: str
    value: str
    rest: str = ""
    arrives: bool = False
    """Whether it tells how this came to be so ("moved to Lyon"), which no plain state repeats."""

    @property
    def slot(self) -> str | None:
        """Where two values of it would meet, as one text; None for no one in particular."""
        return f"{self.key} of {self.subject}" if self.subject else None


def attribute_of(content: str, said_by: str | None = None) -> Attribute | None:
    """The attribute that a statement gives, or None; "I" is the speaker that `said_by` names.

    Only what stands first counts, said plainly and of now: no denial, past, guess or passing time.
    Children, pets, likes, languages and visits have many values and are none.
    """
    return _read(content[:_LONGEST], said_by) if len(content) <= _LONGEST else None


def denied_attribute_of(content: str, said_by: str | None = None) -> Attribute | None:
    """The attribute that a statement denies: "no longer lives in Rome", "n'habite plus à Rome"."""
    spoken = spoken_words(content, said_by)
    affirmed = _DENIED.sub(_affirmed, spoken.words)
    if affirmed == spoken.words or attribute_of(content, said_by) is not None:
        return None  # "lives in Lyon, no longer in Paris" affirms first
    return attribute_of(_ANY_MORE.sub("", affirmed), spoken.speaker)


_DENIED = SentencePattern(
    r"\b(?:ne\s|n')(?P<fr>\w+(?:\spas|\splus)?)\s(?:plus|pas)\b"
    r"|(?<=\bje\s)(?P<je>habite|vis|loge|travaille|bosse|suis)\s(?:plus|pas)\b(?!.*\bqu)"
    r"|\b(?:do(?:es)?n't|do(?:es)? not)\s(?P<en>\w+)|\bno longer\s"
    r"|\b(?P<be>is|am)(?:n't|\snot)\b(?=.*\bany ?more\b)",
    re.IGNORECASE,
)
_ANY_MORE = SentencePattern(r"\s(?:any ?more|plus du tout)\b", re.IGNORECASE)
_WHO = r"@?[^\W\d_][\w.-]*(?:\s(?-i:[A-ZÀ-Ý])[\w-]+)?"
_EARLY = r"(?:(?:now|currently|still|also|actually|finally)\s)?"
_RELATIVE = (
    r"mother|mom|mum|father|dad|boss|wife|husband|partner|girlfriend|boyfriend"
    r"|mère|maman|père|papa|patron|patronne|femme|mari|épouse|époux|copine|copain|compagne"
    r"|compagnon|conjointe?"
)
_FIRST = SentencePattern(rf"(?:I|je)\s{_EARLY}(?P<said>\S.*)", re.IGNORECASE)
_MINE = SentencePattern(r"(?:my|mon|ma)\s(?P<said>\S.*)", re.IGNORECASE)
_ENGLISH = SentencePattern(rf"(?P<who>{_WHO})(?:'s|(?<=s)')\s(?P<said>\S.*)", re.IGNORECASE)
_FRENCH = SentencePattern(
    rf"(?:l[ae]\s|l')(?P<noun>\w[\w -]{{1,30}}?)\s(?:de\s|d')(?P<who>{_WHO})"
    r"(?!\s(?:de\s|d'))(?P<said>,?\s.+|\s?:.+)",
    re.IGNORECASE,
)
_NAMED = SentencePattern(rf"(?P<who>{_WHO})\s{_EARLY}(?P<said>\S.*)", re.IGNORECASE)
_OWN_RELATIVE = SentencePattern(rf"(?P<noun>{_RELATIVE})\s(?P<said>\S.*)", re.IGNORECASE)

_PASSING = SentencePattern(
    r"\b(?:until|till|jusqu|pendant|during|for (?:the|a|two|three|\d)|pour (?:les?|la|l'|une?|\d)"
    r"|this|cet(?:te)?|ce|tonight|le week-?end|les week-?ends|on weekends|en semaine|sometimes"
    r"|parfois|souvent|often|part of|when|quand|if|si|à l'époque|back then|avant)\b",
    re.IGNORECASE,
)
"""What makes of a state something for a while or of then."""
_IS_CUT = SentencePattern(r"['\w-]")
"""A value that ends inside a word, or owns what follows: "Anne's sister" is not Anne."""
_OLD = SentencePattern(r"^\s(?:en|in)\s(?:19|20)\d\d\b")
_GOES_ON = SentencePattern(
    r"^\s*(?:[,;.]|\s(?:et|and|but|mais|puis|then|ou|or)\b)|^'s\b", re.IGNORECASE
)
_JOINS = SentencePattern(r"\s(?:et|and|but|mais)\s")
_SINCE = SentencePattern(
    r"^\s*(?:\(|(?:depuis|since|from|as of|à partir d|dès|maintenant|désormais|now|currently"
    r"|actuellement|again|for good|aujourd|hier|yesterday|today)\b|(?:in|en) \w+(?: \(|$))",
    re.IGNORECASE,
)
_GIVEN_UP = SentencePattern(
    r",?\s(?:instead of|rather than|au lieu d|plutôt qu|à la place d"
    r"|(?:and |et )?(?:no longer|not|non|plus|pas)\s).*",
    re.IGNORECASE,
)
"""What a statement says is so no more goes with it."""
_PROPER = SentencePattern(r"(?<!\w)[A-ZÀ-ÖØ-Ý]\w|\d")

_NOBODY = STOP_WORDS | frozenset(
    """
    celui quelqu personne someone somebody everyone chacun tout rien nobody people gens
    """.split()  # noqa: SIM905 - a page of quoted words would hide the rule
)

_RELATIVES = {
    **dict.fromkeys(("mom", "mum", "mere", "maman"), "mother"),
    **dict.fromkeys(("dad", "pere", "papa"), "father"),
    **dict.fromkeys(("patron", "patronne"), "boss"),
}
_KINDS = {
    **dict.fromkeys(("couleur", "color", "colour"), "colour"),
    **dict.fromkeys(("movie", "film"), "film"),
    **dict.fromkeys(("plat", "dish", "food", "nourriture", "meal", "repas"), "dish"),
    **dict.fromkeys(("livre", "bouquin", "book"), "book"),
    **dict.fromkeys(("chanson", "song"), "song"),
    **dict.fromkeys(("groupe", "band"), "band"),
    **dict.fromkeys(("jeu", "game"), "game"),
    **dict.fromkeys(("equipe", "team"), "team"),
    **dict.fromkeys(("saison", "season"), "season"),
    **dict.fromkeys(("serie", "series", "show"), "series"),
    **dict.fromkeys(("acteur", "actrice", "actor", "actress"), "actor"),
    **dict.fromkeys(("chanteur", "chanteuse", "singer"), "singer"),
    **dict.fromkeys(("ecrivain", "auteur", "writer", "author"), "author"),
    **dict.fromkeys(("gateau", "cake"), "cake"),
    **dict.fromkeys(("boisson", "drink"), "drink"),
    **dict.fromkeys(("ville", "city", "town"), "city"),
    **dict.fromkeys(("pays", "country"), "country"),
    **dict.fromkeys(("langage", "langue", "language"), "language"),
    **dict.fromkeys(("fleur", "flower"), "flower"),
    **dict.fromkeys(("fruit", "legume", "vegetable"), "fruit"),
}
"""English names of what people have favourites of, by their folded names in both languages."""


def _affirmed(denied: re.Match[str]) -> str:
    return (
        denied["fr"] or denied["je"] or denied["be"] or (f"{denied['en']}s" if denied["en"] else "")
    )


@dataclass(frozen=True, slots=True)
class _Said:
    """A statement taken apart: whose it is, what of theirs, and what is said of that."""

    owner: str
    noun: str
    said: str


@lru_cache(maxsize=_CACHED)
def _read(content: str, said_by: str | None) -> Attribute | None:
    spoken = spoken_words(content, said_by)
    found = (_given(part) for part in _apart(spoken.words, spoken.speaker or ""))
    return next((one for one in found if one is not None), None)


def _apart(plain: str, speaker: str) -> Sequence[_Said]:
    """The ways to take a statement apart, the surest first."""
    parts: list[_Said] = []
    if found := _FIRST.fullmatch(plain):
        return [_Said(speaker, "", found["said"])]
    if found := _MINE.fullmatch(plain):
        return [_Said(speaker, "its", found["said"])]
    if found := _FRENCH.fullmatch(plain):
        parts.append(_Said(found["who"], "its", f"{found['noun']}{found['said']}"))
    if found := _ENGLISH.fullmatch(plain):
        parts.append(_Said(found["who"], "its", found["said"]))
    if found := _NAMED.fullmatch(plain):
        parts.append(_Said(found["who"], "", found["said"]))
    return parts


def _given(part: _Said) -> Attribute | None:
    owner = " ".join(words(part.owner.lstrip("@")))
    if (not owner and part.owner) or _is_nobody(owner):
        return None
    if not part.noun:
        return _predicate(owner, part.said)
    return _owned(owner, part.said)


def _is_nobody(owner: str) -> bool:
    return any(word in _NOBODY for word in owner.split())


def _owned(owner: str, said: str) -> Attribute | None:
    """What is said of a thing or a relative of theirs."""
    if found := FAVOURITES.fullmatch(said):
        kind = fold(found["en"] or found["fr"])
        return _attribute(owner, f"favourite_{_KINDS.get(kind, kind)}", found, arrives=False)
    for key, pattern in NOUNS:
        if found := pattern.fullmatch(said):
            return _attribute(owner, key, found, arrives=False)
    if found := _OWN_RELATIVE.fullmatch(said):
        noun = fold(found["noun"])
        role = "partner" if MATES.fullmatch(found["noun"]) else _RELATIVES.get(noun, noun)
        return _predicate(f"{owner}'s {role}", found["said"]) if owner else None
    return None


def _predicate(subject: str, said: str) -> Attribute | None:
    for key, arrives, patterns in PREDICATES:
        for pattern in patterns:
            if found := pattern.fullmatch(said):
                return _attribute(subject, key, found, arrives=arrives)
    return None


def _attribute(subject: str, key: str, found: re.Match[str], *, arrives: bool) -> Attribute | None:
    rest = found["rest"]
    if _IS_CUT.match(rest) or _PASSING.search(rest) or (arrives and _OLD.match(rest)):
        return None
    return Attribute(
        subject=subject, key=key, value=found["value"].strip(" ,"), rest=rest, arrives=arrives
    )


def says_more(one: Attribute) -> bool:
    """Whether a statement tells, beside its value and since when, what would be lost with it."""
    rest = _GIVEN_UP.sub("", one.rest)
    if not rest.strip() or _SINCE.match(rest):
        return _JOINS.search(rest) is not None
    return bool(_GOES_ON.match(rest) or _PROPER.search(rest))


_SIDELINES = SentencePattern(
    r"\b(?:musician|singer|pianist|guitarist|writer|author|artist|painter|sculptor|dancer|actor"
    r"|actress|photographer|freelancer?|student|volunteer|translator|farmer|gardener"
    r"|musicien(?:ne)?|chanteu(?:r|se)|pianiste|guitariste|écrivaine?|auteure?|artiste|peintre"
    r"|sculpteur|danseu(?:r|se)|act(?:eur|rice)|photographe|indépendante?|étudiante?|jardini(?:er|ère)"
    r"|traduct(?:eur|rice)|lycéen(?:ne)?)\b",
    re.IGNORECASE,
)
"""Occupations that people have beside another one."""


def may_both_hold(one: Attribute, other: Attribute) -> bool:
    """Whether two values of one key can be true together, as some occupations beside others."""
    return one.key == "job" and bool(_SIDELINES.search(one.value) or _SIDELINES.search(other.value))


_MONTHS = {
    month: number
    for number, names in enumerate(
        (
            "janvier january jan", "fevrier february feb", "mars march mar", "avril april apr",
            "mai may", "juin june jun", "juillet july jul", "aout august aug",
            "septembre september sept sep", "octobre october oct", "novembre november nov",
            "decembre december dec",
        ),
        start=1,
    )
    for month in names.split()
}  # fmt: skip
_NAMES = {number: month for month, number in _MONTHS.items()}
_FIGURES = SentencePattern(r"\b(\d{1,2})/(\d{1,2})\b")
_PARTS = SentencePattern(r"\d+|[^\W\d_]+")
_ARTICLES = frozenset("un une le la les l an a the on of le".split())  # noqa: SIM905 - see above


def spelling(one: Attribute) -> tuple[str, ...]:
    """A value in the form in which two are compared: folded words, a date as its numbers."""
    said = [word for word in words(one.value) if word not in _ARTICLES]
    if one.key == "birthday":
        return tuple(
            sorted(filter(None, map(_number, _PARTS.findall(_month_spelt(fold(one.value))))))
        )
    if one.key == "phone":
        return ("".join(filter(str.isdigit, one.value)),)
    return tuple(said)


def _month_spelt(date: str) -> str:
    """A date in figures with the name of its month: 3/5 as people in Europe mean it."""
    return _FIGURES.sub(lambda found: f"{found[1]} {_NAMES.get(int(found[2]), found[2])} ", date)


def _number(word: str) -> str:
    """A part of a date in a form that sorts into day, month, year; "" for any other word."""
    if word in _MONTHS:
        return f"m{_MONTHS[word]:02}"
    if not word.isdigit():
        return ""
    return f"d{int(word):02}" if len(word) < 3 else f"y{word}"
