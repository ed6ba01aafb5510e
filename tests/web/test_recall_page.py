"""The page of recall: sliders that hold, their effect before saving, the log."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.surfaces.access.principal import owner
from bot.surfaces.operations import Operations
from memory.model.access import Right
from tests.cast import CORNER, DAVID
from tests.web.served_site import ServedSite, served_site

PAGE = "/dashboard/recall"
HOSTILE = "<script>alert('é')</script> \u202eflip 🦊 qui joue du violoncelle ?"


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[ServedSite]:
    """The site of a pet that was told something and asked about it."""
    async with served_site(tmp_path) as served:
        await served.pet.told("David joue du violoncelle", DAVID, CORNER)
        await Operations(served.pet.app).result(
            "ask", {"text": "qui joue du violoncelle ?", "name": "Léa", "room": "lobby"}
        )
        await served.pet.app.conversations.quiet()  # delivered, not only shown
        await served.pet.app.services.indexer.settle()
        yield served


async def test_a_slider_that_was_saved_holds_after_a_restart(tmp_path: Path) -> None:
    """The form leads back to the page, which shows what is in force and who changed it."""
    form = {"results": "8", "min_score": "0.65", "enabled": "on"}
    async with served_site(tmp_path) as before:
        answer = await before.client.post(PAGE, data=form)
        assert (answer.status_code, answer.headers["location"]) == (303, f"{PAGE}?done=saved")
    async with served_site(tmp_path) as after:
        page = await after.html(f"{PAGE}?done=saved")
        assert 'value="0.65" list="usual-min_score"' in page
        assert 'value="8" list="usual-results"' in page
        assert "session test" in page
        assert "Saved" in page
        tuning = after.pet.app.live_settings.current()
        assert (tuning.auto_retrieve_max_results, tuning.auto_retrieve_min_score) == (8, 0.65)
        assert tuning.auto_retrieve_enabled


async def test_a_box_that_is_not_checked_switches_it_off_until_it_is_reset(
    site: ServedSite,
) -> None:
    """Browsers do not send one at all."""
    await site.client.post(PAGE, data={"results": "20", "min_score": "0.5"})
    assert not site.pet.app.live_settings.current().auto_retrieve_enabled
    await site.client.post(f"{PAGE}/reset", data={"key": "auto_retrieve_enabled"})
    assert site.pet.app.live_settings.current().auto_retrieve_enabled


async def test_a_form_that_was_overtaken_changes_nothing(site: ServedSite) -> None:
    """Two owners had the page open; the second is told."""
    page = await site.html(PAGE)
    revision = page.split('name="revision" value="')[1].split('">')[0].replace("&#34;", '"')
    form = {"results": "9", "min_score": "0.5", "enabled": "on", "revision": revision}
    assert (await site.client.post(PAGE, data=form)).status_code == 303
    assert (await site.client.post(PAGE, data=form | {"results": "5"})).status_code == 412
    assert site.pet.app.live_settings.current().auto_retrieve_max_results == 9


async def test_the_usual_ranges_are_marked_on_the_sliders(site: ServedSite) -> None:
    """By a list of marks, and in words."""
    page = await site.html(PAGE)
    assert (
        '<datalist id="usual-min_score"><option value="0.3"></option><option value="0.8">' in page
    )
    assert "Usual are 0.3 to 0.8" in page


async def test_the_effect_is_shown_before_anything_is_saved(site: ServedSite) -> None:
    """What would be dropped is told line by line; nothing is changed, kept or counted."""
    asked = f"{PAGE}?effect=yes&results=20&min_score=1"
    before = await counts(site)
    page = await site.html(f"{asked}&enabled=on")
    assert "qui joue du violoncelle" in page
    assert await counts(site) == before
    off = await site.html(asked)
    assert "dropped" in off
    assert "David joue du violoncelle" in off
    assert site.pet.app.live_settings.current().auto_retrieve_enabled


async def counts(site: ServedSite) -> dict[str, int]:
    """How much is kept, logs included; the index follows by itself."""
    storage = site.pet.app.storage
    log = await storage.turn_records.latest(owner("test").caller.scope, 200)
    changes = await storage.audit.latest(100)
    return await storage.health.counts() | {
        "log": len(log),
        "changes": len(changes),
        "outbox": 0,
    }


async def test_a_wrong_value_is_refused_in_a_sentence(site: ServedSite) -> None:
    """For the form and for its trial alike."""
    answer = await site.client.post(PAGE, data={"results": "900", "min_score": "0.5"})
    assert answer.status_code == 422
    assert "whole number from 4 to 20" in answer.text
    assert (await site.client.get(f"{PAGE}?effect=yes&results=x")).status_code == 422


async def test_the_log_shows_what_was_asked_as_text(site: ServedSite) -> None:
    """Whatever was asked, escaped; in French too, by the page."""
    await Operations(site.pet.app).result("ask", {"text": HOSTILE, "name": "<b>Léa</b>"})
    page = await site.html(PAGE, "fr")
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page
    assert "Ce qui a été cherché" in page


async def test_a_reader_without_the_right_to_write_saves_nothing(site: ServedSite) -> None:
    """The page is there, the change is not."""
    site.given.principal = owner("key", frozenset({Right.READ}))
    await site.html(PAGE)
    answer = await site.client.post(PAGE, data={"results": "9", "min_score": "0.5"})
    assert answer.status_code == 403
