"""Counts what came of an evening: facts kept, kept twice, lost or ended, lines that were missing.

Pure.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from bot.topics.answers.evening.play import PlayedEvening, PlayedLine
from bot.topics.answers.evening.record import ANYONE, Evening, ExpectedFact, says
from memory.language.text import fold
from memory.model.ledger import DOLLAR
from memory.model.people import PersonId
from memory.model.rooms import Visibility
from memory.model.statements import Memory
from memory.model.stores import Store


class FailureKind(StrEnum):
    """What went wrong, as the report calls it."""

    TWICE = "kept twice"
    LOST = "lost"
    ENDED = "wrongly ended"
    HELD = "over, still held"
    KEPT = "never to be kept, kept"
    TOLD = "confidence elsewhere"
    MISSING = "needed, not in the request"
    BY_RULES = "answered by rules"
    CALL = "failed model call"
    POSTPONED = "learning postponed"


@dataclass(frozen=True, slots=True, kw_only=True)
class EveningFailure:
    """One thing that went wrong, with the statements it is seen in."""

    kind: FailureKind
    what: str
    seen_in: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EveningScore:
    """An evening's figures. `facts` hold in the end and `over` do not; money is in dollars."""

    record: str
    messages: int
    played: int
    interrupted: bool
    facts: int
    right: int
    over: int
    never: int
    confidences: int
    needed: int
    counts: dict[FailureKind, int]
    calls: int
    tokens: int
    dollars: float | None
    failures: tuple[EveningFailure, ...]


def score(record: str, evening: Evening, played: PlayedEvening) -> EveningScore:
    """The figures of an evening, as far as it was played."""
    lines = [one.line for one in played.lines]
    ended = {name for line in lines for name in line.ends}
    told = [(fact.of or line.who, fact) for line in lines for fact in line.facts]
    holds = [(of, fact) for of, fact in told if fact.name not in ended]
    over = [(of, fact) for of, fact in told if fact.name in ended]
    never = [(fact.of or line.who, fact) for line in lines for fact in line.never]
    failures = (
        *(one for of, fact in holds for one in _kept_wrongly(of, fact, played)),
        *_held(FailureKind.HELD, over, played),
        *_held(FailureKind.KEPT, never, played),
        *(one for line in played.lines for one in _told_elsewhere(line, played)),
        *(one for line in played.lines for one in _answered_wrongly(line)),
        *(EveningFailure(kind=FailureKind.CALL, what=one) for one in played.failed),
        *(EveningFailure(kind=FailureKind.POSTPONED, what=one) for one in played.postponed),
    )
    counts = Counter(one.kind for one in failures)
    wrong = sum(counts[kind] for kind in (FailureKind.TWICE, FailureKind.LOST, FailureKind.ENDED))
    return EveningScore(
        record=record,
        messages=len(evening.lines),
        played=len(lines),
        interrupted=played.interrupted,
        facts=len(holds),
        right=len(holds) - wrong,
        over=len(over),
        never=len(never),
        confidences=sum(bool(line.confides) for line in lines),
        needed=sum(bool(line.needs) for line in lines),
        counts={kind: counts[kind] for kind in FailureKind},
        calls=sum(one.calls for one in played.spent),
        tokens=sum(one.sent + one.output for one in played.spent),
        dollars=sum(one.cost for one in played.spent) / DOLLAR if played.is_priced else None,
        failures=failures,
    )


def _kept_wrongly(of: str, fact: ExpectedFact, played: PlayedEvening) -> Iterator[EveningFailure]:
    """Why a fact that holds is not kept once."""
    rows = [row for row in _stating(of, fact, played, played.rows) if row.store is Store.MEMORY]
    if len(rows) > 1:
        yield _failure(FailureKind.TWICE, fact.name, rows)
    elif not rows:
        gone = _stating(of, fact, played, played.replaced)
        yield _failure(FailureKind.ENDED if gone else FailureKind.LOST, fact.name, gone)


def _held(
    kind: FailureKind, facts: Sequence[tuple[str, ExpectedFact]], played: PlayedEvening
) -> Iterator[EveningFailure]:
    """The facts that are kept and should not be."""
    for of, fact in facts:
        if rows := _stating(of, fact, played, played.rows):
            yield _failure(kind, fact.name, rows)


def _told_elsewhere(told: PlayedLine, played: PlayedEvening) -> Iterator[EveningFailure]:
    """A confidence that is kept for others too, or was shown when another was answered."""
    line = told.line
    if not line.confides:
        return
    rows = [
        row
        for row in played.rows
        if row.visibility is not Visibility.PRIVATE and says(row.content, line.confides)
    ]
    shown = [
        f"the request for: {one.line.text}"
        for one in played.lines
        if not (one.line.who == line.who and one.line.where == "private")
        and says(one.seen, line.confides)
    ]
    if rows or shown:
        yield _failure(FailureKind.TOLD, f"{line.who}: {line.text}", rows, shown)


def _answered_wrongly(told: PlayedLine) -> Iterator[EveningFailure]:
    line = told.line
    if line.needs and not says(told.seen, line.needs):
        yield EveningFailure(kind=FailureKind.MISSING, what=f"{line.who}: {line.text}")
    if told.notice:
        what = f"{line.who}: {line.text}"
        yield EveningFailure(kind=FailureKind.BY_RULES, what=what, seen_in=(told.notice,))


def _stating(
    of: str, fact: ExpectedFact, played: PlayedEvening, rows: Sequence[Memory]
) -> list[Memory]:
    """The statements that say a fact of a person."""
    person = played.people.get(of)
    return [row for row in rows if fact.is_said_in(row.content) and _is_of(row, of, person)]


def _is_of(row: Memory, name: str, person: PersonId | None) -> bool:
    """Whether a statement is about a person; where it does not say whom, whether it names them."""
    if name == ANYONE or fold(name) in map(fold, row.subjects) or says(row.content, [(name,)]):
        return True
    return person is not None and person == (row.about_person or row.author)


def _failure(
    kind: FailureKind, what: str, rows: Sequence[Memory], shown: Sequence[str] = ()
) -> EveningFailure:
    return EveningFailure(kind=kind, what=what, seen_in=(*(row.content for row in rows), *shown))
