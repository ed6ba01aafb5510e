"""`/link`: a code on one account, seen first and then confirmed on another, joins the two."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.channels.local.hub import LOBBY as LOCAL_LOBBY
from bot.channels.local.hub import direct_room
from bot.commands.syntax import written
from bot.model.commands import Action
from bot.model.events import AuthorRef
from bot.surfaces.operations import Operations
from tests.cast import DAVID, LEA, LOBBY, direct
from tests.flow.owning import Owner, owned, typed
from tests.flow.test_forgetting_in_chat import ask, offline
from tests.linked import DAV, MAIL

ALONE = direct(DAVID)
TOM = AuthorRef(platform="web", external_id="tom", name="Tom")


@pytest.fixture
async def owner(tmp_path: Path) -> AsyncIterator[Owner]:
    """A pet that one person has told things on two platforms."""
    async with owned(tmp_path) as born:
        await born.told("Dav joue de la harpe", DAV)
        await born.told("David adore le levain")
        yield born


async def code(owner: Owner) -> str:
    """The code that David is given."""
    text = (await owner.uses("link", where=ALONE)).text
    return str(re.findall(r"\b\w{4}-\w{4}\b", text)[0])


async def previewed(owner: Owner, given: str) -> Action:
    """What Dav may confirm once he has seen it."""
    (action,) = (await owner.uses("link", DAV, MAIL, code=given)).actions
    return action


async def test_nothing_is_joined_before_it_was_seen_and_confirmed(owner: Owner) -> None:
    """What would be joined is named; the confirmation carries the code and little else."""
    given = await code(owner)
    answer = await owner.uses("link", DAV, MAIL, code=given.lower())
    assert "mail (Dav) ne ferait plus qu'une personne avec chat (David)" in answer.text
    assert "souvenirs : 1" in answer.text
    assert await owner.person(DAV) != await owner.person()
    (action,) = answer.actions
    assert len(written(action.command, action.arguments)) <= 100
    done = await owner.uses(action.command, DAV, MAIL, **action.arguments)
    assert done.text.startswith("C'est fait : ")
    assert await owner.person(DAV) == await owner.person()
    assert "harpe" in (await owner.uses("what-do-you-know", where=ALONE)).text


async def test_a_talk_in_the_terminal_knows_the_accounts_of_its_person(owner: Owner) -> None:
    """Before it was ever heard it has none; joined, it is named beside the other."""
    here = AuthorRef(platform="console", external_id="David", name="David")
    assert await accounts(owner, "David") == []
    await owner.person(here)
    assert await accounts(owner, "David") == [["console", "David"]]
    given = (await owner.uses("link", here, direct_room(here), locale="en")).text
    action = await previewed(owner, str(re.findall(r"\b\w{4}-\w{4}\b", given)[0]))
    await owner.uses(action.command, DAV, MAIL, **action.arguments)
    assert sorted(await accounts(owner, "David")) == [["console", "David"], ["mail", "Dav"]]


async def accounts(owner: Owner, name: str) -> list[list[str]]:
    """What the operation tells of whose talk it is."""
    events = [one async for one in Operations(owner.app).call("accounts", {"name": name})]
    told: list[list[str]] = events[-1]["result"]["accounts"]
    return told


async def test_a_code_joins_once(owner: Owner) -> None:
    """Confirmed again it is not known any more."""
    action = await previewed(owner, await code(owner))
    await owner.uses(action.command, DAV, MAIL, **action.arguments)
    again = await owner.uses(action.command, DAV, MAIL, **action.arguments)
    assert again.text.startswith("Je ne connais pas ce code")


async def test_wrong_codes_are_refused_in_a_sentence(owner: Owner) -> None:
    """One's own, an unknown one, and after five tries every one."""
    given = await code(owner)
    assert "est le tien" in (await owner.uses("link", where=ALONE, code=given)).text
    for _ in range(5):
        answer = await owner.uses("link", DAV, MAIL, code="AAAA-AAAA", locale="en")
        assert answer.text.startswith("I do not know this code")
    assert (await owner.uses("link", DAV, MAIL, code=given)).text.startswith("Trop de codes faux")


async def test_a_code_that_others_have_seen_is_void(tmp_path: Path) -> None:
    """Typed before others it could be taken by whoever is quicker; none is given there either."""
    async with offline(tmp_path, locale="en") as app:
        given = re.findall(r"\b\w{4}-\w{4}\b", await ask(app, "/link"))[0]
        refused = await typed(app, "/link", TOM, LOCAL_LOBBY)
        assert refused == "A code is for you alone: ask me in private."
        assert "so it is void now" in await typed(app, f"/link {given}", TOM, LOCAL_LOBBY)
        assert (await ask(app, f"/link {given}", "Tom")).startswith("I do not know this code")


async def test_a_typed_code_is_confirmed_by_the_line_that_is_shown(tmp_path: Path) -> None:
    """For channels without buttons."""
    async with offline(tmp_path, locale="en") as app:
        await ask(app, "I love rugby")
        given = re.findall(r"\b\w{4}-\w{4}\b", await ask(app, "/link"))[0]
        shown = await ask(app, f"/link {given}", "Dav")
        line = shown.splitlines()[-1].partition(": ")[2]
        assert line == f"/link --confirm {given}"
        assert (await ask(app, line, "Dav")).startswith("Done: console (Dav), console (David) are")
        assert "rugby" in await ask(app, "/what-do-you-know", "Dav")


async def test_whose_accounts_are_whose_is_told_to_nobody_else(owner: Owner) -> None:
    """Neither to others nor before others."""
    action = await previewed(owner, await code(owner))
    await owner.uses(action.command, DAV, MAIL, **action.arguments)
    for who, where in ((LEA, LOBBY), (LEA, direct(LEA))):
        assert "mail" not in (await owner.uses("what-do-you-know", who, where)).text
    assert "mail (Dav)" in (await owner.uses("what-do-you-know", where=ALONE)).text
