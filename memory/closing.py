"""A new capability closes the limitation it ends and the wish it grants."""

import re
from collections.abc import Iterable, Iterator
from typing import Protocol

from memory.language import negated, stems, words
from memory.model import GoalCategory, Memory, NewMemory, SelfCategory, Store
from memory.scope import Scope, closable_from
from memory.word_lists import NEGATIONS, STOP_WORDS

CANDIDATES = 50
"""Statements of each kind that are compared: the nearest by words, and an equal one is nearest."""

_CLAUSE = re.compile(
    r"[.;:!?…]+(?:\s|$)|\s[–—-]\s|\b(?:but|mais|however|cependant)\b", re.IGNORECASE
)
"""Where a statement goes on to another thing; a comma may stand between two parts of one thing."""

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

Ability = frozenset[str]
"""What one clause says can be done: the stems of its content, however it is affirmed or denied."""


class Statements(Protocol):
    """The statements of a store that share words with a text."""

    async def alike(
        self, content: str, store: Store, scope: Scope, limit: int, *, category: str | None = None
    ) -> list[Memory]:
        """The best of one category within a scope."""
        ...


async def closed_by(new: NewMemory, statements: Statements) -> tuple[Memory, ...]:
    """The limitations and requests that a new statement about the pet makes void.

    Only a capability that lasts closes anything: what holds for a while would lose them for good.
    """
    if new.category != SelfCategory.CAPABILITY or new.ttl is not None:
        return ()
    kinds = (
        (Store.SELF, SelfCategory.LIMITATION),
        (Store.GOALS, GoalCategory.CAPABILITY_REQUEST),
    )
    scope = closable_from(new.origin)
    found = [
        one
        for store, category in kinds
        for one in await statements.alike(new.content, store, scope, CANDIDATES, category=category)
    ]
    return tuple(one for one in found if closes(new.content, one))


def closes(capability: str, old: Memory) -> bool:
    """Whether everything that an old limitation denies, or an old request asks for, can be done.

    Abilities are compared as whole sets of words: "I can see images" leaves "I cannot see images
    and videos" and "I cannot see images over 5 MB" open, since both may be true together.
    """
    gained = set(_abilities(_affirming(capability)))
    is_limitation = old.category == SelfCategory.LIMITATION
    clauses = _denying(old.content) if is_limitation else _wishing(old.content)
    missing = set(_abilities(clauses))
    return bool(missing) and missing <= gained


def _affirming(text: str) -> Iterator[str]:
    return (clause for clause in _clauses(text) if not negated(clause) and not _denies(clause))


def _denying(text: str) -> Iterator[str]:
    return (clause for clause in _clauses(text) if _denies(clause))


def _wishing(text: str) -> list[str]:
    clauses = _clauses(text)
    return [clause for clause in clauses if _WISHES & set(words(clause))] or clauses


def _denies(clause: str) -> bool:
    found = words(clause)
    if _DENIALS & set(found):
        return True
    return negated(clause) and bool(_FULL_NEGATIONS & set(found))


def _clauses(text: str) -> list[str]:
    return [clause for clause in _CLAUSE.split(text) if clause.strip()]


def _abilities(clauses: Iterable[str]) -> Iterator[Ability]:
    return (ability for clause in clauses if (ability := _ability(clause)))


def _ability(clause: str) -> Ability:
    """The stems of a clause without what affirms, denies or wishes it and without when and why."""
    said = [word for word in words(clause) if word not in _TIMES]
    cause = next((place for place, word in enumerate(said) if word in _CAUSES), len(said))
    said = said[:cause]
    framing = STOP_WORDS | NEGATIONS | _FRAME
    start = next((place for place, word in enumerate(said) if word not in framing), len(said))
    return frozenset(stem for stem in stems(" ".join(said[start:])) if stem not in NEGATIONS)
