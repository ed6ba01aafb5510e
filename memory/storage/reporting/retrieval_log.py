"""The log of what was looked up before turns, by the page, and the questions it was done for."""

import json
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory.model.audience import Scope
from memory.model.messages import TurnId
from memory.model.people import PersonId
from memory.model.rooms import RoomId
from memory.storage.columns import audiences, moment
from memory.storage.database import Database
from memory.storage.queries import queries
from memory.storage.readers import Row

_SQL = queries("reporting/retrieval_log")

AFTER_ALL = 2**62
"""A number that is after every row's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedRetrieval:
    """One look-up: for which turn, why or why not, how many rows were judged and injected.

    `asked` are the words of the turn, "" once they were forgotten. `late` are the sources that
    missed the deadline.
    """

    id: int
    turn: TurnId
    at: datetime
    speaker: str
    asked: str
    room: RoomId
    room_name: str
    is_direct: bool
    reason: str
    considered: int
    injected: int
    tokens: int
    took_ms: float
    late: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedQuestion:
    """What a person said in a room, for which something was or might have been looked up."""

    turn: TurnId
    text: str
    speaker: str
    person: PersonId
    room: RoomId
    at: datetime


class RetrievalLog:
    """Reads the retrievals beside the turns they were for."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def page(
        self, scope: Scope, limit: int, before: int = AFTER_ALL
    ) -> list[LoggedRetrieval]:
        """The latest look-ups before one, newest first."""
        values = {"audiences": audiences(scope), "limit": limit, "before": before}
        return [_logged(row) for row in await self._database.all(_SQL["page"], values)]

    async def questions(self, scope: Scope, limit: int) -> list[AskedQuestion]:
        """The latest questions, newest first; what was forgotten is not among them."""
        values = {"audiences": audiences(scope), "limit": limit}
        return [
            AskedQuestion(
                turn=TurnId(UUID(row["id"])),
                text=row["text"],
                speaker=row["speaker"],
                person=PersonId(row["person"]),
                room=RoomId(row["room"]),
                at=moment(row["at"]),
            )
            for row in await self._database.all(_SQL["questions"], values)
        ]


def _logged(row: Row) -> LoggedRetrieval:
    return LoggedRetrieval(
        id=row["id"],
        turn=TurnId(UUID(row["turn"])),
        at=moment(row["at"]),
        speaker=row["speaker"],
        asked=row["asked"],
        room=RoomId(row["room"]),
        room_name=row["room_name"],
        is_direct=row["room_kind"] == "direct",
        reason=row["reason"],
        considered=row["considered"],
        injected=row["injected"],
        tokens=row["tokens"],
        took_ms=row["took_ms"],
        late=tuple(json.loads(row["late"])),
    )
