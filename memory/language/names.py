"""Names in a text, whom they name, and by which other names they go; pure."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache

from memory.language.text import fold, words
from memory.language.word_lists import NEGATIONS, STOP_WORDS
from memory.model.people import PersonId

SPELT = 65_536
"""Names whose words are remembered: all that a community goes by."""

MOST_WORDS = 3
"""Words of a name that is looked for in a text: "Jean Luc Dupont", and no whole sentence."""

_MOST_READ = 200
"""Words of a text that are looked up as names: a question has ten, a pasted log thousands."""

_TO_THE_PET = re.compile(
    r"\b(?:parle[sz]?|dis|dites|raconte[sz]?|rappelle[sz]?|explique[sz]?|montre[sz]?|donne[sz]?|redis"
    r"|resume[sz]?|aide[sz]?|laisse[sz]?|crois|trouve[sz]?|cherche[sz]?)[ -](?:le[ -])?moi\b"
    r"|\b(?:tell|remind|show|give|let|help|explain to|ask|excuse|forgive) me\b"
    r"|\b(?:tu peux|peux tu|peux-tu|pourrais tu|tu pourrais) (?:me|m') ?(?:dire|rappeler|parler"
    r"|raconter|redire)\b|\bje me demande\b|\bi wonder\b|\bd'apres moi\b"
)
"""Requests to the pet, such as "tell me": their "me" names no person."""

_SPEAKER = re.compile(
    r"\b(?:je|j|jai|jsuis|jtais|chui|chuis|moi|me|m|mon|ma|mes|mien|mienne|miens|miennes|i|im|ive"
    r"|my|myself|nous|notre|nos|our|ours|us)\b|\b(?:is|was|of|are|it) mine\b"
)

_CALLED = r"[A-ZÀ-ÖØ-Þ][\w'-]*+"

_ADDRESSED = re.compile(
    r"(?:^|(?<=[.!?] ))(?:(?:hey|hi|hello|yo|thanks|thank you|thx|wow|yeah|yes|yep|no|nope|oh|ok"
    r"|okay|aww?|congrats|sorry|sure|well|haha|lol|great|nice|so|coucou|salut|slt|bonjour|bonsoir"
    r"|merci|oui|non|ah|bravo|désolée?|cher|chère)\b[,!]?+ ){0,3}+"
    rf"(?-i:{_CALLED}) ?[,!]"
    r"(?![^.!?]{0,60}\b(?:il|elle|ils|elles|he|she|they|him|her|his|lui)\b)"
    rf"|, ?(?-i:{_CALLED}) ?[.!]",
    re.IGNORECASE,
)
"""Who is spoken to: "Thanks, Sam!", "Sam, are you there?". "Sam, where is he?" asks about him."""


def without_addressed(text: str) -> str:
    """The text on one line, without the names of those it is said to: it is not about them."""
    return _ADDRESSED.sub(" ", " ".join(text.split()))


def names_in(text: str, known: Collection[str]) -> set[str]:
    """Which of the known names stand in the text as whole words, whatever their case and accents.

    A name that is also a function word ("Will", "Me") must be written as it is known, or as @name.
    """
    if not known:
        return set()
    line = f" {' '.join(words(text))} "
    return {name for name in known if _names(line, text, name)}


def _names(line: str, text: str, name: str) -> bool:
    spelt = _spelling(name)
    if not spelt or f" {spelt} " not in line:
        return False
    if spelt not in STOP_WORDS and spelt not in NEGATIONS:
        return True
    called, written = _forms(name)
    return called.search(text) is not None or (
        not name.islower() and written.search(text) is not None
    )


@lru_cache(maxsize=SPELT)
def _forms(name: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """A name as people are called by it, and as it is written."""
    word = re.escape(name)
    return re.compile(rf"@{word}\b", re.IGNORECASE), re.compile(rf"\b{word}\b")


@lru_cache(maxsize=SPELT)
def _spelling(name: str) -> str:
    return " ".join(words(name))


@lru_cache(maxsize=4_096)
def name_key(name: str) -> str:
    """A name as it is looked up: its folded words; "" when it is none or too long for one."""
    found = words(name)
    return " ".join(found) if len(found) <= MOST_WORDS else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """That `name` (folded, written `spelling`) is a person's, or goes with another folded name."""

    name: str
    spelling: str
    person: PersonId | None = None
    other: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A person a text names: the folded words of the text, who it may be, their other names.

    Several `people` share the name; none is known behind a name that only statements speak of.
    """

    said: str
    people: tuple[PersonId, ...]
    others: tuple[str, ...]


def names_speaker(text: str) -> bool:
    """Whether a text is about the person who says it ("me", "mon chat", "I"), French or English.

    Asking to be told something is not.
    """
    return _SPEAKER.search(_TO_THE_PET.sub(" ", fold(text))) is not None


def name_keys(text: str) -> list[str]:
    """Every one to three words in a row of the text, folded: what may be a name in it."""
    found = words(text)[:_MOST_READ]
    return list(dict.fromkeys(key for _, _, key in _runs(found)))


def named(text: str, links: Collection[Link]) -> tuple[Named, ...]:
    """Those names of the text that are linked to a person or to another name, in order."""
    spelt = names_in(text, {link.spelling for link in links})
    linked = {link.name for link in links if link.spelling in spelt}
    found = words(text)[:_MOST_READ]
    taken: set[int] = set()
    said: dict[str, int] = {}
    for start, size, key in sorted(_runs(found), key=lambda run: -run[1]):
        places = set(range(start, start + size))
        if key in linked and not places & taken:
            taken |= places
            said.setdefault(key, start)
    return tuple(_named(key, links) for key in sorted(said, key=said.__getitem__))


def _runs(found: list[str]) -> Iterator[tuple[int, int, str]]:
    for size in range(1, MOST_WORDS + 1):
        for start in range(len(found) - size + 1):
            yield start, size, " ".join(found[start : start + size])


def _named(said: str, links: Collection[Link]) -> Named:
    names = _with_others(_with_others({said}, links), links)
    people = {link.person for link in links if link.person is not None and link.name in names}
    theirs = {link.name for link in links if link.person in people}
    spellings = {link.name: link.spelling for link in links}
    every = names | _with_others(theirs, links)
    return Named(
        said=said,
        people=tuple(sorted(people)),
        others=tuple(sorted(spellings.get(name, name) for name in every - {said})),
    )


def _with_others(names: set[str], links: Collection[Link]) -> set[str]:
    """The names, and those that statements link to one of them."""
    return names | {link.other for link in links if link.other is not None and link.name in names}
