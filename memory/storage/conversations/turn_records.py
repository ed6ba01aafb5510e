"""Turns for looking through: lists by cursor, and what each turn was made from."""

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
from memory.storage.sqlite.database import Table
from memory.storage.sqlite.readers import Snapshot
from memory.storage.sqlite.rows import Row, audiences, json_list, queries, row_as

_SQL = queries("conversations/turn_records")

BEYOND = 1 << 62
"""Later than every turn: a list that goes back in time begins before it."""

MOST_CALLS = 100
"""Model calls that are read of one turn, more than its rounds and branches can be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnListing:
    """A turn in a list; `position` is where the list goes on after it.

    `lookup` says what was looked up for it, `injected` how many rows the model was shown;
    `in_window` whether one that fits was before it already. `error` says why rules answered
    instead of the model.
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
    in_window: bool
    error: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldLine:
    """A line of the room that a turn was shown."""

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


class TurnRecords(Table):
    """Reads turns for the dashboard and commands. Every method takes the scope of the reader."""

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
        """The lines of its room that a turn was shown, if they stand and the scope allows them."""
        values = {"turn": str(turn), "audiences": audiences(scope)}
        return [
            row_as(ToldLine, row, by_pet=row["author_kind"] == AuthorKind.PET)
            for row in await self._database.all(_SQL["room_lines"], values)
        ]

    async def tools(self, turn: TurnId, scope: Scope) -> list[ToolUse]:
        """The tools that the model called during a turn, with arguments and results."""
        values = {"turn": str(turn), "audiences": audiences(scope)}
        return await self._database.all_as(ToolUse, _SQL["tools"], values)

    async def calls(self, turn: TurnId, scope: Scope) -> list[TurnCall]:
        """The model calls for the person of a turn between its request and its reply."""
        values = {"turn": str(turn), "audiences": audiences(scope), "limit": MOST_CALLS}
        return await self._database.all_as(TurnCall, _SQL["calls"], values)

    async def vouched_spaces(self, person: PersonId) -> frozenset[SpaceId]:
        """The communities that a platform said a person belongs to when they last spoke."""
        row = await self._database.one(_SQL["vouched"], {"person": person})
        return frozenset(map(SpaceId, json.loads(row["spaces"]))) if row else frozenset()

    async def direct_room_of(self, person: PersonId) -> Room | None:
        """The room in which a person was last alone with the pet, or None."""
        return await self._database.one_as(Room, _SQL["direct_room"], {"person": person})


def _listing(row: Row, scope: Scope) -> TurnListing:
    is_told = all(scope.allows(Audience(one)) for one in json.loads(row["carries"]))
    reply = "\n".join(filter(None, (row["notice"], row["reply"]))) if is_told else ""
    lookup = row_as(Lookup, row, query="", trimmed_at=None)
    return row_as(TurnListing, row, reply=reply, lookup=lookup, in_window=bool(row["in_window"]))
