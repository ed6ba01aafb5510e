"""How far each session was read for facts, and which stretch of it is being read."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime

from memory.model.conversations import ExtractionSpan, PastTurn, SpokenTurn, ToolUse, Unread
from memory.storage.conversations.messages import message_of
from memory.storage.sqlite.database import Table, Transaction
from memory.storage.sqlite.rows import Row, columns_of, millis, queries, recalled_in, row_as

_SQL = queries("conversations/extractions")

StoreFacts = Callable[[Transaction], Awaitable[int]]


class Extractions(Table):
    """The cursors and spans of extraction. Each step is one transaction: a crash repeats one."""

    async def unread(self) -> list[Unread]:
        """The sessions with turns to read, the longest silent first."""
        return await self._database.all_as(Unread, _SQL["unread"])

    async def claim(self, session: str, *, turns: int, chars: int) -> ExtractionSpan | None:
        """The next stretch of a session to read, or None when everything was read.

        The same stretch is returned until it is stored or given up. It has at most `turns` turns
        and `chars` characters, unless its first turn alone has more.
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
            return None if claimed is None else row_as(ExtractionSpan, claimed)

        return await self._database.write(work)

    async def turns(self, span: ExtractionSpan) -> list[SpokenTurn]:
        """The turns of a span as they stand now, oldest first."""
        values = columns_of(span)
        lines = _by_turn(await self._database.all(_SQL["lines"], values))
        tools = _by_turn(await self._database.all(_SQL["tools"], values))
        room = _by_turn(await self._database.all(_SQL["room"], values))
        return [
            _spoken(row, *(found.get(row["seq"], ()) for found in (lines, tools, room)))
            for row in await self._database.all(_SQL["turns"], values)
        ]

    async def before(self, span: ExtractionSpan, limit: int) -> list[PastTurn]:
        """The exchanges right before a span, oldest first."""
        values = {**columns_of(span), "limit": limit}
        return await self._database.all_as(PastTurn, _SQL["before"], values)

    async def store(
        self, span: ExtractionSpan, read: Sequence[SpokenTurn], store_facts: StoreFacts
    ) -> bool:
        """Store the facts of a span and move the cursor, in one transaction.

        `store_facts` returns how many there were. Returns False, with nothing done, if a message
        was withdrawn or edited since it was `read`.
        """

        async def work(transaction: Transaction) -> bool:
            values = columns_of(span)
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
        """Count a failure of a span; returns whether it is set aside, so that the next is read."""

        async def work(transaction: Transaction) -> bool:
            values = {**columns_of(span), "error": error, "limit": limit}
            row = await transaction.one(_SQL["failed"], values)
            is_given_up = row is not None and row["state"] == "quarantined"
            if is_given_up:
                await transaction.run(_SQL["advance"], values)
            return is_given_up

        return await self._database.write(work)

    async def release(self) -> int:
        """Let spans that were set aside be read again; returns how many there were."""
        return await self._database.run(_SQL["release"])

    async def retry(self, most: int) -> int:
        """Let spans that were set aside be read once more; not those tried `most` times."""
        return await self._database.run(_SQL["retry"], {"most": most})

    async def begin_by_rules(self, now: datetime) -> None:
        """Note that rules read from now on, if they do not yet: there is no model."""
        await self._database.run(_SQL["read_by_rules"], {"now": millis(now)})

    async def begin_by_model(self, oldest: datetime) -> int:
        """Let a model read what rules read while there was none, as far back as `oldest`.

        Returns how many spans there are, once: a second call finds none.
        """

        async def work(transaction: Transaction) -> int:
            began = await transaction.one(_SQL["read_by_model"])
            if began is None:
                return 0
            since = max(began["since"], millis(oldest))
            return await transaction.run(_SQL["read_again"], {"since": since})

        return await self._database.write(work)


def _stretch(rows: Sequence[Row], chars: int) -> list[Row]:
    """The first turns that have one audience and together at most `chars` characters."""
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


def _by_turn(rows: Sequence[Row]) -> Mapping[int, Sequence[Row]]:
    found: dict[int, list[Row]] = {}
    for row in rows:
        found.setdefault(row["seq"], []).append(row)
    return found


def _spoken(
    row: Row, lines: Sequence[Row], tools: Sequence[Row], room: Sequence[Row]
) -> SpokenTurn:
    return row_as(
        SpokenTurn,
        row,
        lines=tuple(map(message_of, lines)),
        recalled=recalled_in(row["recalled"]),
        tools=tuple(row_as(ToolUse, one) for one in tools),
        room=tuple(map(message_of, room)),
    )
