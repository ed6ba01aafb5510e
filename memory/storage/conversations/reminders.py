"""Reminders in the database: added once, delivered once, cancelled by the person they are for."""

import asyncio
from collections.abc import Collection
from datetime import datetime, timedelta

from memory.model.audience import Audience, Origin, audience_of
from memory.model.authority import Actor
from memory.model.conversations import NewTurn, Turn
from memory.model.messages import MessageId
from memory.model.people import AuditedChange, PersonId
from memory.model.reminders import (
    DueReminder,
    NewReminder,
    Reminder,
    ReminderId,
    ReminderRequest,
    ReminderState,
)
from memory.model.rooms import Room, SpaceId
from memory.ports import Clock
from memory.storage.conversations.kept_turns import keep_turn
from memory.storage.conversations.turns import open_session
from memory.storage.people.people import surviving_person
from memory.storage.sqlite.audit import record, signature_of
from memory.storage.sqlite.database import Database, TimedTable, Transaction
from memory.storage.sqlite.rows import Row, json_list, millis, moment, queries, row_as

_SQL = queries("conversations/reminders")

AT_ONCE = 100
"""Reminders that are delivered in one run; the next run follows at once."""


class Reminders(TimedTable):
    """The reminders table; `changed` is set when the next due reminder may be another one."""

    def __init__(self, database: Database, clock: Clock) -> None:
        super().__init__(database, clock)
        self.changed = asyncio.Event()

    async def said_at(self, message: MessageId) -> datetime:
        """When a message came in; "in 20 minutes" counts from then, however late it is read."""
        row = await self._database.one(_SQL["said_at"], {"message": message})
        return self._clock.now() if row is None else moment(row["received_at"])

    async def add(self, new: NewReminder, most: int) -> ReminderId | None:
        """Store a reminder and return its id; None if the person has `most` open ones already.

        The same `key` again returns the id of the stored one.

        Raises:
            StorageFailed: nothing was kept.

        """
        now = self._clock.now()

        async def work(transaction: Transaction) -> ReminderId | None:
            known = await transaction.one(_SQL["known"], {"key": str(new.key)})
            if known is not None:
                return ReminderId(known["id"])
            person = await surviving_person(transaction, new.request.person)
            (count,) = await transaction.all(_SQL["open_of"], {"person": person})
            if count["open"] >= most:
                return None
            rows = await transaction.all(_SQL["add"], _columns(new, person, millis(now)))
            if not rows:
                return None
            number = ReminderId(rows[0]["id"])
            change = _audited("reminder.set", number, Actor(person=person), new.due_at)
            await record(transaction, change, now)
            return number

        number = await self._database.write(work)
        self.changed.set()
        return number

    async def own(self, person: PersonId) -> list[Reminder]:
        """The open reminders of a person, of all their accounts, soonest first."""
        rows = await self._database.all(_SQL["own"], {"person": person})
        return [_reminder(row) for row in rows]

    async def cancel(self, number: ReminderId, actor: Actor) -> Reminder | None:
        """Cancel an open reminder of the actor, or any if the operator asks; returns the reminder.

        Returns None if the actor has no open reminder of this number.
        """
        now = self._clock.now()

        async def work(transaction: Transaction) -> Reminder | None:
            row = await transaction.one(_SQL["by_id"], {"id": number})
            values = {
                "id": number,
                "person": actor.person,
                "operator": actor.is_operator,
                "now": millis(now),
            }
            if row is None or not await transaction.all(_SQL["cancel"], values):
                return None
            change = _audited("reminder.cancelled", number, actor, moment(row["due_at"]))
            await record(transaction, change, now)
            return _reminder(row)

        return await self._database.write(work)

    async def next_due(self, paused: Collection[SpaceId]) -> datetime | None:
        """When the next reminder outside paused communities is due; None without any."""
        values = {"paused": json_list(paused)}
        row = await self._database.one(_SQL["next_due"], values)
        return None if row is None else moment(row["due_at"])

    async def due(self, paused: Collection[SpaceId]) -> list[DueReminder]:
        """The reminders that are due now, the earliest first, at most `AT_ONCE`."""
        values = {
            "now": millis(self._clock.now()),
            "paused": json_list(paused),
            "limit": AT_ONCE,
        }
        return [_due(row) for row in await self._database.all(_SQL["due"], values)]

    async def hand_over(
        self, due: DueReminder, words: str, pet_name: str, idle: timedelta
    ) -> Turn | None:
        """Turn a due reminder into a turn that says `words`; None if that was done before.

        It is one transaction. From then on the turn is delivered as every reply is: once, also
        after a crash.
        """
        now = self._clock.now()

        async def work(transaction: Transaction) -> Turn | None:
            number = due.reminder.id
            if not await _settled(transaction, number, ReminderState.DELIVERED, now):
                return None
            person, room = due.reminder.person, due.room.id
            session = await open_session(transaction, person, room, idle, now)
            new = NewTurn.unasked(
                session,
                due.room,
                words,
                at=now,
                channel=(due.account or due.room.platform).partition(":")[0],
                speaker=due.name,
                pet_name=pet_name,
                account=due.account,
            )
            turn = await keep_turn(transaction, new, now)
            await transaction.run(_SQL["became"], {"id": number, "turn": str(turn.id)})
            return turn

        return await self._database.write(work)

    async def drop(self, number: ReminderId) -> None:
        """Drop a reminder whose room the pet does not speak in any more."""
        now = self._clock.now()
        await self._database.write(
            lambda transaction: _settled(transaction, number, ReminderState.DROPPED, now)
        )


async def _settled(
    transaction: Transaction, number: ReminderId, state: ReminderState, now: datetime
) -> bool:
    values = {"id": number, "state": state, "now": millis(now)}
    return bool(await transaction.all(_SQL["settle"], values))


def _columns(new: NewReminder, person: PersonId, now: int) -> dict[str, object]:
    asked = new.request
    return {
        "key": str(new.key),
        "person": person,
        "account": asked.account,
        "room": asked.room.id,
        "message": asked.message,
        "audience": _audience(asked, person),
        "text": asked.text,
        "due_at": millis(new.due_at),
        "zone": new.zone,
        "locale": asked.locale,
        "now": now,
    }


def _audience(asked: ReminderRequest, person: PersonId) -> Audience:
    room = asked.room
    return audience_of(
        Origin(visibility=room.visibility, person=person, room=room.id, space=room.space)
    )


def _audited(action: str, number: ReminderId, actor: Actor, due_at: datetime) -> AuditedChange:
    return AuditedChange(
        actor=signature_of(actor), action=action, target=str(number), detail=due_at.isoformat()
    )


def _due(row: Row) -> DueReminder:
    reminder = row_as(Reminder, row, id=row["reminder_id"], person=row["person_id"])
    room, name = row_as(Room, row), row["called"]
    return row_as(DueReminder, row, reminder=reminder, room=room, name=name)


def _reminder(row: Row) -> Reminder:
    return row_as(Reminder, row, person=row["person_id"])
