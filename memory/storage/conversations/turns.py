"""Conversations: sessions, and turns with what was injected, answered and delivered."""

from collections import OrderedDict
from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from memory.model.audience import Scope
from memory.model.conversations import (
    NewTurn,
    PartFate,
    PartReport,
    PlatformMessage,
    Session,
    Turn,
)
from memory.model.messages import TurnId
from memory.model.people import PersonId
from memory.model.rooms import RoomId
from memory.model.stores import Collection
from memory.ports import Clock
from memory.storage.conversations.kept_turns import keep_turn, turn_in
from memory.storage.people.people import surviving_person
from memory.storage.search.outbox import announce
from memory.storage.sqlite.database import Database, TimedTable, Transaction
from memory.storage.sqlite.rows import Row, audiences, json_list, millis, queries, row_as

_SQL = queries("conversations/turns")

RECENTLY = timedelta(days=7)
"""How old a conversation may be for the next one there to begin with how it ended."""

LAST_TURNS = 3
"""Turns of it that are shown: a longer one has a summary."""

MOST_EARLY = 500
"""Reports that wait for their message to be known, which it is moments later."""


class Turns(TimedTable):
    """The sessions and turns tables."""

    def __init__(self, database: Database, clock: Clock) -> None:
        super().__init__(database, clock)
        self._fates = PartFates()

    async def session(self, person: PersonId, room: RoomId, idle: timedelta) -> Session:
        """The open session of a person in a room, or a new one after `idle` of silence."""
        now = self._clock.now()
        return await self._database.write(
            lambda transaction: open_session(transaction, person, room, idle, now)
        )

    async def end_idle(self, idle: timedelta) -> int:
        """End the sessions that have been silent for `idle`; returns how many ended."""
        now = self._clock.now()

        async def work(transaction: Transaction) -> int:
            values = {"now": millis(now), "before": millis(now - idle)}
            return len(await transaction.all(_SQL["end_idle"], values))

        return await self._database.write(work)

    async def keep(self, new: NewTurn) -> Turn:
        """Store a turn with its reply, its retrieval and the messages it answers, all or nothing.

        From then on the reply survives a crash: `undelivered` returns it until `delivered` is
        called.
        """
        now = self._clock.now()
        return await self._database.write(lambda transaction: keep_turn(transaction, new, now))

    async def part_sent(self, turn: TurnId, parts: int, became: PlatformMessage | None) -> None:
        """Record that the platform took the first `parts` parts of the reply.

        `became` is the platform's message for the last of them: a quotation of it quotes the reply.
        """

        async def work(transaction: Transaction) -> None:
            await transaction.run(_SQL["part_sent"], {"id": str(turn), "parts": parts})
            if became is not None:
                platform, external_id = became
                values = {"platform": platform, "external_id": external_id}
                await transaction.run(
                    _SQL["add_part"], {**values, "turn": str(turn), "part": parts - 1}
                )
                await self._fates.catch_up(transaction, became)

        await self._database.write(work)

    async def part_reported(self, message: PlatformMessage, report: PartReport) -> None:
        """Apply a platform's report about a message, even before the message is known as a part."""
        await self._database.write(
            lambda transaction: self._fates.follow(transaction, message, report)
        )

    async def answered(self, turn: TurnId) -> str | None:
        """The platform's id of the last message that a turn answers, or None if it is gone."""
        row = await self._database.one(_SQL["last_answered"], {"id": str(turn)})
        return None if row is None else str(row["external_id"])

    async def delivered(self, turn: TurnId) -> None:
        """Record that the platform took the whole reply; the exchange becomes searchable."""

        async def work(transaction: Transaction) -> None:
            await transaction.run(_SQL["delivered"], {"id": str(turn)})
            await announce(transaction, Collection.CONVERSATIONS, [turn])

        await self._database.write(work)

    async def refused(self, turn: TurnId) -> None:
        """Record that the platform will never take the reply: it is not sent again, nor found."""
        await self._database.run(_SQL["refused"], {"id": str(turn)})

    async def undelivered(self) -> list[Turn]:
        """Turns whose reply the platform may not have taken whole, oldest first."""
        return [turn_in(row) for row in await self._database.all(_SQL["undelivered"])]

    async def waiting(self, turn: TurnId) -> Turn | None:
        """A turn that may not be wholly delivered, as it is now; None if it was delivered."""
        row = await self._database.one(_SQL["waiting"], {"id": str(turn)})
        return None if row is None else turn_in(row)

    async def window(self, session: str, scope: Scope) -> list[Turn]:
        """The turns of a session since its last checkpoint, oldest first, as a scope allows."""
        rows = await self._database.all(_SQL["window"], {"session": session})
        return [turn_in(row).within(scope) for row in rows]

    async def last_talk(self, session: Session, scope: Scope) -> list[Turn]:
        """The last turns of what its person said there before a session, as a scope allows.

        Oldest first; none where that was longer ago than a week.
        """
        since = millis(session.started_at - RECENTLY)
        values = {"session": session.id, "since": since, "most": LAST_TURNS}
        rows = await self._database.all(_SQL["last_talk"], values)
        return [turn_in(row).within(scope) for row in reversed(rows)]

    async def stale(self, turns: Sequence[TurnId], scope: Scope) -> frozenset[TurnId]:
        """The turns for which a row was recalled that the scope does not recall any more.

        A statement was forgotten, replaced or has expired; a lobby message was withdrawn or edited;
        an exchange is not found any more; or the scope of now does not allow a row that the scope
        of then did.
        """
        values = self._within(scope, turns=json_list(map(str, turns)))
        rows = await self._database.all(_SQL["stale"], values)
        overheard = await self._database.all(_SQL["overheard_for"], values)
        heard = json_list((row["turn_id"], _message_in(row["ref"])) for row in overheard)
        rows += await self._database.all(_SQL["unsaid"], {**values, "heard": heard})
        return frozenset(TurnId(UUID(row["turn_id"])) for row in rows)

    async def kept_quiet(self, turn: TurnId) -> str | None:
        """Why a turn had no words, "" where none was given; None where it had some."""
        row = await self._database.one(_SQL["kept_quiet"], {"id": str(turn)})
        return None if row is None else str(row["reason"] or "")

    async def by_id(self, turn: TurnId, scope: Scope) -> Turn | None:
        """One turn, or None if there is none that the scope allows."""
        return await self._one("by_id", scope, id=str(turn))

    async def starting(self, beginning: str, scope: Scope, limit: int) -> list[Turn]:
        """The turns whose id (lower case, with hyphens) begins with `beginning`, latest first."""
        values = {"beginning": beginning, "audiences": audiences(scope), "limit": limit}
        rows = await self._database.all(_SQL["starting"], values)
        return [turn_in(row).within(scope) for row in rows]

    async def latest(
        self, scope: Scope, *, speaker: str | None = None, room: str | None = None
    ) -> Turn | None:
        """The last turn; of a speaker or in a room where one is named (case aside)."""
        return await self._one("latest", scope, speaker=speaker, room=room)

    async def previous(self, person: PersonId, room: RoomId, scope: Scope) -> Turn | None:
        """The last answer of a person's open session in a room, or else of anyone's there.

        Where nothing was said, or only that there is no answer, there is nothing to explain.
        """
        return await self._one("previous", scope, person=person, room=room)

    async def gone(self, ids: Sequence[UUID], scope: Scope) -> frozenset[UUID]:
        """The ids that searches do not find any more, as far as the scope allows them."""
        values = {"ids": json_list(map(str, ids)), "audiences": audiences(scope)}
        return frozenset(UUID(row["id"]) for row in await self._database.all(_SQL["gone"], values))

    async def visible(self, ids: Sequence[UUID], scope: Scope) -> list[Turn]:
        """Those of `ids` that the scope allows."""
        values = {"ids": json_list(map(str, ids)), "audiences": audiences(scope)}
        return [turn_in(row) for row in await self._database.all(_SQL["visible"], values)]

    async def _one(self, query: str, scope: Scope, **values: str | None) -> Turn | None:
        bound = {**values, "audiences": audiences(scope)}
        row = await self._database.one(_SQL[query], bound)
        return None if row is None else turn_in(row).within(scope)


