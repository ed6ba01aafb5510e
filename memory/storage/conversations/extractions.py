"""How far each session was read for facts, and which stretch of it is being read."""

from collections.abc import Awaitable, Callable, Mapping, Sequence

from memory.model.audience import Audience
from memory.model.conversations import ExtractionSpan, PastTurn, SpokenTurn, ToolUse, Unread
from memory.model.people import PersonId
from memory.model.rooms import RoomId
from memory.storage.conversations.messages import message_of
from memory.storage.sqlite.columns import maybe_moment, moment, recalled_in
from memory.storage.sqlite.database import Database, Transaction
from memory.storage.sqlite.queries import queries
from memory.storage.sqlite.readers import Row

_SQL = queries("conversations/extractions")

StoreFacts = Callable[[Transaction], Awaitable[int]]


class Extractions:
    """The cursors and spans of extraction. Each step is one transaction: a crash repeats one."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def unread(self) -> list[Unread]:
        """Every session with something to read, the one that fell silent first before others."""
        return [_unread(row) for row in await self._database.all(_SQL["unread"])]

    async def claim(self, session: str, *, turns: int, chars: int) -> ExtractionSpan | None:
        """The next stretch of a session to read; the same again until it was stored or given up.

        At most so many turns, and so many characters unless one turn alone has more. None when
        everything was read.
        """

        async def work(transaction: Transaction) -> ExtractionSpan | None:
            values = {"session": session, "most": turns}
            claimed = await transaction.one(_SQL["claimed"], values)
            if claimed is None:
                rows = _stretch(await transaction.all(_SQL["next"], values), chars)
                if not rows:
                    return None
                await transaction.run(_SQL["claim"], _claim(session, rows))
                claimed = await transaction.one(_SQL["claimed"], values)
            return None if claimed is None else _span(claimed)

        return await self._database.write(work)

    async def turns(self, span: ExtractionSpan) -> list[SpokenTurn]:
        """The turns of a span as they stand now, oldest first."""
        values = _values(span)
        lines = _by_turn(await self._database.all(_SQL["lines"], values))
        tools = _by_turn(await self._database.all(_SQL["tools"], values))
        return [
            _spoken(row, lines.get(row["seq"], ()), tools.get(row["seq"], ()))
            for row in await self._database.all(_SQL["turns"], values)
        ]

    async def before(self, span: ExtractionSpan, limit: int) -> list[PastTurn]:
        """The exchanges right before a span, oldest first."""
        values = {**_values(span), "limit": limit}
        return [
            PastTurn(
                at=moment(row["at"]), speaker=row["speaker"], text=row["text"], reply=row["reply"]
            )
            for row in await self._database.all(_SQL["before"], values)
        ]

    async def store(
        self, span: ExtractionSpan, read: Sequence[SpokenTurn], store_facts: StoreFacts
    ) -> bool:
        """Store what was found and move the cursor, in one transaction; `store_facts` counts it.

        False, and nothing done, when a message was taken back or reworded since it was read.
        """

        async def work(transaction: Transaction) -> bool:
            values = _values(span)
            rows = await transaction.all(_SQL["lines"], values)
            if list(map(message_of, rows)) != [line for turn in read for line in turn.lines]:
                return False
            if await transaction.run(_SQL["stored"], values):
                facts = await store_facts(transaction)
                await transaction.run(_SQL["count_facts"], {**values, "facts": facts})
                await transaction.run(_SQL["advance"], values)
            return True

        return await self._database.write(work)

    async def failed(self, span: ExtractionSpan, error: str, limit: int) -> bool:
        """Count a failure; whether the span is set aside by it and what follows may be read."""

        async def work(transaction: Transaction) -> bool:
            values = {**_values(span), "error": error, "limit": limit}
            row = await transaction.one(_SQL["failed"], values)
            is_given_up = row is not None and row["state"] == "quarantined"
            if is_given_up:
                await transaction.run(_SQL["advance"], values)
            return is_given_up

        return await self._database.write(work)

    async def release(self) -> int:
        """Let what was set aside be read again; how many stretches there were."""

        async def work(transaction: Transaction) -> int:
            return await transaction.run(_SQL["release"])

        return await self._database.write(work)


def _stretch(rows: Sequence[Row], chars: int) -> list[Row]:
    """The first of the turns, as long as the audience stays and they are not too long."""
    taken: list[Row] = []
    size = 0
    for row in rows:
        size += row["size"]
        if taken and (row["audience"] != taken[0]["audience"] or size > chars):
            break
        taken.append(row)
    return taken


def _claim(session: str, rows: Sequence[Row]) -> dict[str, object]:
    return {
        "session": session,
        "first": rows[0]["seq"],
        "last": rows[-1]["seq"],
        "audience": rows[0]["audience"],
    }


def _values(span: ExtractionSpan) -> dict[str, object]:
    return {
        "session": span.session,
        "first": span.first,
        "last": span.last,
        "audience": span.audience,
    }


def _by_turn(rows: Sequence[Row]) -> Mapping[int, Sequence[Row]]:
    found: dict[int, list[Row]] = {}
    for row in rows:
        found.setdefault(row["seq"], []).append(row)
    return found


def _unread(row: Row) -> Unread:
    return Unread(
        session=row["id"],
        turns=row["turns"],
        last_at=moment(row["last_at"]),
        ended_at=maybe_moment(row["ended_at"]),
    )


def _span(row: Row) -> ExtractionSpan:
    return ExtractionSpan(
        session=row["session_id"],
        first=row["first_turn"],
        last=row["last_turn"],
        room=RoomId(row["room_id"]),
        person=PersonId(row["person_id"]),
        audience=Audience(row["audience"]),
        reading=row["reading"],
    )


def _spoken(row: Row, lines: Sequence[Row], tools: Sequence[Row]) -> SpokenTurn:
    return SpokenTurn(
        seq=row["seq"],
        at=moment(row["at"]),
        lines=tuple(map(message_of, lines)),
        recalled=recalled_in(row["recalled"]),
        reply=row["reply"],
        tools=tuple(
            ToolUse(
                name=one["name"],
                arguments=one["arguments"],
                result=one["result"],
                failed=bool(one["failed"]),
            )
            for one in tools
        ),
    )
