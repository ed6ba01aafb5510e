"""What held when, for the command line: lists, histories, and how `self` and `goals` grew."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta, tzinfo
from typing import Annotated, Any, Literal, TypeVar

from pydantic import Field

from bot.errors import BotError
from bot.surfaces.access.caller import OperationCaller
from bot.surfaces.operations import TopicOperations, operation
from bot.surfaces.requests import OperationRequest
from bot.surfaces.values import Event, extended
from bot.wiring.app import App
from memory.language.times.parser import read_times
from memory.model.listing import Archived, Month
from memory.model.shown import Shown
from memory.model.statements import Memory, MemoryId, Relation
from memory.model.stores import Store
from memory.model.ttl import parse_ttl

_FIGURES = re.compile(r"\d+-\d")
"""A date that is none: of 2026-13-01 only the year would be understood."""

MOST_REPLACED = 20
"""Replaced statements that are listed: a screen of them."""


class ListMemoriesRequest(OperationRequest):
    """List statements, latest first; as of a past moment, or the history of one by its id."""

    store: Literal["memory", "self", "goals"] | None = None
    limit: Annotated[int, Field(ge=1, le=10000)] = 50
    as_of: Annotated[str | None, Field(min_length=1, max_length=80)] = None
    history: Annotated[str | None, Field(min_length=4, max_length=36)] = None


class SelfAndGoalsRequest(OperationRequest):
    """Tell how what the pet is, or wants, grew."""

    store: Literal["self", "goals"]


class UnknownMoment(BotError):
    """A time that cannot be read."""


class UnknownMemory(BotError):
    """An id that is no statement's, or the beginning of several."""


class RestoreRequest(OperationRequest):
    """Recall an archived memory again, for a time or, with None, for ever."""

    memory: Annotated[str, Field(min_length=1, max_length=36)]
    ttl: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementThen(Memory):
    """A statement, and from when to when it holds or held, in words."""

    validity: Shown[str]


