"""Processes of one pet in one program, which ask each other over HTTP as they do anywhere."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.siblings.readers import AccountNotShared
from bot.siblings.values import (
    ForgetDeed,
    JoinDeed,
    KnownAsked,
    KnownGiven,
    ObserveDeed,
    SiblingAccount,
    SplitDeed,
    UndoDeed,
)
from memory.model.elsewhere import NOWHERE
from memory.model.export import Entry, read_entry
from memory.storage.elsewhere.deeds import queue_deed
from memory.tasks import background_task
from tests.cast import NOON
from tests.harness.siblings import NAMES, Pet, Told, World, processes
from tests.harness.stage import DISCORD
from tests.harness.waiting import comes
from tests.patience import PATIENCE_S

CONSOLE = ("console", "you", "You")
"""Whoever sits at the machine: another person in each process."""


ADA = SiblingAccount(account=f"{DISCORD}:0", name="Ada")
"""Who asks."""

BOAT = Told(word="Zanzibar", topic="boat", who="Ada", guild=1, how="to it")
"""What she told in the guild of the other process."""


@asynccontextmanager
async def pet_of(number: int, folder: Path) -> AsyncIterator[Pet]:
    """The processes of a pet; everybody is in the one guild of each."""
    world = World({guild: {*NAMES} for guild in range(number)}, number)
    async with processes(folder, world) as pet:
        yield pet


async def test_who_sits_at_a_machine_is_nobody_to_other_processes(tmp_path: Path) -> None:
    """Every process has its own `console:you`: what one of them wants reaches no other."""
    async with pet_of(2, tmp_path) as pet:
        here, there = (one.app for one in pet.processes)
        own = await here.storage.people.person(*CONSOLE)
        theirs = await there.storage.people.person(*CONSOLE)
        done = await here.siblings.every.observe(own.id, observed=False)
        assert done == NOWHERE
        assert (await there.storage.people.looked_up(*CONSOLE)).observed
        console = SiblingAccount(account="console:you")
        for ask in (there.sibling_desk.readers.reader, there.sibling_desk.readers.met):
            with pytest.raises(AccountNotShared):
                await ask(console)
        deed = ForgetDeed(id="0" * 32, asked_at=NOON, accounts=(console,))
        with pytest.raises(AccountNotShared):
            await there.sibling_deeds.do(deed)
        assert (await there.storage.people.looked_up(*CONSOLE)).id == theirs.id


async def test_a_process_for_which_something_waits_is_not_asked(tmp_path: Path) -> None:
    """It may still tell what was forgotten: it is missing until it has been handed everything."""
    async with pet_of(2, tmp_path) as pet:
        await pet.tells(BOAT)
        queue = pet.processes[0].app.siblings.queue
        deed = ObserveDeed(id="1" * 32, asked_at=NOON, accounts=(ADA,), observed=True)
        write = pet.processes[0].app.storage.database.write
        await write(lambda transaction: queue.add(transaction, deed))
        answer = await pet.processes[0].app.siblings.circle.all(
            KnownGiven, "/known", KnownAsked(who=ADA, locale="en"), limit_s=10
        )
        assert answer.names_missing
        assert (await queue.outcome(deed.id)).done
        answer = await pet.processes[0].app.siblings.circle.all(
            KnownGiven, "/known", KnownAsked(who=ADA, locale="en"), limit_s=10
        )
        (known,) = answer.given.values()
        assert BOAT.word in "".join(known.lines)


async def test_a_deed_goes_out_though_nobody_waits_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who asked may be cut off once it is stored, before they say that there is something."""
    monkeypatch.setattr("bot.siblings.deeds.IDLE_S", 0.05)
    async with pet_of(2, tmp_path) as pet:
        here, there = (one.app for one in pet.processes)
        deed = ObserveDeed(id="1" * 32, asked_at=NOON, accounts=(ADA,), observed=False)
        queue = here.siblings.queue
        await here.storage.database.write(lambda transaction: queue.add(transaction, deed))
        assert await comes(lambda: not any(one.behind for one in queue.siblings.every), PATIENCE_S)
        assert await there.storage.sibling_deeds.is_done(deed.id)


