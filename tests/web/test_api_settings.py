"""Settings of recall over the API: typed, all or none, by revision, and for good."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.surfaces.access.principal import owner
from memory.model.access import Right
from tests.web.served_site import ServedSite, served_site

SETTINGS = "/api/memory/settings"


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[ServedSite]:
    """The site of a new pet."""
    async with served_site(tmp_path) as served:
        yield served


async def value_of(site: ServedSite, key: str) -> object:
    """A setting as the API shows it."""
    shown = (await site.client.get(SETTINGS)).json()["settings"]
    return next(one for one in shown if one["key"] == key)["value"]


async def test_values_are_typed_and_changed_in_one_go(site: ServedSite) -> None:
    """A number is a number, a list a list; what is in force follows at once."""
    wishes = {
        "auto_retrieve_max_results": 7,
        "auto_retrieve_min_score": 0.35,
        "auto_retrieve_enabled": False,
        "obsidian_context_notes": ["a, b.md", "c.md"],
        "ttl_default_preference": "7d",
    }
    answer = await site.client.patch(SETTINGS, json=wishes)
    assert answer.status_code == 200
    for key, value in wishes.items():
        assert await value_of(site, key) == value
    tuning = site.pet.app.live_settings.current()
    assert tuning.auto_retrieve_max_results == 7
    assert tuning.obsidian_context_notes == ("a, b.md", "c.md")


@pytest.mark.parametrize(
    "wrong",
    [
        {"auto_retrieve_max_results": 10, "auto_retrieve_min_score": 3},
        {"auto_retrieve_max_results": 10, "no_such_setting": 1},
        {"auto_retrieve_max_results": 10, "obsidian_context_notes": ["../secret.md"]},
        {},
        {"auto_retrieve_max_results": {"a": 1}},
    ],
)
async def test_a_wrong_change_changes_nothing(site: ServedSite, wrong: dict[str, object]) -> None:
    """One wrong value of several refuses them all, with a sentence."""
    answer = await site.client.patch(SETTINGS, json=wrong)
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["detail"]
    assert await value_of(site, "auto_retrieve_max_results") == 20


async def test_a_change_for_a_stale_revision_is_refused_with_what_is_now(site: ServedSite) -> None:
    """Of two owners who edit the same page the second is told what the first has done."""
    seen = (await site.client.get(SETTINGS)).headers["etag"]
    first = await site.client.patch(
        SETTINGS, json={"auto_retrieve_max_results": 9}, headers={"if-match": seen}
    )
    assert first.status_code == 200
    second = await site.client.patch(
        SETTINGS, json={"auto_retrieve_max_results": 5}, headers={"if-match": seen}
    )
    assert second.status_code == 412
    told = second.json()["current"]["settings"]
    assert next(one for one in told if one["key"] == "auto_retrieve_max_results")["value"] == 9
    assert await value_of(site, "auto_retrieve_max_results") == 9
    third = await site.client.patch(
        SETTINGS,
        json={"auto_retrieve_max_results": 5},
        headers={"if-match": first.headers["etag"]},
    )
    assert third.status_code == 200


async def test_a_change_is_in_the_audit_log_by_its_session(site: ServedSite) -> None:
    """With who, what it was and what it is; null takes it back, which is logged too."""
    await site.client.patch(SETTINGS, json={"auto_retrieve_max_results": 9})
    await site.client.patch(SETTINGS, json={"auto_retrieve_max_results": None})
    entries = (await site.client.get("/api/audit")).json()["items"]
    assert [one["action"] for one in entries] == ["setting.reset", "setting.changed"]
    assert entries[1]["detail"] == "20 -> 9"
    assert (entries[1]["actor"], entries[1]["origin"]) == ("operator", "session test")
    assert await value_of(site, "auto_retrieve_max_results") == 20


async def test_a_change_holds_after_a_restart(tmp_path: Path) -> None:
    """What was moved by a slider is in force in the next process too."""
    async with served_site(tmp_path) as before:
        await before.client.patch(SETTINGS, json={"auto_retrieve_min_score": 0.65})
    async with served_site(tmp_path) as after:
        assert await value_of(after, "auto_retrieve_min_score") == 0.65
        assert after.pet.app.live_settings.current().auto_retrieve_min_score == 0.65


async def test_a_key_that_may_only_read_changes_nothing(site: ServedSite) -> None:
    """Nor does a stranger read."""
    site.given.principal = owner("key reader", frozenset({Right.READ}))
    answer = await site.client.patch(SETTINGS, json={"auto_retrieve_max_results": 9})
    assert answer.status_code == 403
    site.given.principal = None
    assert (await site.client.get(SETTINGS)).status_code == 401
