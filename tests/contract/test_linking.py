"""One-time codes: entered once, in time, by somebody else, and not guessed."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from memory.model.errors import LinkRefused, OwnCode, TooManyTries, UnknownCode
from memory.model.linking import LENGTH, SIGNS, Account, Moved, bare
from memory.model.people import PersonId
from tests.cast import DAVID, LEA
from tests.linked import DAV, account_of, linking_on, person_behind
from tests.storage import StorageParts, open_truth

MAIL, CHAT = account_of(DAV), account_of(DAVID)
WRONG = "AAAA-AAAA"


@pytest.fixture
async def storage(tmp_path: Path) -> AsyncIterator[StorageParts]:
    """New tables."""
    async with open_truth(tmp_path) as opened:
        yield opened


async def offered(storage: StorageParts) -> str:
    """A code for David."""
    return await linking_on(storage).offer(await person_behind(storage, DAVID), CHAT)


async def enter(storage: StorageParts, code: str, account: str = MAIL) -> PersonId:
    """Enter a code as Dav; who he is then."""
    return (await linking_on(storage).join(code, await person_behind(storage, DAV), account)).person


async def test_who_enters_a_code_becomes_who_offered_it(storage: StorageParts) -> None:
    """The id, the name and the first account of the latter stay; both accounts are theirs."""
    david, dav = await person_behind(storage, DAVID), await person_behind(storage, DAV)
    done = await linking_on(storage).join(await offered(storage), dav, MAIL)
    assert (done.person, done.merged) == (david, dav)
    assert done.accounts == (
        Account(platform=DAVID.platform, name="David"),
        Account(platform="mail", name="Dav"),
    )
    assert await person_behind(storage, DAV) == await person_behind(storage, DAVID) == david
    assert await storage.people.named("Dav") == [david]
    assert await storage.people.named(dav) == [david]


async def test_a_code_is_readable_and_not_kept(storage: StorageParts) -> None:
    """Eight signs in two halves; in the database stands a hash of them."""
    code = await offered(storage)
    assert len(bare(code)) == LENGTH
    assert code[4] == "-"
    assert set(bare(code)) <= set(SIGNS)
    row = await storage.database.one("SELECT * FROM link_codes")
    assert row is not None
    assert bare(code) not in repr(tuple(row))
    assert row["expires_at"] - storage.clock.now().timestamp() * 1000 == 600_000


async def test_a_code_may_be_typed_as_people_type(storage: StorageParts) -> None:
    """In small letters, without its hyphen, with spaces around it."""
    code = await offered(storage)
    assert await enter(storage, f"  {code.lower().replace('-', ' ')} ") is not None


@pytest.mark.parametrize("code", [WRONG, "", "AAAA", "'; DROP TABLE people; --", "É" * 300])
async def test_a_code_that_was_given_to_nobody_is_refused(storage: StorageParts, code: str) -> None:
    """Whatever it looks like."""
    await offered(storage)
    with pytest.raises(UnknownCode, match=r"not known, or is older than ten minutes"):
        await enter(storage, code)
    assert await storage.count("people", "merged_into IS NOT NULL") == 0


async def test_a_code_is_good_for_ten_minutes(storage: StorageParts) -> None:
    """Up to the last moment, and not at the end of it."""
    code = await offered(storage)
    storage.clock.advance(timedelta(minutes=10))
    with pytest.raises(UnknownCode):
        await enter(storage, code)
    code = await offered(storage)
    storage.clock.advance(timedelta(minutes=10) - timedelta(milliseconds=1))
    assert await enter(storage, code) is not None


async def test_a_code_is_good_once(storage: StorageParts) -> None:
    """A third account needs another one."""
    code = await offered(storage)
    await enter(storage, code)
    with pytest.raises(UnknownCode):
        await linking_on(storage).join(code, await person_behind(storage, LEA), account_of(LEA))
    assert await storage.count("link_codes", "used_at IS NOT NULL") == 1


async def test_the_next_code_takes_the_place_of_the_one_before(storage: StorageParts) -> None:
    """One is open for each person; what is too old is cleared away with it."""
    first, second = await offered(storage), await offered(storage)
    with pytest.raises(UnknownCode):
        await enter(storage, first)
    storage.clock.advance(timedelta(minutes=10))
    third = await offered(storage)
    assert await storage.count("link_codes") == 1
    assert await storage.count("link_tries") == 0
    with pytest.raises(UnknownCode):
        await enter(storage, second)
    assert await enter(storage, third) is not None


async def test_a_code_of_somebody_who_became_another_joins_nobody(storage: StorageParts) -> None:
    """Whoever got it meant the account that gave it, and would become somebody else."""
    open_still = await linking_on(storage).offer(await person_behind(storage, DAV), MAIL)
    await enter(storage, await offered(storage))
    with pytest.raises(UnknownCode):
        await linking_on(storage).join(
            open_still, await person_behind(storage, LEA), account_of(LEA)
        )


async def test_ones_own_code_joins_nothing(storage: StorageParts) -> None:
    """It is no guess either, and stays open for the other account."""
    code = await offered(storage)
    for _ in range(6):
        with pytest.raises(OwnCode, match="your own"):
            await linking_on(storage).join(code, await person_behind(storage, DAVID), CHAT)
    assert await enter(storage, code) is not None


@pytest.mark.parametrize("shows", [False, True])
async def test_five_wrong_codes_are_the_last_for_ten_minutes(
    storage: StorageParts, *, shows: bool
) -> None:
    """Also the right one is refused then, from this account; looking counts as entering."""
    linking, dav = linking_on(storage), await person_behind(storage, DAV)
    code = await offered(storage)
    for _ in range(5):
        with pytest.raises(UnknownCode):
            await (linking.preview if shows else linking.join)(WRONG, dav, MAIL)
    for ask in (linking.preview, linking.join):
        with pytest.raises(TooManyTries, match="try again in ten minutes"):
            await ask(code, dav, MAIL)
    lea = await person_behind(storage, LEA)
    assert (await linking.preview(code, lea, account_of(LEA))).counts == {}
    storage.clock.advance(timedelta(minutes=10))
    assert await enter(storage, await offered(storage)) is not None


async def test_a_restart_forgets_no_wrong_code(tmp_path: Path) -> None:
    """Nor what was offered: both are on disk."""
    async with open_truth(tmp_path) as storage:
        code = await offered(storage)
        for _ in range(4):
            with pytest.raises(UnknownCode):
                await enter(storage, WRONG)
    async with open_truth(tmp_path) as storage:
        with pytest.raises(UnknownCode):
            await enter(storage, WRONG)
        with pytest.raises(TooManyTries):
            await enter(storage, code)
        assert await enter(storage, code, "mail:elsewhere") is not None


async def test_what_would_be_joined_is_shown_and_left_as_it_is(storage: StorageParts) -> None:
    """The accounts of both sides and what would move; then joining does that."""
    linking, dav = linking_on(storage), await person_behind(storage, DAV)
    code = await offered(storage)
    shown = await linking.preview(code, dav, MAIL)
    assert shown.joining == (Account(platform="mail", name="Dav"),)
    assert shown.staying == (Account(platform=DAVID.platform, name="David"),)
    assert await storage.count("people", "merged_into IS NOT NULL") == 0
    done = await linking.join(code, dav, MAIL)
    assert done.counts == shown.counts
    assert set(Moved) >= set(done.counts)


async def test_a_joining_is_written_down(storage: StorageParts) -> None:
    """Who was joined to whom, from which account: ids, and no code."""
    code = await offered(storage)
    dav = await person_behind(storage, DAV)
    david = await enter(storage, code)
    row = await storage.database.one("SELECT actor, action, target, detail FROM audit_log")
    assert row is not None
    assert tuple(row) == (MAIL, "account.joined", david, dav)


async def test_every_refusal_is_one_error_for_whoever_answers(storage: StorageParts) -> None:
    """With a sentence that a person can read."""
    for error in (UnknownCode, OwnCode, TooManyTries):
        assert issubclass(error, LinkRefused)
    with pytest.raises(LinkRefused) as refused:
        await enter(storage, WRONG)
    assert str(refused.value).endswith("ask for another.")
