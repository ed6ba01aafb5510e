"""What is live, what each digest read, and what became of each line."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory.model.audience import Scope
from memory.model.digests import DigestRow
from memory.model.messages import MessageId
from memory.model.rooms import RoomId
from memory.model.statements import MemoryId
from memory.storage.columns import audiences, json_list, maybe_moment, moment
from memory.storage.database import Database
from memory.storage.queries import queries
from memory.storage.readers import Row

_SQL = queries("reporting/digest_reports")

_AFTER_ALL = 2**62


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadChunk:
    """A stretch of one room that a digest has claimed; `error` says why it could not be read."""

    position: int
    room: RoomId
    room_name: str
    state: str
    attempts: int
    error: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LearntStatement:
    """A statement that rests on a line; `content` is "" once it was forgotten."""

    id: MemoryId
    content: str
    is_replaced: bool
    is_forgotten: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestedLine:
    """A line that a digest was to read; nothing `became` of it where nothing in it was to be kept.

    `state` is its stretch's: `claimed` until it is read, then `stored`, or `quarantined`.
    """

    message: MessageId
    author: str
    text: str
    at: datetime
    room: RoomId
    room_name: str
    state: str
    is_withdrawn: bool
    became: tuple[LearntStatement, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveLine:
    """A line that waits for a digest, that one is reading, or that was set aside after failures."""

    message: MessageId
    author: str
    text: str
    at: datetime
    room: RoomId
    room_name: str
    is_claimed: bool
    is_quarantined: bool


class DigestReports:
    """Reads the digests beside the lines they read."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def page(self, limit: int, before: tuple[int, str] | None = None) -> list[DigestRow]:
        """The latest digests before one (by when it began, and its id), newest first."""
        at, id_ = before or (_AFTER_ALL, "")
        values = {"at": at, "id": id_, "limit": limit}
        return [_digest(row) for row in await self._database.all(_SQL["page"], values)]

    async def one(self, digest: UUID) -> DigestRow | None:
        """One digest."""
        row = await self._database.one(_SQL["one"], {"id": str(digest)})
        return None if row is None else _digest(row)

    async def chunks(self, digest: UUID) -> list[ReadChunk]:
        """The stretches it was read in."""
        rows = await self._database.all(_SQL["chunks"], {"id": str(digest)})
        return [ReadChunk(**{**dict(row), "room": RoomId(row["room"])}) for row in rows]

    async def lines(
        self, digest: UUID, scope: Scope, limit: int, after: int = 0
    ) -> list[DigestedLine]:
        """The lines it has read after one, in order, each with what it became."""
        allowed = audiences(scope)
        values = {"id": str(digest), "after": after, "limit": limit, "audiences": allowed}
        rows = await self._database.all(_SQL["lines"], values)
        asked = {"messages": json_list(row["id"] for row in rows), "audiences": allowed}
        became = _by_message(await self._database.all(_SQL["became"], asked))
        return [_line(row, became.get(row["id"], ())) for row in rows]

    async def live(self, scope: Scope, limit: int, before: int | None = None) -> list[LiveLine]:
        """What is in live before a message, newest first."""
        until = _AFTER_ALL if before is None else before
        values = {"before": until, "limit": limit, "audiences": audiences(scope)}
        return [_live(row) for row in await self._database.all(_SQL["live"], values)]

    async def last_took(self) -> tuple[datetime, float] | None:
        """When the last digest was finished, and how many seconds it took."""
        row = await self._database.one(_SQL["last_took"])
        return None if row is None else (moment(row["finished_at"]), row["took_ms"] / 1000)


def _by_message(rows: Sequence[Row]) -> Mapping[int, Sequence[LearntStatement]]:
    found: defaultdict[int, list[LearntStatement]] = defaultdict(list)
    for row in rows:
        found[row["message"]].append(
            LearntStatement(
                id=MemoryId(UUID(row["id"])),
                content=row["content"],
                is_replaced=row["superseded_by"] is not None,
                is_forgotten=row["forgotten_at"] is not None,
            )
        )
    return found


def _digest(row: Row) -> DigestRow:
    return DigestRow(
        id=UUID(row["id"]),
        started_at=moment(row["started_at"]),
        finished_at=maybe_moment(row["finished_at"]),
        messages=row["messages"],
        facts=row["facts"],
    )


def _line(row: Row, became: Sequence[LearntStatement]) -> DigestedLine:
    return DigestedLine(
        message=MessageId(row["id"]),
        author=row["author"],
        text=row["text"],
        at=moment(row["sent_at"]),
        room=RoomId(row["room"]),
        room_name=row["room_name"],
        state=row["state"],
        is_withdrawn=row["deleted_at"] is not None,
        became=tuple(became),
    )


def _live(row: Row) -> LiveLine:
    return LiveLine(
        message=MessageId(row["id"]),
        author=row["author"],
        text=row["text"],
        at=moment(row["sent_at"]),
        room=RoomId(row["room"]),
        room_name=row["room_name"],
        is_claimed=row["digest_id"] is not None,
        is_quarantined=row["quarantined_at"] is not None,
    )
