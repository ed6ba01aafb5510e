"""What a sentence says can be done, cannot be done, is wished for or is asked for. Pure."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from memory.language.detection import negated
from memory.language.synonyms import translations
from memory.language.text import stems, words
from memory.language.word_lists import NEGATIONS, STOP_WORDS

_CLAUSE = re.compile(
    r"(?<![.;:!?…])[.;:!?…]++(?:\s|$)|\s[–—-]\s|\b(?:but|mais|however|cependant)\b", re.IGNORECASE
)
"""Where a statement goes on to another thing; a comma may stand between two parts of one thing."""

_CACHED = 128
"""Questions and limitations that are remembered read: each is held against many of the other."""

_CAUSES = frozenset("since depuis because parce thanks grace".split())  # noqa: SIM905 - see sameness
"""Words after which a clause says since when or why, which does not narrow what it says."""

_FRAME = frozenset(
    """
    able allowed capable could hope know learn learned learning learnt like love managed need
    possible unable impossible want wanted way wish would
    aimerais aimerait apprendre appris arrive arriver capable incapable envie espere mesure moyen
    parviens parvenir permis peut peux possible possibilite pourrais pourrait pouvais pouvoir reve
    sais sait saurais savoir souhaite souhaiterais veux voudrais
    """.split()  # noqa: SIM905 - a page of quoted words would hide the rule
)
"""Words before what can, cannot or would be done; they are dropped at the start of a clause."""

_TIMES = frozenset(
    """
    already anymore currently finally longer now nowadays presently still today yet
    actuellement aujourdhui deja desormais dorenavant encore enfin maintenant present toujours
    """.split()  # noqa: SIM905 - a page of quoted words would hide the rule
)
"""Words that say that it is so now, wherever they stand."""

_DENIALS = frozenset({"unable", "incapable", "impossible"})
"""Words that deny an ability without a negation."""

_WISHES = frozenset(
    """
    able could hope learn like want wish would
    aimerais aimerait apprendre envie espere pouvoir pourrais reve souhaite souhaiterais veux
    voudrais
    """.split()  # noqa: SIM905 - see above
)
"""Words that wish; where a request has them, its other clauses only say what for."""

_FULL_NEGATIONS = NEGATIONS - {"ne"}
"""What denies all of a clause: "ne ... que" restricts it and says that the rest is so."""

_MAY_YOU = re.compile(
    r"\b(?:(?:tu|vous) (?:ne )?(?:peux|pourrais|pouvez|pourriez|arrives|veux|voudrais)"
    r"|(?:peux|pourrais|arrives|veux|voudrais) tu|(?:pouvez|pourriez) vous"
    r"|(?:can|could|will|would) you|you (?:can|could)|(?:are )?you able)\b"
)
"""What asks the listener to do something; "tu sais" and "do you know" ask what they know."""

_BIDDINGS = frozenset(
    """
    call check describe draw find listen look open play read search send show sing tell translate
    watch
    appelle chante cherche decris dessine dis ecoute envoie joue lis montre ouvre raconte regarde
    traduis verifie
    """.split()  # noqa: SIM905 - see above
)
"""Verbs that bid a pet do something when a sentence begins with them."""

_BEFORE_BIDDING = frozenset("allez alors donc hey ok please plz s salut stp svp".split())  # noqa: SIM905 - see above
"""Words that may stand before a bidding, besides a name with a comma."""

Ability = frozenset[str]
"""What one clause says can be done: the stems of its content, however it is affirmed or denied."""


def gained(text: str) -> set[Ability]:
    """What a statement of a capability says can be done."""
    return set(_abilities(filter(_affirms, _clauses(text))))


def denied(text: str) -> set[Ability]:
    """What a statement of a limitation says cannot be done."""
    return set(_abilities(one for one in _clauses(text) if _denies(one)))


def wished(text: str) -> set[Ability]:
    """What a request asks to be able to do; where it wishes, its other clauses say what for."""
    clauses = _clauses(text)
    return set(_abilities([one for one in clauses if _WISHES & set(words(one))] or clauses))


def are_gained(missing: Iterable[Ability], capability: str, beside: str) -> bool:
    """Whether a capability says all of what is missing, word for word or in the other language.

    `beside` is the text that says what is missing.
    """
    can = gained(capability)
    said = (_translated(capability), _translated(beside))
    return all(any(_are_one(one, other, said) for other in can) for one in missing)


def _are_one(one: Ability, other: Ability, said: Iterable[Mapping[str, frozenset[str]]]) -> bool:
    """Whether each word of either is in the other, as it is or translated."""
    turned = {(of, term) for known in said for of, terms in known.items() for term in terms}

    def has(words_: Ability, word: str) -> bool:
        return any(each == word or {(each, word), (word, each)} & turned for each in words_)

    return all(has(other, word) for word in one) and all(has(one, word) for word in other)


def runs_into(asked: str, limitation: str) -> bool:
    """Whether what is asked for is among what a limitation denies.

    All of the denied ability is named; or something is asked for, in whatever words, with what the
    ability is about: its verb alone ("look") is shared by many. One word in common is enough, which
    no threshold by rarity allows in a long question.
    """
    return _is_asked(asked, _told(limitation, denied=True))


def calls_on(asked: str, capability: str) -> bool:
    """Whether what is asked for is among what a capability says can be done; see `runs_into`."""
    return _is_asked(asked, _told(capability, denied=False))


def _is_asked(asked: str, abilities: Iterable[tuple[str, ...]]) -> bool:
    named, bids = _asked_for(asked)
    return any(
        named.issuperset(content) or (bids and not named.isdisjoint(content[1:]))
        for content in abilities
    )


@lru_cache(maxsize=_CACHED)
def _told(text: str, *, denied: bool) -> tuple[tuple[str, ...], ...]:
    """The stems of each ability that a statement denies, or affirms, its verb first."""
    clauses = (one for one in _clauses(text) if (_denies(one) if denied else _affirms(one)))
    return tuple(tuple(content) for clause in clauses if (content := _content(clause)))


@lru_cache(maxsize=_CACHED)
def _asked_for(text: str) -> tuple[frozenset[str], bool]:
    """The stems of what is asked, in either language, and whether something is asked for."""
    return frozenset(stems(text)).union(*_translated(text).values()), _bids(text)


@lru_cache(maxsize=_CACHED)
def _translated(text: str) -> Mapping[str, frozenset[str]]:
    return {of: frozenset(terms) for of, terms in translations(text).items()}


def _bids(text: str) -> bool:
    clauses = [words(part) for clause in _clauses(text) for part in clause.split(",")]
    return any(_MAY_YOU.search(" ".join(said)) or _begins_bidding(said) for said in clauses)


def _begins_bidding(said: list[str]) -> bool:
    first = next((word for word in said if word not in _BEFORE_BIDDING), "")
    return first in _BIDDINGS


def _denies(clause: str) -> bool:
    found = words(clause)
    if _DENIALS & set(found):
        return True
    return negated(clause) and bool(_FULL_NEGATIONS & set(found))


def _affirms(clause: str) -> bool:
    return not negated(clause) and not _denies(clause)


def _clauses(text: str) -> list[str]:
    return [clause for clause in _CLAUSE.split(text) if clause.strip()]


def _abilities(clauses: Iterable[str]) -> Iterator[Ability]:
    return (frozenset(content) for clause in clauses if (content := _content(clause)))


def _content(clause: str) -> list[str]:
    """The stems of a clause without what affirms, denies or wishes it and without when and why."""
    said = [word for word in words(clause) if word not in _TIMES]
    cause = next((place for place, word in enumerate(said) if word in _CAUSES), len(said))
    said = said[:cause]
    framing = STOP_WORDS | NEGATIONS | _FRAME
    start = next((place for place, word in enumerate(said) if word not in framing), len(said))
    return [stem for stem in stems(" ".join(said[start:])) if stem not in NEGATIONS]
