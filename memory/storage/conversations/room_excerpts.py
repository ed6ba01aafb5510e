"""The lines of a room that each turn was shown, kept as references to messages.

No words are copied: a line that was edited, withdrawn, forgotten or closed to the reader is so in
every turn that was shown it.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from memory.model.audience import Scope
from memory.model.conversations import Session, Turn
from memory.model.messages import AuthorKind, MessageId, TurnId
from memory.model.namesakes import NamesOfPeople, name_now
from memory.model.room_excerpts import ExcerptLimits, RoomExcerpt, RoomLine
from memory.model.rooms import Room, RoomKind, RoomRole
from memory.ports import Clock
from memory.rules.room_excerpts import fitting
from memory.storage.people.aliases import read_spoken_under
from memory.storage.sqlite.database import Database, TimedTable, Transaction
from memory.storage.sqlite.rows import Row, audiences, json_list, millis, queries, row_as

_SQL = queries("conversations/room_excerpts")


class RoomExcerpts(TimedTable):
    """The lines of a room that its turns are shown; each line is in one turn of a session only."""

    def __init__(self, database: Database, clock: Clock, limits: ExcerptLimits) -> None:
        super().__init__(database, clock)
        self._limits = limits

    async def latest(
        self, session: Session, room: Room, answered: Sequence[MessageId], scope: Scope
    ) -> RoomExcerpt:
        """The lines of the room since the last turn of the session, without the `answered` ones.

        Direct rooms and `mention` rooms have none.
        """
        now = self._clock.now()
        if not _is_told(room):
            return RoomExcerpt(at=now)
        last = await self._database.one(_SQL["last_turn"], {"session": session.id})
        values: dict[str, Any] = {"answered": json_list(answered), "audiences": audiences(scope)}
        lines = [] if last else await self._starter(room, values)
        seen = last and await self._database.one(_SQL["seen_to"], {"turn": last["id"]})
        values |= {
            "room": room.id,
            "session": session.id,
            "since": millis(now - self._limits.reach),
            "seen": seen["seen"] or 0 if seen else 0,
            "most": self._limits.most_lines,
        }
        rows = await self._database.all(_SQL["since"], values)
        known = {one.message for one in lines}
        lines += [line for row in reversed(rows) if (line := _line(row)).message not in known]
        named = await self._named(fitting(lines, self._limits), scope)
        return RoomExcerpt(at=now, lines=tuple(named))

    async def of(
        self, turns: Sequence[Turn], room: Room, scope: Scope
    ) -> Mapping[TurnId, RoomExcerpt]:
        """The lines that these turns of a room were shown, if they stand and the scope allows."""
        lines: dict[str, list[RoomLine]] = defaultdict(list)
        if turns and _is_told(room):
            ids = json_list(str(turn.id) for turn in turns)
            values = {"turns": ids, "audiences": audiences(scope)}
            rows = await self._database.all(_SQL["of_turns"], values)
            named = await self._named(list(map(_line, rows)), scope)
            for row, line in zip(rows, named, strict=True):
                lines[row["told_to"]].append(line)
        return {
            turn.id: RoomExcerpt(at=turn.asked_at, lines=tuple(lines[str(turn.id)]))
            for turn in turns
        }

    async def _named(self, lines: Sequence[RoomLine], scope: Scope) -> list[RoomLine]:
        """The lines with the present names of their authors."""
        people = {line.person for line in lines}
        names = await self._database.read(lambda view: read_spoken_under(view, people, scope))
        return [_under_present_name(line, names) for line in lines]

    async def _starter(self, room: Room, values: Mapping[str, Any]) -> list[RoomLine]:
        """The message that a thread hangs on, in it or in the room above it."""
        if room.starter is None:
            return []
        rooms = [one for one in (room.id, room.parent) if one is not None]
        where = {"platform": room.platform, "starter": room.starter, "rooms": json_list(rooms)}
        row = await self._database.one(_SQL["starter"], {**values, **where})
        return [] if row is None else [_line(row)]


async def keep_lines(transaction: Transaction, turn: TurnId, excerpt: RoomExcerpt) -> None:
    """Store which lines a turn was shown, inside a transaction."""
    rows = [
        {"turn": str(turn), "message": one.message, "is_starter": one.is_starter}
        for one in excerpt.lines
    ]
    await transaction.many(_SQL["keep"], rows)


def _is_told(room: Room) -> bool:
    return room.kind is RoomKind.GROUP and room.role in {RoomRole.LOBBY, RoomRole.PET}


def _under_present_name(line: RoomLine, names: NamesOfPeople) -> RoomLine:
    called = name_now((line.person, line.author), names)
    return replace(line, author_now=called.name) if called.then else line


def _line(row: Row) -> RoomLine:
    by_pet = AuthorKind(row["author_kind"]) is AuthorKind.PET
    person = None if by_pet else row["person_id"]
    return row_as(RoomLine, row, message=row["id"], person=person, author_now="")
