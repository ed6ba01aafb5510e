"""Splits accounts off their person, with all that came from them.

Rows that were said keep their account beside their person (`account` in messages, turns, statements
and kept texts). Conversations, summaries, core facts and names follow the rows they were made of.

What names no account and was one person's before a joining (spaces that they know, quiet topics,
private imports) goes with the first account of that person.

Rows that cannot be told apart stay with the person who is left: statements that rest on words from
another of their accounts too, what others say of them, usage, and summaries of conversations in
which several accounts spoke. What was forgotten before stays forgotten for both.

Statements that replaced each other while both were one person hold again, and so do values that
ended then: what two people say of themselves are two things. Answers to one of them that repeat
private words of the other are recalled for neither.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID, uuid4

from memory.model.audience import person_audience
from memory.model.authority import Actor
from memory.model.errors import OnlyAccount, UnknownAccount
from memory.model.linking import Account, Moved, OwnedAccount, Splitting
from memory.model.people import (
    AccountId,
    AuditedChange,
    PersonId,
    Signature,
    account_id,
    account_parts,
)
from memory.model.statements import Memory, NewMemory
from memory.model.stores import Collection, Store
from memory.ports import Clock
from memory.storage.conversations.quotations import carry, quotes_of, refs_of_rows
from memory.storage.linking.merging import end_value, values_that_end
from memory.storage.people.aliases import keep_spoken
from memory.storage.people.people import People, first_person_id
from memory.storage.search.outbox import announce
from memory.storage.sqlite.audit import record
from memory.storage.sqlite.database import Check, Database, TimedTable, Transaction, no_check
from memory.storage.sqlite.rows import Row, json_list, millis, queries, row_as
from memory.storage.statements.profiles import keep_core_fact
from memory.storage.statements.statements import memory_of

_SQL = queries("linking/splitting")

_BEFORE_SESSIONS = (
    "leave_shared",
    "drop_shared_grounds",
    "move_identity",
    "move_messages",
    "move_turns",
    "move_reminders",
    "move_checkin_rooms",
)
_AFTER_SESSIONS = (
    "end_sessions",
    "move_sessions",
    "move_spans",
    "move_memories",
    "move_facts",
    "move_knowledge",
    "move_stated_names",
    "drop_spoken_names",
    "drop_previews",
    "drop_code",
    "drop_ties",
)
_BELONGINGS = (
    "brought_messages",
    "brought_memories",
    "brought_facts",
    "brought_knowledge",
    "brought_names",
    "own_imports",
    "own_spaces",
    "own_topics",
    "forget_belongings",
    "leave_spaces",
    "leave_topics",
)
"""What no account says whose it is: it was noted at the joining."""

_ANNOUNCED = ("announce_live", "announce_turns", "announce_memories", "announce_knowledge")


class Accounts(TimedTable):
    """Splits accounts off people."""

    def __init__(self, database: Database, people: People, clock: Clock) -> None:
        super().__init__(database, clock)
        self._people = people

    async def listed(self) -> list[OwnedAccount]:
        """Every account from which anything was said, by person."""
        rows = await self._database.all(_SQL["all_accounts"])
        return [row_as(OwnedAccount, row, account=id_of(row)) for row in rows]

    async def called(self, text: str) -> list[OwnedAccount]:
        """The accounts that a text names by id, else by a name of theirs or of their person."""
        rows = await self._database.all(_SQL["called"], {"text": text})
        found = [row_as(OwnedAccount, row, account=id_of(row)) for row in rows]
        return found[:1] if found and found[0].account == text else found

    async def preview(self, account: AccountId, *others: AccountId) -> Splitting:
        """What splitting accounts off would move, and which accounts would stay.

        Raises:
            UnknownAccount: nothing was ever said from it.
            OnlyAccount: its person has no other.

        """

        async def work(transaction: Transaction) -> Splitting:
            owner = await _owner(transaction, account)
            return await _splitting(transaction, (account, *others), PersonId(owner["person_id"]))

        return await self._database.write(work)

    async def split(
        self, account: AccountId, by: Signature, *others: AccountId, along: Check = no_check
    ) -> Splitting:
        """Make accounts one person of their own, with all that came from them, in one transaction.

        What goes `along` is done in it too.

        Raises:
            UnknownAccount: nothing was ever said from it.
            OnlyAccount: its person has no other.
            StorageFailed: nothing was moved.

        """
        now, leaving = self._clock.now(), (account, *others)

        async def work(transaction: Transaction) -> Splitting:
            owner = await _owner(transaction, account)
            old = PersonId(owner["person_id"])
            splitting = await _splitting(transaction, leaving, old)
            new = await _own_person(transaction, leaving, owner, now)
            for one in leaving:
                await _move(transaction, one, old, new, now)
            change = AuditedChange(actor=by, action="account.split", target=new, detail=old)
            await record(transaction, change, now)
            await along(transaction)
            return splitting

        done = await self._database.write(work)
        self._people.refresh()
        return done


async def _owner(transaction: Transaction, account: AccountId) -> Row:
    owner = await transaction.one(_SQL["owner"], _named(account))
    if owner is None:
        raise UnknownAccount(f'Nothing was ever said from the account "{account}".')
    return owner


async def _splitting(
    transaction: Transaction, accounts: Sequence[AccountId], old: PersonId
) -> Splitting:
    rows = await transaction.all(_SQL["accounts"], {"person": old})
    leaving = {id_of(row): row for row in rows if id_of(row) in accounts}
    staying = [row for row in rows if id_of(row) not in accounts]
    if lost := [one for one in accounts if one not in leaving]:
        raise UnknownAccount(f'"{lost[0]}" is no account of the same person.')
    if not staying:
        raise OnlyAccount(f'"{accounts[0]}" is the only account of its person.')
    counts = Counter[Moved]()
    for one in leaving:
        counts.update(await moved_with(transaction, one, old))
    return Splitting(
        leaving=_account(leaving[accounts[0]]),
        staying=tuple(map(_account, staying)),
        counts=dict(counts),
        others=tuple(_account(leaving[one]) for one in accounts[1:]),
    )


async def moved_with(
    transaction: Transaction, account: AccountId, old: PersonId
) -> dict[Moved, int]:
    """How many rows of a person came from one of their accounts, by kind."""
    (row,) = await transaction.all(_SQL["counts"], {"account": account, "old": old})
    return {kind: row[kind] for kind in Moved if row[kind]}


async def _own_person(
    transaction: Transaction, accounts: Sequence[AccountId], owner: Row, now: datetime
) -> PersonId:
    """The person that the accounts had before they were joined to another, or a new one."""
    firsts = [first_person_id(*account_parts(one)) for one in accounts]
    known = {one: await transaction.one(_SQL["person"], {"id": one}) for one in firsts}
    emptied = [one for one, row in known.items() if row is not None and row["merged_into"]]
    free = [*emptied, *(one for one, row in known.items() if row is None)]
    person = PersonId(free[0] if free else uuid4().hex)
    kept = {name: owner[name] for name in ("name", "observed", "kept_seen")}
    values = {**kept, "new": person}
    await transaction.run(_SQL["revive"], {**values, "now": millis(now)})
    return person


async def _move(
    transaction: Transaction, account: AccountId, old: PersonId, new: PersonId, now: datetime
) -> None:
    """Make all that came from an account another person's."""
    values = {
        **_named(account),
        "old": old,
        "new": new,
        "old_audience": person_audience(old),
        "new_audience": person_audience(new),
        "now": millis(now),
    }
    await _run(transaction, _BEFORE_SESSIONS, values)
    for row in await transaction.all(_SQL["mixed_sessions"], values):
        parted = {**values, "session": row["id"], "part": str(uuid4())}
        await _run(transaction, ("part_session", "part_turns"), parted)
    await _run(transaction, _AFTER_SESSIONS, values)
    spoken = await transaction.all(_SQL["spoken_names"], values)
    await keep_spoken(transaction, [dict(row) for row in spoken])
    await _move_journal(transaction, values)
    await _keep_forgotten(transaction, values)
    await _move_belongings(transaction, account, values)
    await _give_back(transaction, values)
    await _settle_facts(transaction, values, (old, new), now)
    await _carry_across(transaction, old, new)
    await _run(transaction, _ANNOUNCED, values)


