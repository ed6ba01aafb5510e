"""Reads what people claim, and what a question wants to know; pure, in batches.

A message is cut into clauses; a fitted head says of each whether something is stated, of whom, in
which slot and with which status. Of a sentence and its parts the surest that say the same stay.
"""

from collections.abc import Sequence
from itertools import groupby

import numpy as np

from memory.claims.clauses import OwnClause, clauses_of
from memory.claims.features import Floats, seen_clauses, seen_questions, vectors_of
from memory.claims.head import SLOTS, STATUSES, chance, load_heads, shares
from memory.claims.signs import signs_in
from memory.language.chat_spelling import spelt_out
from memory.language.parts.reading import own_words
from memory.model.claims import Claim, Status, WantedSlot

STATED, OF_SELF, FIRST_SLOT = 0, 1, 2
"""Columns of the head of clauses: those of slots, then of statuses, follow."""

FIRST_STATUS = FIRST_SLOT + len(SLOTS)

NO_SLOT = len(SLOTS)
"""The column of a question that wants nothing of people."""

_LIKELY = 0.4
"""From this chance on a slot is one of those a clause tells of, beside the likeliest."""

_LEAST = 0.3
"""The chance below which a clause is neither a statement nor a look-alike."""


_LURING = frozenset(("dream", "fiction", "idiom", "joke", "quoting", "song", "suppose", "wish"))
"""Signs of messages in which what looks like a statement often is none."""

_CARE = 7.0
"""The power to which a chance is raised in such a message: .97 becomes .8."""


def read_claims(texts: Sequence[str]) -> list[list[Claim]]:
    """The claims of messages, in the order of each: what is stated, and what only looks like it."""
    clauses = [(row, one) for row, text in enumerate(texts) for one in _own_clauses(text)]
    found: list[list[Claim]] = [[] for _ in texts]
    if not clauses:
        return found
    scores = load_heads().clauses.scores(seen_clauses([one for _, one in clauses]))
    luring = [is_luring(text) for text in texts]
    care = np.array([_CARE if luring[row] else 1.0 for row, _ in clauses])
    stated, of_self = chance(scores[:, STATED]) ** care, chance(scores[:, OF_SELF])
    slots = chance(scores[:, FIRST_SLOT:FIRST_STATUS])
    statuses = shares(scores[:, FIRST_STATUS:])
    places = range(len(clauses))
    for row, group in groupby(places, key=lambda place: clauses[place][0]):
        read = [
            claim
            for place in group
            for claim in _claims(
                clauses[place][1], stated[place], of_self[place], slots[place], statuses[place]
            )
        ]
        found[row] = _surest(read)
    return found


def foresee(texts: Sequence[str]) -> None:
    """Work out what reading these messages one by one needs, all at once, which is faster."""
    vectors_of([*texts, *(one.words for text in texts for one in _own_clauses(text))])


def is_luring(text: str) -> bool:
    """Whether a message has a sign of what only looks like a statement: "if only", "lol"."""
    return not _LURING.isdisjoint(signs_in(spelt_out(text)))


def _own_clauses(text: str) -> list[OwnClause]:
    """The clauses that are the author's own words, at their places in the whole message."""
    own = own_words(text)
    return clauses_of(text) if own.strip() == text.strip() else _clauses_within(text, own)


def _clauses_within(text: str, own: str) -> list[OwnClause]:
    """The clauses of what is left once quotations and code are taken out, where they stand."""
    found: list[OwnClause] = []
    for one in clauses_of(own):
        start = text.find(one.words)
        if start >= 0:
            found.append(OwnClause(text, start, start + len(one.words)))
    return found


def _claims(
    clause: OwnClause, stated: float, of_self: float, slots: Floats, statuses: Floats
) -> list[Claim]:
    if stated < _LEAST:
        return []
    likely = {int(at) for at in np.flatnonzero(slots >= _LIKELY)} | {int(np.argmax(slots))}
    return [
        Claim(
            start=clause.start,
            end=clause.end,
            slot=SLOTS[at],
            status=_status(stated, statuses),
            of_author=bool(of_self >= _HALF),
            certainty=round(float(stated), 3),
        )
        for at in sorted(likely)
    ]


_HALF = 0.5


def _status(stated: float, statuses: Floats) -> Status:
    """The likeliest status, of those that state something where something is stated."""
    of_stated = stated >= _HALF
    ranked = [STATUSES[int(at)] for at in np.argsort(-statuses)]
    return next(one for one in ranked if one.is_stated == of_stated)


def _surest(read: Sequence[Claim]) -> list[Claim]:
    """The claims without those of which a surer one, of the same slot, covers the same words."""
    kept: list[Claim] = []
    for one in sorted(read, key=lambda claim: -claim.certainty):
        if not any(
            one.slot is other.slot and one.start < other.end and other.start < one.end
            for other in kept
        ):
            kept.append(one)
    return sorted(kept, key=lambda claim: (claim.start, claim.end, claim.slot))


def wanted_slots(question: str) -> list[WantedSlot]:
    """What a question wants to know of people, the likeliest first; none where it wants nothing."""
    scores = load_heads().questions.scores(seen_questions([question]))
    found = shares(scores)[0]
    if int(np.argmax(found)) == NO_SLOT:
        return []
    ranked = [int(at) for at in np.argsort(-found) if at != NO_SLOT and found[at] >= _WANTED]
    return [WantedSlot(slot=SLOTS[at], chance=round(float(found[at]), 3)) for at in ranked]


_WANTED = 0.2
