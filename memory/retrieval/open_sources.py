"""Answers to open questions: what is recent, important or about a person, as no search can tell."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial

from memory.language.questions.patterns import OpenKind
from memory.language.text import fold
from memory.language.times.intervals import Grain
from memory.language.times.parser import Period
from memory.model.retrieval import Candidate, Question
from memory.model.statements import MemoryType
from memory.model.stores import Store
from memory.retrieval.query import Query
from memory.statements.extraction.finder import find_statements
from memory.storage.search.candidates import CandidateRows, RowSource, ranked_anew

Lookup = Callable[[], list[Candidate]]
"""One way to find rows, in the thread of a read view."""

MOST = 12
"""Rows of each kind that answer: together more than is injected."""

OWN_WORDS = 60
"""Messages of one person that are read for a journey: it takes some milliseconds."""

LATELY_SAID = 500
"""Messages among which those are sought: what a lively lobby says in that time."""

LATELY = timedelta(days=2)
"""What "what's new?" is about when no time is named."""


def open_lookups(
    question: Question, asked: Query, rows: CandidateRows, now: datetime
) -> Mapping[str, Lookup]:
    """The look-ups that answer an open question, by name; none when it is not open."""
    open_ = asked.open
    if open_ is None:
        return {}
    match open_.kind:
        case OpenKind.TALK:
            period = open_.periods[0] if open_.periods else _lately(now)
            return _talk(question, open_.names, rows, period)
        case OpenKind.SPEAKER:
            return {"open_person": partial(_about, open_.names or [question.speaker], rows)}
        case OpenKind.PERSON:
            return {"open_person": partial(_about, open_.names, rows)}
        case OpenKind.WHEREABOUTS:
            return {
                "open_journeys": partial(_journeys, open_.names, rows),
                "open_lobby": partial(_announced, open_.names, rows, _lately(now)),
            }
        case OpenKind.PET:
            return {
                f"open_{store}": partial(
                    rows.latest_own, RowSource(f"open_{store}", proven=True), store, MOST
                )
                for store in (Store.SELF, Store.GOALS)
            }


def _talk(
    question: Question, names: Sequence[str], rows: CandidateRows, period: Period
) -> Mapping[str, Lookup]:
    """What was said in a period: by the named ones, or by anybody and with the one who asks."""
    found: dict[str, Lookup] = {
        "open_memories": partial(_said, names, rows, period),
        "open_lobby": partial(_overheard, names, rows, period),
    }
    if names:
        return found
    if (person := question.person) is not None:
        found["open_turns"] = lambda: rows.exchanges_between(
            RowSource("open_turns", proven=True), person, period.start, period.end, MOST
        )
    found["open_summaries"] = lambda: rows.summaries_between(
        RowSource("open_summaries", proven=True), period.start, period.end, MOST
    )
    return found


def _said(names: Sequence[str], rows: CandidateRows, period: Period) -> list[Candidate]:
    source = RowSource("open_memories", proven=True)
    return _of(names, rows.statements_between(source, Store.MEMORY, period.start, period.end, MOST))


def _overheard(names: Sequence[str], rows: CandidateRows, period: Period) -> list[Candidate]:
    source, most = RowSource("open_lobby", proven=True), MOST * 4 if names else MOST
    return _of(names, rows.overheard_between(source, period.start, period.end, most))[:MOST]


def _about(names: Sequence[str], rows: CandidateRows) -> list[Candidate]:
    """What is known about them, the most important first."""
    source = RowSource("open_person", proven=True)
    found = rows.statements_about(source, names, Store.MEMORY, MOST * 2)
    return ranked_anew(source, sorted(found, key=lambda one: -one.importance))


def _journeys(names: Sequence[str], rows: CandidateRows) -> list[Candidate]:
    """What happens to them, as far as it is known: the freshest first."""
    source = RowSource("open_journeys", proven=True)
    return rows.statements_about(
        source, names, Store.MEMORY, MOST // 2, memory_type=MemoryType.EVENT
    )


def _announced(names: Sequence[str], rows: CandidateRows, lately: Period) -> list[Candidate]:
    """What they said of it lately in the lobby, before any digest."""
    source = RowSource("open_lobby", proven=True)
    found = rows.overheard_between(source, lately.start, lately.end, LATELY_SAID)
    wanted = set(map(fold, names))
    own = sorted((one for one in found if fold(one.author or "") in wanted), key=_at)
    told = [one for one in own[-OWN_WORDS:] if _tells_event(one)]
    return ranked_anew(source, told[-MOST // 2 :][::-1])


def _at(row: Candidate) -> datetime:
    return row.at


def _lately(now: datetime) -> Period:
    return Period(start=now - LATELY, end=now, grain=Grain.DAY)


def _tells_event(message: Candidate) -> bool:
    statements = find_statements(message.content, message.author or "", message.at)
    return any(one.memory_type is MemoryType.EVENT for one in statements)


def _of(names: Sequence[str], rows: list[Candidate]) -> list[Candidate]:
    """What these people said, or is about them; everything when no name is given."""
    wanted = set(map(fold, names))
    return [
        row
        for row in rows
        if not wanted or wanted & {fold(name) for name in (row.author or "", *row.subjects)}
    ]