async def _run(transaction: Transaction, steps: Sequence[str], values: dict[str, object]) -> None:
    for step in steps:
        await transaction.run(_SQL[step], values)


async def _move_journal(transaction: Transaction, values: dict[str, object]) -> None:
    """Let rows that could be given back come back to the account's own person."""
    keys = (values["old_audience"], values["new_audience"])
    people = (values["old"], values["new"])
    # Their own person last: by it a row is known to be theirs.
    for column, (old, new) in {
        "audience": keys,
        "about_person": people,
        "person_id": people,
        "author_id": people,
    }.items():
        moved = {**values, "column": column, "from": old, "to": new}
        await transaction.run(_SQL["move_changes"], moved)
    await _run(transaction, ("move_slots", "drop_journal_ties"), values)


async def _move_belongings(
    transaction: Transaction, account: AccountId, values: dict[str, object]
) -> None:
    """Let what the account's first person had before a joining go along."""
    owned = {**values, "first": first_person_id(*account_parts(account))}
    taken = await transaction.all(_SQL["belongings"], owned)
    if taken:
        owned["taken"] = json_list(row["value"] for row in taken)
        await _run(transaction, _BELONGINGS, owned)


async def _keep_forgotten(transaction: Transaction, values: dict[str, object]) -> None:
    """Copy the tombstones of what either said alone, so that it is not learnt of the other."""
    for row in await transaction.all(_SQL["tombstones"], values):
        (copy,) = await transaction.all(_SQL["add_tombstone"], {**values, "id": row["id"]})
        stems = {"id": row["id"], "to": copy["id"]}
        await transaction.run(_SQL["add_tombstone_stems"], stems)


