"""What people claim in their messages, as places in the text of each."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from memory.model.claims import Claim
from memory.model.messages import MessageId
from memory.storage.sqlite.database import Table, Transaction
from memory.storage.sqlite.rows import columns_of, json_list, queries, row_as

_SQL = queries("conversations/claims")


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreadMessage:
    """A message whose claims are to be read."""

    id: MessageId
    text: str


class Claims(Table):
    """Keeps the claims of messages and knows which messages are still to be read.

    A trigger lists every message that a person writes or edits.
    """

    async def waiting(self, limit: int) -> Sequence[UnreadMessage]:
        """At most `limit` messages that are still to be read, the latest first."""
        return await self._database.all_as(UnreadMessage, _SQL["waiting"], {"limit": limit})

    async def waiting_among(self, messages: Iterable[MessageId]) -> Sequence[UnreadMessage]:
        """Those of these messages that are still to be read."""
        ids = {"ids": json_list(messages)}
        return await self._database.all_as(UnreadMessage, _SQL["waiting_among"], ids)

    async def keep(self, read: Mapping[UnreadMessage, Iterable[Claim]]) -> None:
        """Keep the claims of messages that wait; one whose text changed meanwhile waits still."""
        ids = {"ids": json_list(message.id for message in read)}

        async def work(transaction: Transaction) -> None:
            waiting = await transaction.all(_SQL["waiting_among"], ids)
            as_read = {row_as(UnreadMessage, row) for row in waiting} & read.keys()
            await transaction.run(_SQL["done"], {"ids": json_list(one.id for one in as_read)})
            await transaction.many(
                _SQL["add"],
                [{**columns_of(claim), "id": one.id} for one in as_read for claim in read[one]],
            )

        await self._database.write(work)

    async def of(self, messages: Iterable[MessageId]) -> Mapping[MessageId, tuple[Claim, ...]]:
        """The claims of messages, in the order of their places; unread ones are missing."""
        rows = await self._database.all(_SQL["of"], {"ids": json_list(messages)})
        return {
            MessageId(id_): tuple(row_as(Claim, row) for row in group)
            for id_, group in groupby(rows, key=lambda row: row["message_id"])
        }
