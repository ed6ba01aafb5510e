"""Check-ins in the database: where they are wanted, and each thing that was asked after, once."""

from datetime import datetime, timedelta
from uuid import UUID

from memory.model.audience import Scope
from memory.model.checkins import (
    REASON,
    SNOOZE,
    AskedThing,
    CheckinRoom,
    HeardLine,
    KnownBirthday,
    NewCheckin,
    Occasion,
)
from memory.model.conversations import NewTurn, Turn
from memory.model.messages import TurnId
from memory.model.people import AuditedChange, PersonId, Signature
from memory.model.retrieval import Candidate, Considered, Retrieval, Section
from memory.model.rooms import Room, RoomId
from memory.model.stores import Collection
from memory.storage.conversations.kept_turns import keep_turn
from memory.storage.conversations.quotations import any_erased
from memory.storage.conversations.turns import open_session
from memory.storage.people.people import surviving_person
from memory.storage.sqlite.audit import record
from memory.storage.sqlite.database import TimedTable, Transaction
from memory.storage.sqlite.rows import Row, audiences, millis, queries, row_as

_SQL = queries("conversations/checkins")

LATELY = SNOOZE + timedelta(days=1)
"""How far back check-ins count for how often the pet writes."""

SAID_WITHIN = timedelta(days=60)
"""What was said longer ago is not asked after."""

MOST_LINES = 2000
"""Lines that are read of a room or a person, the latest."""

PET = Signature("pet")
"""Who a check-in is signed by in the audit log: no person commanded that one."""


class Checkins(TimedTable):
    """The tables of check-ins."""

    async def switch(self, place: CheckinRoom, *, on: bool, by: Signature) -> bool:
        """Want check-ins in a room, or want them no more; whether that changes anything."""
        now = self._clock.now()

        async def work(transaction: Transaction) -> bool:
            was = await transaction.all(_SQL["rooms"], {"room": place.room.id, "lately": 0})
            whose = place.person if place.is_direct else None
            values = {
                "room": place.room.id,
                "person": whose and await surviving_person(transaction, whose),
                "account": place.account if place.is_direct else None,
                "locale": place.locale,
                "now": millis(now),
            }
            await transaction.all(_SQL["switch_on" if on else "switch_off"], values)
            if bool(was) == on:
                return False
            action = "checkins.switched_on" if on else "checkins.switched_off"
            change = AuditedChange(actor=by, action=action, target=place.room.id)
            await record(transaction, change, now)
            return True

        return await self._database.write(work)

    async def rooms(self, room: RoomId | None = None) -> list[CheckinRoom]:
        """The rooms in which they are wanted, or the one, as they stand now."""
        values = {"room": room, "lately": millis(self._clock.now() - LATELY)}
        rows = await self._database.all(_SQL["rooms"], values)
        return [row_as(CheckinRoom, row, room=row_as(Room, row)) for row in rows]

    async def said(self, place: CheckinRoom, scope: Scope) -> list[HeardLine]:
        """What its person said anywhere in scope, or people in the group; oldest first."""
        rows = await self._database.all(_SQL["said"], self._whose(place, scope))
        return [row_as(HeardLine, row, claims=()) for row in rows]

    async def birthdays(self, place: CheckinRoom, scope: Scope) -> list[KnownBirthday]:
        """The birthdays that its person, or people who write in the group, told of themselves."""
        values = self._whose(place, scope)
        return await self._database.all_as(KnownBirthday, _SQL["birthdays"], values)

    async def asked(self) -> list[AskedThing]:
        """What was asked after within the time that something said is asked after."""
        values = {"since": millis(self._clock.now() - SAID_WITHIN)}
        return await self._database.all_as(AskedThing, _SQL["asked"], values)

    async def hand_over(self, new: NewCheckin) -> Turn | None:
        """Turn an occasion into a turn that says `words`.

        None if it was asked after before, its words are gone, or check-ins were switched off.
        """
        now, one, room = self._clock.now(), new.occasion, new.place.room

        async def work(transaction: Transaction) -> Turn | None:
            source = _candidate(one)
            if await any_erased(transaction, [source.ref]):
                return None
            person = await surviving_person(transaction, one.person)
            values = {
                "thing": one.thing,
                "rule": one.rule,
                "room": room.id,
                "person": person,
                "message": one.message,
                "now": millis(now),
            }
            added = await transaction.all(_SQL["add"], values)
            if not added:
                return None
            session = await open_session(transaction, person, room.id, new.idle, now)
            account = new.place.account if new.place.is_direct else one.account
            told = Considered(candidate=source, score=1.0, kept=True, reason=one.rule)
            written = NewTurn.unasked(
                session,
                room,
                new.words,
                at=now,
                channel=(account or room.platform).partition(":")[0],
                speaker=one.name,
                pet_name=new.pet_name,
                account=account,
                retrieval=Retrieval(query="", reason=f"{REASON}{one.rule}", items=(told,)),
            )
            turn = await keep_turn(transaction, written, now)
            await transaction.run(_SQL["became"], {"id": added[0]["id"], "turn": str(turn.id)})
            return turn

        return await self._database.write(work)

    async def settle(self, turn: TurnId, *, taken: bool) -> None:
        """Audit what became of a check-in; one that was not taken is given up."""
        now = self._clock.now()
        await self._database.write(
            lambda transaction: _settled(transaction, turn, now, taken=taken)
        )

    async def abandon(self) -> int:
        """Give up check-ins that a crash cut short: they may have been sent; how many."""
        now = self._clock.now()

        async def work(transaction: Transaction) -> int:
            rows = await transaction.all(_SQL["unsent"])
            for row in rows:
                await _settled(transaction, TurnId(UUID(row["id"])), now, taken=False)
            return len(rows)

        return await self._database.write(work)

    def _whose(self, place: CheckinRoom, scope: Scope) -> dict[str, object]:
        now = self._clock.now()
        person: PersonId | None = place.person if place.is_direct else None
        return {
            "person": person,
            "room": None if place.is_direct else place.room.id,
            "here": place.room.id,
            "audiences": audiences(scope),
            "since": millis(now - SAID_WITHIN),
            "now": millis(now),
            "most": MOST_LINES,
        }


async def _settled(transaction: Transaction, turn: TurnId, now: datetime, *, taken: bool) -> None:
    row: Row | None = await transaction.one(_SQL["of_turn"], {"turn": str(turn)})
    if row is None:
        return
    if not taken:
        await transaction.run(_SQL["give_up"], {"turn": str(turn)})
    action = "checkin.sent" if taken else "checkin.given_up"
    change = AuditedChange(actor=PET, action=action, target=row["room_id"], detail=row["rule"])
    await record(transaction, change, now)


def _candidate(one: Occasion) -> Candidate:
    """The row that an occasion rests on, as the ledger of turns names it."""
    collection, id_ = one.source
    section = Section.CORE if collection is Collection.KNOWLEDGE else Section.LIVE
    return Candidate(
        section=section,
        collection=collection,
        id=id_,
        revision=1,
        content=one.words,
        at=one.said_at,
        author=one.name,
        author_id=one.person,
        about=one.person,
        proven=True,
    )
