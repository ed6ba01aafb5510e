"""Rows of other processes that answers were given, so that an answer goes when such a row does."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import timedelta

from memory.model.audience import room_in
from memory.model.conversations import NewTurn
from memory.model.messages import TurnId
from memory.model.people import AccountId, account_parts
from memory.model.retrieval import target_of
from memory.model.stores import Collection as Stored
from memory.rules.forgetting.quotation import repeats
from memory.storage.conversations.quotations import known_to, texts_of
from memory.storage.forgetting.erasure import withdraw_answers
from memory.storage.sqlite.database import TimedTable, Transaction
from memory.storage.sqlite.rows import Row, json_list, millis, queries

_SQL = queries("elsewhere/given")

TOLD_FOR = timedelta(days=8)
"""How long an answer may stand before a model again: as the end of the last conversation."""

MOST_ASKED = 300
"""Rows that a sibling is asked about at once, of all that there are."""

MOST_OF_ACCOUNT = 3000
"""The same before a person is answered: more than the answers of any window rest on."""

GivenRow = tuple[str, int]
"""A row, as the ledger of its process names it, and when it was given (milliseconds)."""

ToldRow = tuple[str, str, int]
"""The same behind the address of its process; when it was given first."""


class GivenLines(TimedTable):
    """The table given_lines, and what becomes of answers whose lines are taken back."""

    async def of_account(self, account: AccountId) -> Mapping[str, Sequence[GivenRow]]:
        """What answers to an account's person rest on that may still be told, by sibling."""
        platform, external_id = account_parts(account)
        since = millis(self._clock.now() - TOLD_FOR)
        account_of = {"platform": platform, "external_id": external_id}
        values = {**account_of, "since": since, "most": MOST_OF_ACCOUNT}
        return _by_sibling(await self._database.all(_SQL["of_account"], values))

    async def after(self, place: int) -> tuple[int, Mapping[str, Sequence[GivenRow]]]:
        """Some more of all there are, by sibling, and the place of the last; 0 after all.

        Those of answers that were taken out are let go of.
        """
        rows = await self._database.all(_SQL["after"], {"after": place, "most": MOST_ASKED})
        if over := {row["turn_id"] for row in rows if row["is_over"]}:
            await self._database.run(_SQL["drop"], {"turns": json_list(over)})
        standing = [row for row in rows if not row["is_over"]]
        return (rows[-1]["seq"] if len(rows) == MOST_ASKED else 0), _by_sibling(standing)

    async def taken_back(self, sibling: str, refs: Collection[str]) -> int:
        """Take out the answers that rest on rows which a sibling has no more; how many."""
        now = self._clock.now()

        async def work(transaction: Transaction) -> int:
            values = {"sibling": sibling, "refs": json_list(refs)}
            turns = {row["turn_id"] for row in await transaction.all(_SQL["turns_with"], values)}
            await withdraw_answers(transaction, sorted(turns), now)
            await transaction.run(_SQL["drop"], {"turns": json_list(turns)})
            return len(turns)

        return await self._database.write(work) if refs else 0

    async def gone(self, given: Sequence[GivenRow]) -> list[str]:
        """Which of these rows of this process say no more what they said, or not to all there.

        They were forgotten, taken back or edited, or their room is confidential now.
        """
        targets = {ref: target_of(ref) for ref, _ in given}
        texts = await texts_of(self._database, {f"{ref.partition('@')[0]}@" for ref in targets})
        whose = await known_to(self._database, {*targets.values()})
        heard = [(targets[ref], at) for ref, at in given]
        messages = [(id_.int, at) for (kind, id_), at in heard if kind is Stored.LIVE]
        rows = await self._database.all(_SQL["changed"], {"messages": json_list(messages)})
        edited = {row["id"] for row in rows}
        return [
            ref
            for ref, (kind, id_) in targets.items()
            if not texts.get(f"{kind}:{id_}@", "").strip()
            or any(room_in(one) is not None for one in whose[kind, id_])
            or (kind is Stored.LIVE and id_.int in edited)
        ]


async def keep_given(transaction: Transaction, turn: TurnId, rows: Iterable[ToldRow]) -> None:
    """Store on which rows of siblings an answer may rest, in the transaction that stores it."""
    values = [
        {"turn": str(turn), "sibling": sibling, "ref": ref, "at": at} for sibling, ref, at in rows
    ]
    await transaction.many(_SQL["keep"], values)


async def told_again(transaction: Transaction, new: NewTurn) -> list[ToldRow]:
    """The rows of siblings that a reply rests on by an answer in its window that it repeats."""
    rows = await transaction.all(_SQL["in_window"], {"session": new.session.id})
    said = f"{new.speaker}\n{new.text}"
    repeated = {one: repeats(new.reply, said, one) for one in {row["reply"] for row in rows}}
    again = [row for row in rows if repeated[row["reply"]]]
    return list(dict.fromkeys((row["sibling"], row["ref"], row["at"]) for row in again))


def _by_sibling(rows: Sequence[Row]) -> Mapping[str, Sequence[GivenRow]]:
    found = defaultdict[str, list[GivenRow]](list)
    for row in rows:
        found[row["sibling"]].append((row["ref"], row["at"]))
    return found
