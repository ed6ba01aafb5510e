"""The desk of reminders: sets one from a person's words, shows theirs, cancels them."""

import asyncio
from dataclasses import dataclass
from datetime import datetime, tzinfo
from uuid import UUID, uuid5
from zoneinfo import ZoneInfo

import structlog

from memory.language.reminders import says_when
from memory.language.times.due_times import Undue, due_at
from memory.language.times.time_words import aligned
from memory.language.times.zones import zone_in, zone_name
from memory.model.audience import Scope, room_in
from memory.model.authority import Actor
from memory.model.people import PersonId
from memory.model.reminders import (
    LONGEST_REMINDER,
    NewReminder,
    OwnReminders,
    Reminder,
    ReminderId,
    ReminderRefusal,
    ReminderRefused,
    ReminderRequest,
    ReminderSet,
)
from memory.storage.conversations.reminders import Reminders
from memory.storage.people.zones import PersonZones

log = structlog.get_logger()

_KEYS = UUID("6d1f3c3e-52ab-4c41-9d0e-0f5ad5b4bb0f")
"""The namespace of the keys by which a reminder that is asked for twice is one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderRules:
    """How many open reminders a person may have, and the zone of those who name none."""

    most_open: int
    zone: ZoneInfo


class ReminderDesk:
    """What people can have done about their reminders."""

    def __init__(self, reminders: Reminders, zones: PersonZones, rules: ReminderRules) -> None:
        self._reminders = reminders
        self._zones = zones
        self._rules = rules

    async def ask(self, request: ReminderRequest) -> ReminderSet | ReminderRefused:
        """Keep a reminder; or why there is none, and what to ask.

        Raises:
            StorageFailed: nothing was kept.

        """
        text = " ".join(request.text.split())
        if not text:
            return ReminderRefused(why=ReminderRefusal.NOTHING)
        if len(text) > LONGEST_REMINDER:
            return ReminderRefused(why=ReminderRefusal.TOO_LONG, most=LONGEST_REMINDER)
        zone = await self._zone(request)
        due = await self._due(request, zone)
        if isinstance(due, ReminderRefused):
            return due
        key = uuid5(_KEYS, f"{request.asking[0]}:{due.isoformat()}:{text.casefold()}")
        number = await self._reminders.add(
            NewReminder(key=key, request=request, due_at=due, zone=zone_name(zone)),
            self._rules.most_open,
        )
        if number is None:
            return ReminderRefused(why=ReminderRefusal.TOO_MANY, most=self._rules.most_open)
        log.info("reminder.set", reminder=number, room=request.room.id)
        return ReminderSet(id=number, text=text, due_at=due, zone=zone_name(zone))

    async def listed(self, person: PersonId, scope: Scope, *, alone: bool) -> OwnReminders:
        """A person's open reminders, those that may be shown; `alone` they read the answer.

        Then they see all but those of closed rooms elsewhere, as any words of their own.
        """
        every = await self._reminders.own(person)
        shown = [
            one
            for one in every
            if scope.allows(one.audience) or (alone and room_in(one.audience) is None)
        ]
        return OwnReminders(rows=tuple(shown), hidden=len(every) - len(shown))

    async def cancel(self, number: int, actor: Actor) -> Reminder | None:
        """Cancel one; which it was, None where the actor has no such one.

        Raises:
            StorageFailed: nothing was changed.

        """
        cancelled = await self._reminders.cancel(ReminderId(number), actor)
        if cancelled is not None:
            log.info("reminder.cancelled", reminder=number)
        return cancelled

    async def _due(self, request: ReminderRequest, zone: tzinfo) -> datetime | ReminderRefused:
        asked_at = await self._reminders.said_at(request.asking[0])
        said = await asyncio.to_thread(says_when, request.when)
        found = due_at(said, asked_at, zone, in_24=request.locale == "fr")
        if isinstance(found, Undue):
            why = ReminderRefusal(found.why.value)
            return ReminderRefused(why=why, choices=found.choices, zone=zone_name(zone))
        return found

    async def _zone(self, request: ReminderRequest) -> tzinfo:
        """The zone that is named with the time, or else that a person said is theirs."""
        named = await asyncio.to_thread(zone_in, request.when, aligned(request.when))
        if named is not None:
            return named.zone
        return await self._zones.of(request.person, request.scope) or self._rules.zone
