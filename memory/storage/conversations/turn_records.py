"""Turns as they are looked through: lists by cursor, and what each was made of."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from memory.model.audience import Audience, Scope
from memory.model.conversations import ToolUse
from memory.model.ledger import DOLLAR, Lookup
from memory.model.messages import AuthorKind, TurnId
from memory.model.people import PersonId
from memory.model.rooms import Room, RoomId, SpaceId
from memory.model.shown import Shown
from memory.storage.sqlite.columns import audiences, json_list
from memory.storage.sqlite.database import Database
from memory.storage.sqlite.queries import queries
from memory.storage.sqlite.readers import Row, Snapshot
from memory.storage.sqlite.rows import row_as

_SQL = queries("conversations/turn_records")

BEYOND = 1 << 62
"""Later than any turn, to begin a list that goes back in time."""

MOST_CALLS = 100
"""Model calls of one turn that are read: more than its rounds and branches can be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnListing:
    """A turn in a list; `position` is where the list goes on after it.

    `lookup` says what was looked up for it, `injected` how many lines stood before the model.
    `error` says why rules answered.
    """

    position: int
    id: TurnId
    person: PersonId
    speaker: str
    room: RoomId
    asked: str
    reply: str
    expression: str
    at: datetime
    lookup: Lookup
    injected: int
    error: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldLine:
    """A line of its room that a turn was told."""

    author: str
    by_pet: bool
    text: str
    sent_at: datetime
    is_starter: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnCall:
    """A model call that was made while a turn was answered; `cost` in billionths of a dollar."""

    purpose: Shown[str]
    model: Shown[str]
    outcome: Shown[str]
    input: Shown[int]
    output: Shown[int]
    cache_read: Shown[int]
    cache_write: Shown[int]
    cost: int
    took_ms: Shown[float]

    @property
    def dollars(self) -> Shown[float]:
        """What it cost."""
        return self.cost / DOLLAR


class TurnRecords:
    """Reads turns for their reader. Every reading takes the scope it is read in."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def latest(
        self, scope: Scope, limit: int, *, before: int = BEYOND, person: PersonId | None = None
    ) -> list[TurnListing]:
        """The latest turns before a position, newest first; of one person or of all."""
        values = {
            "before": before,
            "limit": limit,
            "person": person,
            "audiences": audiences(scope),
        }
        query = "latest" if person is None else "latest_of"

        def work(snapshot: Snapshot) -> Sequence[Row]:
            turns = json_list(row["seq"] for row in snapshot.all(_SQL[query], values))
            return snapshot.all(_SQL["listed"], {"turns": turns})

        return [_listing(row, scope) for row in await self._database.read(work)]

    async def room_lines(self, turn: TurnId, scope: Scope) -> list[ToldLine]:
        """What a turn was told of its room, as it stands and a scope of now allows."""
        values = {"turn": str(turn), "audiences": audiences(scope)}
        return [
            row_as(ToldLine, row, by_pet=row["author_kind"] == AuthorKind.PET)
            for row in await self._database.all(_SQL["room_lines"], values)
        ]

    async def tools(self, turn: TurnId, scope: Scope) -> list[ToolUse]:
        """What the model asked for while it thought about a turn, and what it was told."""
        values = {"turn": str(turn), "audiences": audiences(scope)}
        rows = await self._database.all(_SQL["tools"], values)
        return [row_as(ToolUse, row) for row in rows]

    async def calls(self, turn: TurnId, scope: Scope) -> list[TurnCall]:
        """The model calls for a person between the request of their turn and its reply."""
        values = {"turn": str(turn), "audiences": audiences(scope), "limit": MOST_CALLS}
        rows = await self._database.all(_SQL["calls"], values)
        return [row_as(TurnCall, row) for row in rows]

    async def vouched_spaces(self, person: PersonId) -> frozenset[SpaceId]:
        """The communities that a platform said a person belongs to when they last spoke."""
        row = await self._database.one(_SQL["vouched"], {"person": person})
        return frozenset(map(SpaceId, json.loads(row["spaces"]))) if row else frozenset()

    async def direct_room_of(self, person: PersonId) -> Room | None:
        """The room in which a person was last alone with the pet, or None."""
        row = await self._database.one(_SQL["direct_room"], {"person": person})
        return None if row is None else row_as(Room, row)


def _listing(row: Row, scope: Scope) -> TurnListing:
    is_told = all(scope.allows(Audience(one)) for one in json.loads(row["carries"]))
    reply = "\n".join(filter(None, (row["notice"], row["reply"]))) if is_told else ""
    lookup = row_as(Lookup, row, query="", trimmed_at=None)
    return row_as(TurnListing, row, reply=reply, lookup=lookup)