Then = TypeVar("Then", bound=StatementThen)


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldThen(StatementThen):
    """A statement in its history, with what took its place and what that was to it."""

    superseded_by: Shown[MemoryId | None]
    relation: Shown[Relation | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplacedThen(StatementThen):
    """A statement that held, and the words of what took its place."""

    replaced_by: Shown[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthCount:
    """How much was said in a month, and how much of it holds."""

    said: Shown[int]
    holds: Shown[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryGrowth:
    """A category of `self` or `goals`: counts by month (`2026-11`), and what was said last."""

    category: Shown[str]
    said: Shown[int]
    holds: Shown[int]
    months: Shown[Mapping[str, MonthCount]]
    latest: Shown[StatementThen | None]


class HistoryOperations(TopicOperations):
    """The operations that read what held once beside what does."""

    def __init__(self, app: App, caller: OperationCaller) -> None:
        self._app = app
        self._caller = caller
        self._zone = app.settings.zone

    @operation("memories")
    async def memories(self, request: ListMemoriesRequest) -> Event:
        """Statements, latest first: those that hold, or that held at a moment, or one's history."""
        if request.history is not None:
            return {"memories": await self._history(request.history)}
        store = Store(request.store) if request.store else None
        if request.as_of is None:
            rows = await self._app.storage.memories.latest(store, self._caller.scope, request.limit)
            return {"memories": [self._then(row, StatementThen) for row in rows]}
        at = past_moment(request.as_of, self._app.clock.now(), self._zone)
        rows = await self._app.storage.lifetimes.as_of(at, store, self._caller.scope, request.limit)
        return {"as_of": at, "memories": [self._then(row, StatementThen) for row in rows]}

    @operation("self_and_goals")
    async def self_and_goals(self, request: SelfAndGoalsRequest) -> Event:
        """The categories of `self` or `goals`: counts by month, the latest, what changed."""
        store, lifetimes = Store(request.store), self._app.storage.lifetimes
        months = await lifetimes.months(store, self._caller.scope)
        latest = {
            one.category: one for one in await lifetimes.latest_of_each(store, self._caller.scope)
        }
        replaced = await lifetimes.replaced(store, self._caller.scope, MOST_REPLACED)
        return {
            "categories": [
                self._of_category(name, months, latest.get(name))
                for name in dict.fromkeys(one.category for one in months)
            ],
            "replaced": [
                self._then(one.memory, ReplacedThen, replaced_by=one.survivor) for one in replaced
            ],
        }

    @operation("archived")
    async def archived(self, request: ListMemoriesRequest) -> Event:
        """What has expired, latest first."""
        store = Store(request.store) if request.store else None
        rows = await self._app.storage.archive.latest(store, self._caller.scope, request.limit)
        return {"memories": rows}

    @operation("restore")
    async def restore(self, request: RestoreRequest) -> Archived:
        """Recall again what has expired."""
        return await self._app.storage.archive.restore(
            request.memory, self._caller.scope, parse_ttl(request.ttl), self._caller.signature
        )

    async def _history(self, beginning: str) -> Sequence[HeldThen]:
        lifetimes = self._app.storage.lifetimes
        found = await lifetimes.called(beginning.lower(), self._caller.scope)
        if not found:
            raise UnknownMemory(f'No statement has an id that begins with "{beginning}".')
        if len(found) > 1:
            raise UnknownMemory(f'Several statements have an id that begins with "{beginning}".')
        chain = await lifetimes.history(MemoryId(found[0]), self._caller.scope)
        return [
            self._then(one.memory, HeldThen, superseded_by=one.survivor, relation=one.relation)
            for one in chain
        ]

    def _then(self, memory: Memory, kind: type[Then], **more: Any) -> Then:
        when = validity(memory, self._app.clock.now(), self._zone)
        return extended(kind, memory, validity=when, **more)

    def _of_category(
        self, name: str, months: Sequence[Month], latest: Memory | None
    ) -> CategoryGrowth:
        of_it = [one for one in months if one.category == name]
        return CategoryGrowth(
            category=name,
            said=sum(one.said for one in of_it),
            holds=sum(one.holds for one in of_it),
            months={one.month: MonthCount(said=one.said, holds=one.holds) for one in of_it},
            latest=self._then(latest, StatementThen) if latest else None,
        )


def past_moment(text: str, now: datetime, zone: tzinfo) -> datetime:
    """What a person means by a time: the end of a day or of a stretch, never later than now.

    Raises:
        UnknownMoment: it means none.

    """
    try:
        return min(now, _written(text, zone) or _in_words(text, now, zone))
    except OverflowError:  # the end of the year 9999, the beginning of the year 1
        raise UnknownMoment(f'"{text[:40]}" is beyond all time that is counted.') from None


def validity(memory: Memory, now: datetime, zone: tzinfo) -> str:
    """Since when a statement holds, or from when to when it held, in words."""
    since = _day(memory.valid_from, zone)
    if memory.valid_until is not None:
        return f"from {since} to {_day(memory.valid_until, zone)}"
    if memory.expires_at is None:
        return f"since {since}"
    ends = "expired" if memory.expires_at <= now else "until"
    return f"since {since}, {ends} {_day(memory.expires_at, zone)}"


def _day(moment: datetime, zone: tzinfo) -> str:
    return f"{moment.astimezone(zone):%Y-%m-%d}"


def _written(text: str, zone: tzinfo) -> datetime | None:
    """An ISO date, as its end, or an ISO date and time; in the pet's zone if it names none."""
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    if moment.time() == time() and "T" not in text and ":" not in text:
        moment = moment + timedelta(days=1) - timedelta(milliseconds=1)
    return (moment if moment.tzinfo else moment.replace(tzinfo=zone)).astimezone(UTC)


def _in_words(text: str, now: datetime, zone: tzinfo) -> datetime:
    """The end of what is named: "last week", "mars 2025", "il y a trois mois"."""
    read = read_times(text, now, zone)
    is_in_words = len(read.periods) == 1 and not read.rest.strip(" .?!")
    if not is_in_words or _FIGURES.match(text.strip()):
        raise UnknownMoment(
            f'"{text[:40]}" is no time: write it like 2026-03-01, 2026-03-01T12:00 or "last week".'
        )
    return read.periods[0].end - timedelta(milliseconds=1)
