"""Recovery codes: kept by people, good once, and enough to link accounts as well."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from memory.model.errors import UnknownCode
from memory.model.linking import RECOVERY_LENGTH, RecoveredAccount, bare
from memory.model.people import OPERATOR_ACTOR
from memory.storage.linking.codes import UNUSED_FOR, RecoveryCodes
from memory.storage.sqlite.audit import AuditLog
from tests.cast import DAVID
from tests.linked import DAV, account_of, linking_on, person_behind
from tests.storage import StorageParts, open_truth


@pytest.fixture
async def storage(tmp_path: Path) -> AsyncIterator[StorageParts]:
    """New tables."""
    async with open_truth(tmp_path) as opened:
        yield opened


def recovery_on(storage: StorageParts) -> RecoveryCodes:
    """Recovery on these tables."""
    return RecoveryCodes(storage.database, storage.clock)


async def offered(storage: StorageParts) -> str:
    """A code for Dav's account."""
    await person_behind(storage, DAV)
    return await recovery_on(storage).offer(DAV.platform, DAV.external_id)


async def test_a_code_brings_back_its_account_once(storage: StorageParts) -> None:
    """With the name it goes by; typed as people type it."""
    code = await offered(storage)
    typed = f" {code.lower().replace('-', ' ')} "
    account = RecoveredAccount(platform=DAV.platform, external_id=DAV.external_id, name="Dav")
    assert await recovery_on(storage).redeem(typed) == account
    with pytest.raises(UnknownCode, match="not known, or was used"):
        await recovery_on(storage).redeem(code)


async def test_a_code_is_long_and_not_kept(storage: StorageParts) -> None:
    """In the database stands a hash of it."""
    code = await offered(storage)
    assert len(bare(code)) == RECOVERY_LENGTH
    row = await storage.database.one("SELECT * FROM recovery_codes")
    assert row is not None
    assert bare(code) not in repr(tuple(row))


async def test_the_next_code_of_an_account_takes_the_place_of_the_last(
    storage: StorageParts,
) -> None:
    """One that others may have seen is made worthless by asking for another."""
    old, new = await offered(storage), await offered(storage)
    with pytest.raises(UnknownCode):
        await recovery_on(storage).redeem(old)
    assert (await recovery_on(storage).redeem(new)).name == "Dav"


async def test_codes_of_accounts_that_said_nothing_go_with_time(storage: StorageParts) -> None:
    """Visitors who only looked in leave nothing for ever; those who spoke keep theirs."""
    kept = await offered(storage)
    silent = await recovery_on(storage).offer("web", "silent")
    storage.clock.advance(UNUSED_FOR + timedelta(seconds=1))
    await recovery_on(storage).offer("web", "another")
    with pytest.raises(UnknownCode):
        await recovery_on(storage).redeem(silent)
    assert (await recovery_on(storage).redeem(kept)).external_id == DAV.external_id


async def test_a_recovery_code_links_accounts_too(storage: StorageParts) -> None:
    """Entered at `/link` elsewhere it joins that account to the page's, and is used up."""
    code, david = await offered(storage), await person_behind(storage, DAVID)
    joined = await linking_on(storage).join(code, david, account_of(DAVID))
    assert joined.person == await person_behind(storage, DAV)
    with pytest.raises(UnknownCode):
        await recovery_on(storage).redeem(code)


async def test_a_recovery_code_shown_in_public_is_void(storage: StorageParts) -> None:
    """As any code of `/link` that others have seen."""
    code = await offered(storage)
    await linking_on(storage).void(code)
    with pytest.raises(UnknownCode):
        await recovery_on(storage).redeem(code)


async def test_accounts_are_found_by_name_and_by_id(storage: StorageParts) -> None:
    """On their platform alone."""
    await person_behind(storage, DAV)
    for named in ("dav", DAV.external_id):
        (found,) = await recovery_on(storage).accounts(DAV.platform, named)
        assert found.external_id == DAV.external_id
    assert await recovery_on(storage).accounts("web", "dav") == []


async def test_a_code_that_the_operator_asked_for_is_written_down(storage: StorageParts) -> None:
    """Who it was for, without the code; what visitors ask for themselves is not."""
    recovery = recovery_on(storage)
    code = await recovery.offer("web", "lea", by=OPERATOR_ACTOR)
    await recovery.offer("web", "tom")
    (entry,) = await AuditLog(storage.database).latest(10)
    assert (entry.actor, entry.action) == (OPERATOR_ACTOR, "recovery_code.offered")
    assert entry.target == "web:lea"
    assert bare(code) not in repr(entry)