class PartFates:
    """What platforms say became of the parts of replies: how far they came, or that they did not.

    Messages are followed that are reported before they are known as parts, too.
    """

    def __init__(self) -> None:
        self._early: OrderedDict[PlatformMessage, PartReport] = OrderedDict()

    async def follow(
        self, transaction: Transaction, message: PlatformMessage, report: PartReport
    ) -> None:
        """Keep how far a message has come; the furthest that is said of it stays."""
        platform, external_id = message
        values = {"platform": platform, "external_id": external_id}
        row = await transaction.one(_SQL["fate"], values)
        if row is None:
            self._wait(message, report)
        elif row["fate"] is None or report.fate.is_beyond(PartFate(row["fate"])):
            kept = {**values, "fate": report.fate.value, "at": millis(report.at)}
            await transaction.run(_SQL["keep_fate"], kept)

    async def catch_up(self, transaction: Transaction, message: PlatformMessage) -> None:
        """Keep what was said of a message before it was known."""
        report = self._early.pop(message, None)
        if report is not None:
            await self.follow(transaction, message, report)

    def _wait(self, message: PlatformMessage, report: PartReport) -> None:
        early = self._early.pop(message, None)
        if early is not None and not report.fate.is_beyond(early.fate):
            report = early
        self._early[message] = report
        if len(self._early) > MOST_EARLY:
            self._early.popitem(last=False)


async def open_session(
    transaction: Transaction, person: PersonId, room: RoomId, idle: timedelta, now: datetime
) -> Session:
    """The open session of a person in a room, or a new one after `idle` of silence."""
    who = await surviving_person(transaction, person)
    values = {"person": who, "room": room, "now": millis(now)}
    row = await transaction.one(_SQL["open_session"], values)
    if row is not None and row["last_at"] >= millis(now - idle):
        return _session(row, who, room)
    if row is not None:
        await transaction.run(_SQL["end_session"], {"id": row["id"], "now": millis(now)})
    begun = await transaction.all(_SQL["start_session"], {**values, "id": uuid4().hex})
    return _session(begun[0], who, room)


def _message_in(ref: str) -> int:
    """The id of the lobby message in a reference; SQL cannot read it from an id of 128 bits."""
    return UUID(ref.partition(":")[2].partition("@")[0]).int


def _session(row: Row, person: PersonId, room: RoomId) -> Session:
    return row_as(Session, row, person=person, room=room, is_new=not row["last_turn"])
