"""One-time codes: entered once, in time, by somebody else, and not guessed."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from memory.errors import LinkRefused, OwnCode, TooManyTries, UnknownCode
from memory.model.linking import LENGTH, SIGNS, Account, Moved, bare
from memory.model.people import PersonId
from tests.cast import DAVID, LEA
from tests.linked import DAV, account_of, linking_on, person_behind
from tests.truth import Truth, open_truth

MAIL, CHAT = account_of(DAV), account_of(DAVID)
WRONG = "AAAA-AAAA"


@pytest.fixture
async def truth(tmp_path: Path) -> AsyncIterator[Truth]:
    """New tables."""
    async with open_truth(tmp_path) as opened:
        yield opened


async def offered(truth: Truth) -> str:
    """A code for David."""
    return await linking_on(truth).offer(await person_behind(truth, DAVID), CHAT)


async def enter(truth: Truth, code: str, account: str = MAIL) -> PersonId:
    """Enter a code as Dav; who he is then."""
    return (await linking_on(truth).join(code, await person_behind(truth, DAV), account)).person


async def test_who_enters_a_code_becomes_who_offered_it(truth: Truth) -> None:
    """The id, the name and the first account of the latter stay; both accounts are theirs."""
    david, dav = await person_behind(truth, DAVID), await person_behind(truth, DAV)
    done = await linking_on(truth).join(await offered(truth), dav, MAIL)
    assert (done.person, done.merged) == (david, dav)
    assert done.accounts == (
        Account(platform=DAVID.platform, name="David"),
        Account(platform="mail", name="Dav"),
    )
    assert await person_behind(truth, DAV) == await person_behind(truth, DAVID) == david
    assert await truth.people.named("Dav") == [david]
    assert await truth.people.named(dav) == [david]


async def test_a_code_is_readable_and_not_kept(truth: Truth) -> None:
    """Eight signs in two halves; in the database stands a hash of them."""
    code = await offered(truth)
    assert len(bare(code)) == LENGTH
    assert code[4] == "-"
    assert set(bare(code)) <= set(SIGNS)
    row = await truth.database.one("SELECT * FROM link_codes")
    assert row is not None
    assert bare(code) not in repr(tuple(row))
    assert row["expires_at"] - truth.clock.now().timestamp() * 1000 == 600_000


async def test_a_code_may_be_typed_as_people_type(truth: Truth) -> None:
    """In small letters, without its hyphen, with spaces around it."""
    code = await offered(truth)
    assert await enter(truth, f"  {code.lower().replace('-', ' ')} ") is not None


@pytest.mark.parametrize("code", [WRONG, "", "AAAA", "'; DROP TABLE people; --", "É" * 300])
async def test_a_code_that_was_given_to_nobody_is_refused(truth: Truth, code: str) -> None:
    """Whatever it looks like."""
    await offered(truth)
    with pytest.raises(UnknownCode, match=r"not known, or is older than ten minutes"):
        await enter(truth, code)
    assert await truth.count("people", "merged_into IS NOT NULL") == 0


async def test_a_code_is_good_for_ten_minutes(truth: Truth) -> None:
    """Up to the last moment, and not at the end of it."""
    code = await offered(truth)
    truth.clock.advance(timedelta(minutes=10))
    with pytest.raises(UnknownCode):
        await enter(truth, code)
    code = await offered(truth)
    truth.clock.advance(timedelta(minutes=10) - timedelta(milliseconds=1))
    assert await enter(truth, code) is not None


async def test_a_code_is_good_once(truth: Truth) -> None:
    """A third account needs another one."""
    code = await offered(truth)
    await enter(truth, code)
    with pytest.raises(UnknownCode):
        await linking_on(truth).join(code, await person_behind(truth, LEA), account_of(LEA))
    assert await truth.count("link_codes", "used_at IS NOT NULL") == 1


async def test_the_next_code_takes_the_place_of_the_one_before(truth: Truth) -> None:
    """One is open for each person; what is too old is cleared away with it."""
    first, second = await offered(truth), await offered(truth)
    with pytest.raises(UnknownCode):
        await enter(truth, first)
    truth.clock.advance(timedelta(minutes=10))
    third = await offered(truth)
    assert await truth.count("link_codes") == 1
    assert await truth.count("link_tries") == 0
    with pytest.raises(UnknownCode):
        await enter(truth, second)
    assert await enter(truth, third) is not None


async def test_a_code_of_somebody_who_became_another_joins_nobody(truth: Truth) -> None:
    """Whoever got it meant the account that gave it, and would become somebody else."""
    open_still = await linking_on(truth).offer(await person_behind(truth, DAV), MAIL)
    await enter(truth, await offered(truth))
    with pytest.raises(UnknownCode):
        await linking_on(truth).join(open_still, await person_behind(truth, LEA), account_of(LEA))


async def test_ones_own_code_joins_nothing(truth: Truth) -> None:
    """It is no guess either, and stays open for the other account."""
    code = await offered(truth)
    for _ in range(6):
        with pytest.raises(OwnCode, match="your own"):
            await linking_on(truth).join(code, await person_behind(truth, DAVID), CHAT)
    assert await enter(truth, code) is not None


@pytest.mark.parametrize("shows", [False, True])
async def test_five_wrong_codes_are_the_last_for_ten_minutes(truth: Truth, *, shows: bool) -> None:
    """Also the right one is refused then, from this account; looking counts as entering."""
    linking, dav = linking_on(truth), await person_behind(truth, DAV)
    code = await offered(truth)
    for _ in range(5):
        with pytest.raises(UnknownCode):
            await (linking.preview if shows else linking.join)(WRONG, dav, MAIL)
    for ask in (linking.preview, linking.join):
        with pytest.raises(TooManyTries, match="try again in ten minutes"):
            await ask(code, dav, MAIL)
    lea = await person_behind(truth, LEA)
    assert (await linking.preview(code, lea, account_of(LEA))).counts == {}
    truth.clock.advance(timedelta(minutes=10))
    assert await enter(truth, await offered(truth)) is not None


async def test_a_restart_forgets_no_wrong_code(tmp_path: Path) -> None:
    """Nor what was offered: both are on disk."""
    async with open_truth(tmp_path) as truth:
        code = await offered(truth)
        for _ in range(4):
            with pytest.raises(UnknownCode):
                await enter(truth, WRONG)
    async with open_truth(tmp_path) as truth:
        with pytest.raises(UnknownCode):
            await enter(truth, WRONG)
        with pytest.raises(TooManyTries):
            await enter(truth, code)
        assert await enter(truth, code, "mail:elsewhere") is not None


async def test_what_would_be_joined_is_shown_and_left_as_it_is(truth: Truth) -> None:
    """The accounts of both sides and what would move; then joining does that."""
    linking, dav = linking_on(truth), await person_behind(truth, DAV)
    code = await offered(truth)
    shown = await linking.preview(code, dav, MAIL)
    assert shown.joining == (Account(platform="mail", name="Dav"),)
    assert shown.staying == (Account(platform=DAVID.platform, name="David"),)
    assert await truth.count("people", "merged_into IS NOT NULL") == 0
    done = await linking.join(code, dav, MAIL)
    assert done.counts == shown.counts
    assert set(Moved) >= set(done.counts)


async def test_a_joining_is_written_down(truth: Truth) -> None:
    """Who was joined to whom, from which account: ids, and no code."""
    code = await offered(truth)
    dav = await person_behind(truth, DAV)
    david = await enter(truth, code)
    row = await truth.database.one("SELECT actor, action, target, detail FROM audit_log")
    assert row is not None
    assert tuple(row) == (MAIL, "account.joined", david, dav)


async def test_every_refusal_is_one_error_for_whoever_answers(truth: Truth) -> None:
    """With a sentence that a person can read."""
    for error in (UnknownCode, OwnCode, TooManyTries):
        assert issubclass(error, LinkRefused)
    with pytest.raises(LinkRefused) as refused:
        await enter(truth, WRONG)
    assert str(refused.value).endswith("ask for another.")