async def test_a_late_wish_takes_back_none_that_was_made_since(tmp_path: Path) -> None:
    """Whatever it is: who opted out here is not read along for what they asked elsewhere before."""
    async with pet_of(2, tmp_path) as pet:
        app, earlier = pet.processes[1].app, NOON - timedelta(hours=1)
        ada = await app.storage.people.person(DISCORD, "0", "Ada")
        await app.siblings.every.observe(ada.id, observed=False)
        late = ObserveDeed(id="1" * 32, asked_at=earlier, accounts=(ADA,), observed=True)
        await app.sibling_deeds.do(late)
        assert not (await app.storage.people.looked_up(DISCORD, "0", "Ada")).observed
        since = NOON + timedelta(hours=1)
        later = ObserveDeed(id="2" * 32, asked_at=since, accounts=(ADA,), observed=True)
        await app.sibling_deeds.do(later)
        assert (await app.storage.people.looked_up(DISCORD, "0", "Ada")).observed


async def test_an_old_join_does_not_override_a_newer_split(tmp_path: Path) -> None:
    """Each comes from another process, in any order: the one that was asked for last holds."""
    boris = SiblingAccount(account=f"{DISCORD}:1", name="Boris")
    async with pet_of(1, tmp_path) as pet:
        app, people = pet.processes[0].app, pet.processes[0].app.storage.people

        async def are_one() -> bool:
            ada = await people.known(DISCORD, "0")
            return ada is not None and ada == await people.known(DISCORD, "1")

        async def joined(number: int, hours: int) -> None:
            at = NOON + timedelta(hours=hours)
            deed = JoinDeed(id=f"{number:032}", asked_at=at, accounts=(ADA,), into=(boris,))
            await app.sibling_deeds.do(deed)

        async def split(number: int, hours: int) -> None:
            at = NOON + timedelta(hours=hours)
            await app.sibling_deeds.do(
                SplitDeed(id=f"{number:032}", asked_at=at, account=ADA.account)
            )

        await split(1, hours=2)
        await joined(2, hours=1)
        assert not await are_one()
        await joined(3, hours=3)
        assert await are_one()
        await split(4, hours=2)
        assert await are_one()
        await split(5, hours=4)
        assert not await are_one()


async def test_accounts_that_leave_together_stay_together(tmp_path: Path) -> None:
    """They are one person of their own, as in the process where that was asked for."""
    three = [SiblingAccount(account=f"{DISCORD}:{one}", name=NAMES[one]) for one in range(3)]
    async with pet_of(1, tmp_path) as pet:
        app = pet.processes[0].app
        join = JoinDeed(id="1" * 32, asked_at=NOON, accounts=tuple(three[1:]), into=(three[0],))
        _, first, second = (one.account for one in three)
        later = NOON + timedelta(hours=1)
        for deed in (
            join,
            SplitDeed(id="2" * 32, asked_at=later, account=first, others=(second,)),
        ):
            await app.sibling_deeds.do(deed)
        owners = [await app.storage.people.known(DISCORD, str(one)) for one in range(3)]
        assert owners[0] != owners[1] == owners[2]


