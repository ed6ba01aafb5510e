"""Forgetting over the API in two steps: a preview with a token, and its confirmation."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from memory.rules.forgetting.receipt import CONFIRM_WITHIN
from tests.web.access import guarded_site
from tests.web.remembering import as_manager, kept, kept_in_guild, posted
from tests.web.served_site import ServedSite, served_site

ASK, CONFIRM = "/api/forgettings/ask", "/api/forgettings/confirm"
MADE, FORBIDDEN, CONFLICT, UNFIT = 201, 403, 409, 422


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[ServedSite]:
    """A pet that knows what David plays, asked by its owner."""
    async with served_site(tmp_path) as served:
        await kept(served, "David plays the flute")
        yield served


async def confirmed(site: ServedSite, token: str) -> int:
    """How a confirmation is answered."""
    return (await site.client.post(CONFIRM, json={"token": token})).status_code


async def test_what_was_shown_is_forgotten_by_its_token_once(site: ServedSite) -> None:
    """Nothing before; the second time there is nothing to confirm."""
    asked = await posted(site, ASK, {"topic": "flute"})
    assert [one["text"] for one in asked["samples"]] == ["David plays the flute"]
    assert await site.pet.contents() == ["David plays the flute"]
    assert await confirmed(site, asked["token"]) == MADE
    assert await site.pet.contents() == []
    assert await confirmed(site, asked["token"]) == CONFLICT


async def test_a_token_is_of_the_last_preview_and_grows_stale(site: ServedSite) -> None:
    """Another preview takes its place; after ten minutes it confirms nothing."""
    first = await posted(site, ASK, {"topic": "flute"})
    second = await posted(site, ASK, {"topic": "flute"})
    assert await confirmed(site, first["token"]) == CONFLICT
    site.pet.clock.advance(CONFIRM_WITHIN + timedelta(seconds=1))
    assert await confirmed(site, second["token"]) == CONFLICT
    assert [await confirmed(site, token) for token in ("", "x", "0000000g")] == [UNFIT] * 3
    assert await site.pet.contents() == ["David plays the flute"]


async def test_where_there_is_nothing_there_is_no_token(site: ServedSite) -> None:
    """And so nothing that could be confirmed."""
    asked = await posted(site, ASK, {"topic": "zeppelin"})
    assert (asked["counts"], asked["token"]) == ({}, "")


async def test_a_manager_confirms_what_a_manager_was_shown(site: ServedSite) -> None:
    """Of the community alone, also by the token of what its owner was shown."""
    await kept_in_guild(site, "David lends a flute")
    owned = await posted(site, ASK, {"topic": "flute"})
    as_manager(site)
    assert await confirmed(site, owned["token"]) == CONFLICT
    asked = await posted(site, ASK, {"topic": "flute"})
    assert [one["text"] for one in asked["samples"]] == ["David lends a flute"]
    assert await confirmed(site, asked["token"]) == MADE
    assert await site.pet.contents() == ["David plays the flute"]


async def test_the_audit_log_says_which_key_confirmed(tmp_path: Path) -> None:
    """As of a forgetting at once; asking takes the rights to read and to erase, confirming one."""
    async with guarded_site(tmp_path) as site:
        await site.pet.told("David plays the flute")
        browser, both = site.browser(), await site.key("read", "erase")
        for rights in ("read", "erase"):
            answer = await browser.post(
                ASK, json={"topic": "flute"}, headers=await site.key(rights)
            )
            assert answer.status_code == FORBIDDEN
        asked = (await browser.post(ASK, json={"topic": "flute"}, headers=both)).json()
        erases = await site.key("erase")
        done = await browser.post(CONFIRM, json={"token": asked["token"]}, headers=erases)
        assert [*done.json()] == ["id"]
        (entry, *_) = await site.pet.app.storage.audit.latest(1)
        assert (entry.action, entry.origin) == ("forgetting.confirmed", "key 4 from 127.0.0.1")