async def _give_back(transaction: Transaction, values: dict[str, object]) -> None:
    """Let statements hold again that were replaced by statements of the other person."""
    for row in await transaction.all(_SQL["replaced_by_others"], values):
        heir = await transaction.one(_SQL["own_heir"], {"id": row["id"]})
        given = {
            "id": row["id"],
            "heir": None if heir is None else heir["id"],
            "until": None if heir is None else heir["valid_from"],
        }
        await transaction.run(_SQL["give_back"], given)
        await announce(transaction, Store(row["store"]).collection, [UUID(row["id"])])


async def _settle_facts(
    transaction: Transaction,
    values: dict[str, object],
    people: Sequence[PersonId],
    now: datetime,
) -> None:
    """Give each person the core facts that their own words state."""
    rows = await transaction.all(_SQL["facts_that_hold"], values)
    ids = [row["id"] for row in rows]
    await transaction.run(_SQL["found_again"], {"ids": json_list(ids)})
    await announce(transaction, Collection.KNOWLEDGE, list(map(UUID, ids)))
    for person in people:
        for one in await values_that_end(transaction, person, person):
            await end_value(transaction, one, Actor(person=person), now)
    for row in await transaction.all(_SQL["own_words"], values):
        said = memory_of(row)
        await keep_core_fact(transaction, said.id, _as_new(said), said.valid_from, now)


async def _carry_across(transaction: Transaction, one: PersonId, other: PersonId) -> None:
    """Let answers to either carry what they repeat of the other's, once their rows are apart.

    Such an answer, given while both were one, carries the other's audience from then on
    (`turns.carries`), and so do the summaries that tell of it: it is recalled for neither.
    """
    await _carry(transaction, whose=one, told_to=other)
    await _carry(transaction, whose=other, told_to=one)


async def _carry(transaction: Transaction, *, whose: PersonId, told_to: PersonId) -> None:
    audience = person_audience(whose)
    rows = await transaction.all(_SQL["private_rows"], {"audience": audience})
    quotes = await quotes_of(transaction, refs_of_rows(rows))
    named = {"person": told_to, "turns": json_list({quote.turn for quote in quotes})}
    theirs = {row["id"] for row in await transaction.all(_SQL["answers_to"], named)}
    repeating = {quote.turn for quote in quotes if quote.turn in theirs and quote.is_repeated()}
    await carry(transaction, repeating, audience)


def _as_new(said: Memory) -> NewMemory:
    return NewMemory(
        store=said.store,
        content=said.content,
        origin=said.origin,
        source=said.source,
        memory_type=said.memory_type,
        said_by=said.said_by,
        author=said.author,
        about_person=said.about_person,
    )


def _named(account: AccountId) -> dict[str, object]:
    platform, external_id = account_parts(account)
    return {"account": account, "platform": platform, "external_id": external_id}


def id_of(row: Row) -> AccountId:
    """The account of a row of identities."""
    return account_id(row["platform"], row["external_id"])


def _account(row: Row) -> Account:
    return row_as(Account, row)