async def test_what_is_recalled_elsewhere_is_told_though_nobody_vouched_in_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a busy machine a word of two seconds hid all that other processes had recalled."""
    async with pet_of(2, tmp_path) as pet:
        await pet.tells(BOAT)
        monkeypatch.setattr("bot.siblings.vouching.VOUCH_S", 0.0)
        assert BOAT.word in await pet.answers("Ada", BOAT.asked_by("Ada"))


async def test_what_another_process_undoes_is_asked_of_nobody_again(tmp_path: Path) -> None:
    """Who was asked by the person asks all: each of those asking the others waited for itself."""
    async with pet_of(2, tmp_path) as pet:
        await pet.tells(BOAT)
        app = pet.processes[1].app
        forget = ForgetDeed(id="1" * 32, asked_at=NOON, accounts=(ADA,), topic="boat")
        await app.sibling_deeds.do(forget)
        said = "SELECT count(*) AS n FROM messages WHERE text LIKE '%Zanzibar%'"
        assert [row["n"] for row in await app.storage.database.all(said)] == [0]
        await app.sibling_deeds.do(UndoDeed(id="2" * 32, asked_at=NOON, of=forget.id))
        assert [row["n"] for row in await app.storage.database.all(said)] != [0]
        queued = await app.storage.database.all("SELECT deed FROM sibling_deeds")
        done = await pet.processes[0].app.storage.database.all("SELECT * FROM sibling_deeds_done")
        assert (queued, done) == ([], [])


async def test_an_undoing_gives_back_all_that_the_deed_took(tmp_path: Path) -> None:
    """Of each person whose accounts it named, and that one who was not met yet is not read."""
    async with pet_of(1, tmp_path) as pet:
        app = pet.processes[0].app
        for told in (replace(BOAT, guild=0), replace(BOAT, guild=0, who="Boris", word="Kwyjibo")):
            await pet.tells(told)
        both = (ADA, SiblingAccount(account=f"{DISCORD}:1", name="Boris"))
        forget = ForgetDeed(id="1" * 32, asked_at=NOON, accounts=both, topic="boat")
        stranger = (SiblingAccount(account=f"{DISCORD}:9", name="Jules"),)
        erase = ForgetDeed(id="2" * 32, asked_at=NOON, accounts=stranger)
        for deed in (forget, erase):
            await app.sibling_deeds.do(deed)
        assert not (await app.storage.people.looked_up(DISCORD, "9", "Jules")).observed
        for number, deed in enumerate((forget, erase), start=3):
            await app.sibling_deeds.do(UndoDeed(id=str(number) * 32, asked_at=NOON, of=deed.id))
        for word in (BOAT.word, "Kwyjibo"):
            said = "SELECT count(*) AS n FROM messages WHERE text LIKE :word"
            row = await app.storage.database.one(said, {"word": f"%{word}%"})
            assert row is not None
            assert row["n"] > 0
        assert (await app.storage.people.looked_up(DISCORD, "9", "Jules")).observed


async def test_what_waits_for_an_address_that_is_left_is_handed_to_those_that_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It waited for ever where a process had another address; each does a deed once."""
    monkeypatch.setattr("bot.siblings.deeds.IDLE_S", 0.05)
    async with pet_of(2, tmp_path) as pet:
        here, there = (one.app for one in pet.processes)
        deed = ObserveDeed(id="1" * 32, asked_at=NOON, accounts=(ADA,), observed=False)
        left, body = "http://127.0.0.1:1", deed.model_dump_json()
        await here.storage.database.write(
            lambda transaction: queue_deed(transaction, [left], deed.id, body, NOON)
        )
        await here.siblings.check.look()
        for _ in range(10 * PATIENCE_S):
            if not await here.storage.sibling_deeds.count():
                break
            await asyncio.sleep(0.1)
        assert await there.storage.sibling_deeds.is_done(deed.id)
        assert not (await there.storage.people.looked_up(DISCORD, "0", "Ada")).observed


async def test_what_another_process_exports_is_read_while_others_are_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A part may be as long as a whole export: read at one go it held up the pet for seconds."""
    turns, read_in = 0, Counter[int]()

    def counted(line: bytes) -> Entry:
        read_in[turns] += 1
        return read_entry(line)

    async def turning() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    monkeypatch.setattr("bot.topics.backups.command.read_entry", counted)
    async with pet_of(2, tmp_path) as pet:
        for number in range(20):
            await pet.tells(replace(BOAT, word=f"Zanzibar{number}"))
        async with background_task(turning(), name="turning"):
            await pet.answers("Ada", "/export")
    assert read_in.total() > 2 * max(read_in.values())
    assert max(read_in.values()) <= 25
