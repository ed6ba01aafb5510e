"""`/unlink`: an account that was joined is shown apart, then taken apart, by its own person."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.channels.local.hub import LOBBY as LOCAL_LOBBY
from bot.surfaces.operations import Operations
from tests.cast import DAVID, direct
from tests.flow.owning import Owner, owned, typed
from tests.flow.test_link_command import TOM, code, previewed
from tests.linked import DAV, MAIL

ALONE = direct(DAVID)


@pytest.fixture
async def owner(tmp_path: Path) -> AsyncIterator[Owner]:
    """A pet to which two accounts are one person that has told it things from both."""
    async with owned(tmp_path) as born:
        await born.told("Dav joue de la harpe", DAV, MAIL)
        await born.told("David adore le levain", where=ALONE)
        action = await previewed(born, await code(born))
        await born.uses(action.command, DAV, MAIL, **action.arguments)
        yield born


async def test_nothing_is_split_before_it_was_seen_and_confirmed(owner: Owner) -> None:
    """What would leave and what would stay is named; the answer to yes says it again."""
    answer = await owner.uses("unlink", DAV, MAIL)
    assert "mail (Dav) redeviendrait une personne à part, sans chat (David)" in answer.text
    assert "souvenirs : 1" in answer.text
    assert await owner.person(DAV) == await owner.person()
    (action,) = answer.actions
    done = await owner.uses(action.command, DAV, MAIL, **action.arguments)
    assert done.text.startswith("C'est fait : mail (Dav) et chat (David)")
    assert await owner.person(DAV) != await owner.person()
    known = await owner.uses("what-do-you-know", where=ALONE)
    assert "levain" in known.text
    assert "harpe" not in known.text
    assert "harpe" in (await owner.uses("what-do-you-know", DAV, MAIL)).text


async def test_before_others_accounts_are_not_named(tmp_path: Path) -> None:
    """Neither shown nor split."""
    async with owned(tmp_path) as born:
        assert "demande-moi en privé" in await typed(born.app, "/unlink", TOM, LOCAL_LOBBY)


async def test_an_account_that_is_alone_is_told_so(owner: Owner) -> None:
    """In the language of the caller."""
    await owner.uses("unlink", DAV, MAIL, confirm="yes")
    answer = await owner.uses("unlink", DAV, MAIL, locale="en")
    assert answer.text == "This account is not joined to another one."


async def test_the_operator_looks_before_splitting(owner: Owner) -> None:
    """Without --yes nothing changes; what is done is in the audit log."""
    operations = Operations(owner.app)

    async def result(name: str, **arguments: object) -> dict[str, object]:
        return [event async for event in operations.call(name, arguments)][-1]

    listed = await result("people")
    assert "mail:dav@home" in str(listed["result"])
    looked = await result("split_account", account="mail:dav@home")
    whose = await owner.person()
    assert looked["result"] == {
        "accounts": [{"person": whose, "account": "mail:dav@home", "name": "Dav"}],
        "leaving": {"platform": "mail", "name": "Dav"},
        "others": [],
        "staying": [{"platform": "chat", "name": "David"}],
        "counts": {"statements": 1},
        "done": False,
    }
    assert await owner.person(DAV) == await owner.person()
    await result("split_account", account="mail:dav@home", yes=True)
    assert await owner.person(DAV) != await owner.person()
    assert "account.split" in str(await result("audit"))
    refused = await result("split_account", account="mail:dav@home", yes=True)
    assert "only account" in str(refused["error"])
