"""Proposes what may be asked after in a room where people want that; the bot disposes."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo

from memory.model.audience import Scope, scope_of
from memory.model.checkins import ArrangedPlan, CheckinRoom, HeardLine, Occasion
from memory.model.people import PersonId
from memory.rules.checkins.choosing import first_of, is_asked, is_due, is_time, is_told, speaks_of
from memory.rules.checkins.reading import (
    SaidDay,
    birthday_of,
    own_occasions,
    plan_occasion,
    said_day,
)
from memory.rules.forgetting.topic import Topic, TopicSaysNothing, topic_of
from memory.storage.conversations.checkins import Checkins
from memory.storage.people.quiet_topics import QuietTopics
from memory.storage.people.zones import PersonZones
from memory.upkeep.claim_pass import ClaimPass

ReadPlans = Callable[[Sequence[HeardLine]], Sequence[ArrangedPlan]]
"""Reads what a group arranged from its lines, which are in order."""

_NO_PERSON = PersonId("")

PLAN_LINES = 300
"""The latest lines in which the plan of a day is looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckinSources:
    """What is known of people: their claims, their zones, and what they want left alone."""

    claims: ClaimPass
    zones: PersonZones
    quiet_topics: QuietTopics


class CheckinProposer:
    """Looks for the one thing that is due to be asked after in a room, and sure."""

    def __init__(
        self, checkins: Checkins, sources: CheckinSources, read_plans: ReadPlans, zone: tzinfo
    ) -> None:
        self._checkins = checkins
        self._sources = sources
        self._read_plans = read_plans
        self._zone = zone

    async def due(self, place: CheckinRoom, now: datetime) -> Occasion | None:
        """What is to be asked after in a room now; None where nothing is.

        Raises:
            StorageFailed: it cannot be read.

        """
        scope = scope_of(place.room, place.person or _NO_PERSON, place.spaces)
        zone = await self._zone_of(place, scope)
        if not is_time(place, now, zone):
            return None
        lines = await self._lines(place, scope)
        asked = await self._checkins.asked()
        birthdays = await self._checkins.birthdays(place, scope)
        today = now.astimezone(zone).date()
        found = [one for known in birthdays if (one := birthday_of(known, today))]
        said = await asyncio.to_thread(self._said, lines, place, now, zone)
        due = [
            one
            for day, one in (*((SaidDay(day=today), one) for one in found), *said)
            if is_due(day, one, now, zone) and not is_asked(one, asked)
        ]
        return first_of([one for one in due if not await self._is_quiet(one)])

    def _said(
        self, lines: Sequence[HeardLine], place: CheckinRoom, now: datetime, zone: tzinfo
    ) -> list[tuple[SaidDay, Occasion]]:
        found = [
            (day, one)
            for day, one in own_occasions(lines, zone, alone=place.is_direct)
            if not is_told(day, one, lines, zone)
        ]
        return found if place.is_direct else [*found, *self._arranged(lines, now, zone)]

    def _arranged(
        self, lines: Sequence[HeardLine], now: datetime, zone: tzinfo
    ) -> Iterator[tuple[SaidDay, Occasion]]:
        """The plans of a group for today; its talk is read only where a line names the day."""
        today, lately = now.astimezone(zone).date(), lines[-PLAN_LINES:]
        days = (said_day(one.text, one.at, zone) for one in lately if one.at.date() < today)
        if any(day is not None and day.day == today for day in days):
            plans = (plan_occasion(one, zone) for one in self._read_plans(lately))
            yield from (one for one in plans if one is not None)

    async def _lines(self, place: CheckinRoom, scope: Scope) -> list[HeardLine]:
        lines = await self._checkins.said(place, scope)
        claims = await self._sources.claims.of([one.message for one in lines])
        return [replace(one, claims=claims.get(one.message, ())) for one in lines]

    async def _zone_of(self, place: CheckinRoom, scope: Scope) -> tzinfo:
        if place.person is None:
            return self._zone
        return await self._sources.zones.of(place.person, scope) or self._zone

    async def _is_quiet(self, one: Occasion) -> bool:
        """Whether whom it is about wants it left alone."""
        topics = await self._sources.quiet_topics.of(one.person)
        said = speaks_of(one)
        return any(topic.is_among(said) for topic in _topics([each.topic for each in topics]))


def _topics(named: Sequence[str]) -> Iterator[Topic]:
    for one in named:
        with suppress(TopicSaysNothing):
            yield topic_of(one)
