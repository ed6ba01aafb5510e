"""Keys of one community or one person: they see and change its part, and speak for nobody else."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from pydantic import ValidationError

from memory.model.access import Right
from memory.model.audience import Origin
from memory.model.rooms import Visibility
from tests.cast import DAVID, LEA, group
from tests.web.access import GuardedSite, guarded_site
from tests.web.agents import agent_at, refused, text_of, told
from tests.web.remembering import GUILD

HALL = group("hall", space=GUILD)
FOUND = "Léa paints boats"


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[GuardedSite]:
    """A pet that was told things in private by two people and before a community."""
    async with guarded_site(tmp_path) as served:
        await served.pet.told("David hid the zanzibar in the shed")
        await served.pet.told(FOUND, LEA)
        await served.pet.hears("bonjour", DAVID, HALL)
        shared = Origin(visibility=Visibility.SPACE, space=GUILD)
        await served.pet.told("David likes the harbour", origin=shared)
        await served.pet.app.services.recall.warm_up()
        yield served


async def test_a_key_of_a_community_keeps_and_corrects_there(site: GuardedSite) -> None:
    """What it keeps is for that community; what was told in private it does not see."""
    headers = await site.key("read", "write", space=GUILD)
    async with agent_at(site.browser(), headers) as agent:
        seen = text_of(await agent.call_tool("recent", {"limit": 200}))
        assert "harbour" in seen
        assert "zanzibar" not in seen
        kept = told(await agent.call_tool("remember", {"content": "The quiz is on Friday"}))
        assert kept["memory"]["visibility"] == "space"
        right = {"id": kept["id"], "content": "The quiz is on Saturday"}
        assert told(await agent.call_tool("correct", right))["content"] == right["content"]


async def test_a_key_of_a_person_sees_what_they_may_know_in_private(site: GuardedSite) -> None:
    """Not what others told in private, nor what was said in a community it is not let into."""
    headers = await site.key("read", person="Léa")
    async with agent_at(site.browser(), headers) as agent:
        seen = text_of(await agent.call_tool("recent", {"limit": 200}))
        assert FOUND in seen
        assert "zanzibar" not in seen
        assert "harbour" not in seen
        person = told(await agent.call_tool("person", {"name": "Léa"}))
        assert [one["content"] for one in person["statements"]] == [FOUND]
        other = await agent.call_tool("person", {"name": "David"})
        assert "Nobody goes by" in refused(other) or "no such person" in refused(other)


async def test_a_key_of_a_person_keeps_for_them_alone(site: GuardedSite) -> None:
    """Whatever it says of for whom: it cannot ask as somebody else."""
    headers = await site.key("read", "write", person="Léa")
    async with agent_at(site.browser(), headers) as agent:
        kept = told(await agent.call_tool("remember", {"content": "Léa sails at dawn"}))
        assert kept["memory"]["visibility"] == "private"
        for elsewhere in ({"person": "David"}, {"store": "self", "category": "context"}):
            told_to = await agent.call_tool("remember", {"content": "x", **elsewhere})
            assert "alone" in refused(told_to) or "Nobody goes by" in refused(told_to)
        wrong = {"id": kept["id"], "content": "Léa sails at noon"}
        assert told(await agent.call_tool("correct", wrong))["content"] == wrong["content"]


async def test_a_key_of_a_person_corrects_nobody_else(site: GuardedSite) -> None:
    """What another said before a community that both know stays as it is."""
    await site.pet.app.storage.database.run(
        "INSERT INTO space_members (space, person_id) VALUES (:space, :person)",
        {"space": GUILD, "person": await site.pet.person(LEA)},
    )
    site.pet.app.storage.people.refresh()
    headers = await site.key("read", "write", "erase", person="Léa")
    async with agent_at(site.browser(), headers) as agent:
        found = told(await agent.call_tool("search", {"q": "harbour"}))["items"]
        (said,) = [one for one in found if "harbour" in one["content"]]
        wrong = await agent.call_tool("correct", {"id": said["id"], "content": "David hates it"})
        assert "for its author to correct" in refused(wrong)
        asked = told(await agent.call_tool("forget", {"topic": "harbour"}))
        assert "memories" not in asked["counts"]
    assert "David likes the harbour" in await site.pet.contents()


async def test_a_key_of_a_person_forgets_their_own(site: GuardedSite) -> None:
    """Shown first, by a token, as for everybody; the topics of others are not found."""
    headers = await site.key("read", "erase", person="Léa")
    async with agent_at(site.browser(), headers) as agent:
        shown = told(await agent.call_tool("forget", {"topic": "boats"}))
        await agent.call_tool("forget", {"confirm": shown["token"]})
        nothing = await agent.call_tool("forget", {"topic": "zanzibar"})
        assert "zanzibar" not in text_of(nothing).replace('"topic": "zanzibar"', "")
    assert FOUND not in await site.pet.contents()


async def test_it_opens_no_page_and_no_list(site: GuardedSite) -> None:
    """Other people, rooms, receipts and settings are not for it."""
    browser = site.browser()
    browser.headers.update(await site.key("read", "write", "erase", person="Léa"))
    for path in ("/api/people", "/api/rooms", "/api/forgettings", "/api/live", "/dashboard"):
        assert (await browser.get(path)).status_code == 403, path


@pytest.mark.parametrize(
    "bounds", [{"space": GUILD}, {"person": "Léa"}, {"space": GUILD, "person": "Léa"}]
)
async def test_the_pet_is_not_theirs_to_run(site: GuardedSite, bounds: dict[str, str]) -> None:
    """A bounded key has no right to administer, and one bound."""
    with pytest.raises(ValidationError):
        await site.key(*Right, **bounds)
