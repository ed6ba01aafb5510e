"""Emoji that people put to a message; they go with it, and with who put them there."""

from collections.abc import Mapping, Sequence
from itertools import groupby

from memory.model.errors import TooManyReactions
from memory.model.messages import MOST_OF_ONE, MOST_REACTIONS, Reaction, ReactionChange
from memory.model.people import AccountId
from memory.model.rooms import RoomId
from memory.storage.sqlite.database import Database, TimedTable, Transaction
from memory.storage.sqlite.rows import Row, json_list, millis, queries

_SQL = queries("conversations/reactions")


class Reactions(TimedTable):
    """The reactions table: an emoji at a message once from each account."""

    async def toggle(
        self, room: RoomId, key: str, account: AccountId, name: str, emoji: str
    ) -> tuple[Reaction, ...] | None:
        """Put an emoji to a message or take it away; what is there then, None without the message.

        `key` is the id of a message of the pet's own rooms.

        Raises:
            TooManyReactions: the message has as many as it can have.

        """

        async def work(transaction: Transaction) -> tuple[Reaction, ...] | None:
            found = await transaction.one(_SQL["message"], {"room": room, "key": key})
            if found is None:
                return None
            values = {"message": found["id"], "emoji": emoji, "account": account}
            if not await transaction.run(_SQL["drop"], values):
                if found["reactions"] >= MOST_REACTIONS:
                    raise TooManyReactions("This message has all the reactions it can have.")
                now = millis(self._clock.now())
                await transaction.run(_SQL["add"], {**values, "name": name, "now": now})
            rows = await transaction.all(_SQL["to"], {"messages": json_list([found["id"]])})
            return _by_message(rows).get(found["id"], ())

        return await self._database.write(work)


async def changed(database: Database, change: ReactionChange, now: int) -> bool:
    """Let an account have these emoji at a message, and no others; whether there is the message.

    Of accounts that have not spoken yet, or that are not observed, none are kept.
    """

    async def work(transaction: Transaction) -> bool:
        found = await transaction.one(
            _SQL["reacted_to"],
            {"platform": change.platform, "external_id": change.external_id},
        )
        if found is None:
            return False
        values = {"message": found["id"], "account": change.account}
        await transaction.run(_SQL["drop_all_of"], values)
        if change.emoji:
            author = change.account.removeprefix(f"{change.platform}:")
            added = {**values, "platform": change.platform, "author": author, "name": change.name}
            emoji = json_list(change.emoji[:MOST_OF_ONE])
            await transaction.run(
                _SQL["add_of_observed"],
                {**added, "emoji": emoji, "now": now, "most": MOST_REACTIONS},
            )
        return True

    return await database.write(work)


async def reactions_to(
    database: Database, messages: Sequence[int]
) -> Mapping[int, tuple[Reaction, ...]]:
    """The reactions to messages, for those that have any."""
    return _by_message(await database.all(_SQL["to"], {"messages": json_list(messages)}))


def _by_message(rows: Sequence[Row]) -> Mapping[int, tuple[Reaction, ...]]:
    grouped = groupby(rows, key=lambda row: int(row["message_id"]))
    return {message: _by_emoji(list(those)) for message, those in grouped}


def _by_emoji(rows: Sequence[Row]) -> tuple[Reaction, ...]:
    """Each emoji where it was first put."""
    by: dict[str, list[Row]] = {}
    for row in rows:
        by.setdefault(row["emoji"], []).append(row)
    return tuple(
        Reaction(
            emoji=emoji,
            accounts=tuple(AccountId(one["account"]) for one in those),
            names=tuple(one["name"] for one in those),
        )
        for emoji, those in by.items()
    )
