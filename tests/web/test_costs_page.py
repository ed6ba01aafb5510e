"""The page of costs: figures by every division, charts without script, caps."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from memory.model.ledger import ModelCall
from tests.cast import CORNER, DAVID, room_of
from tests.web.served_site import ServedSite, served_site

PAGE = "/dashboard/costs"


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[ServedSite]:
    """The site of a pet that has asked models."""
    async with served_site(tmp_path) as served:
        person = await served.pet.person(DAVID)
        await served.pet.app.register.keep(room_of(CORNER))
        for day in range(3):
            call = ModelCall(
                purpose="turn",
                model="<i>model</i>",
                outcome="end",
                person=person,
                space=None,
                room=room_of(CORNER).id,
                answers=1,
                input=1000 + day,
                output=200,
                cache_read=5000,
                cache_write=300,
                injected=150,
                estimated=1300,
                cost=12_000_000,
                took_ms=900.0,
            )
            await served.pet.app.storage.ledger.record(call)
            served.pet.clock.advance(timedelta(days=1))
        yield served


async def test_every_division_has_its_figures(site: ServedSite) -> None:
    """Who, where, by which model, on which day; names escaped."""
    page = await site.html(PAGE)
    for told in ("David", "corner", "&lt;i&gt;model&lt;/i&gt;", "2026-01-18", "answers"):
        assert told in page
    assert "<i>model</i>" not in page
    assert "3,903" in page
    assert "15,000" in page


async def test_only_the_chosen_days_are_counted(site: ServedSite) -> None:
    """The last two days begin with the day before today."""
    usage = (await site.client.get("/api/usage", params={"days": 2})).json()
    assert [one["share"] for one in usage["by"]["day"]] == ["2026-01-19"]
    assert usage["total"]["input"] == 1002
    assert usage["by"]["room"][0]["name"] == "corner"
    assert usage["by"]["person"][0]["name"] == "David"


@pytest.mark.parametrize("name", ["days", "purposes"])
@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_a_chart_is_a_picture_and_nothing_else(
    site: ServedSite, name: str, theme: str
) -> None:
    """Well-formed, without script or anything of another host, with a policy of its own."""
    answer = await site.client.get(f"/dashboard/charts/{name}.svg", params={"theme": theme})
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.headers["content-security-policy"].startswith("default-src 'none';")
    root = ET.fromstring(answer.text)  # noqa: S314 - our own
    tags = {str(one.tag).rpartition("}")[2] for one in root.iter()}
    assert tags & {"script", "image", "foreignObject", "use"} == set()
    assert "rect" in tags
    assert "@import" not in answer.text
    assert "url(" not in answer.text


async def test_a_chart_that_is_none_is_refused(site: ServedSite) -> None:
    """So is one for a stranger."""
    assert (await site.client.get("/dashboard/charts/other.svg")).status_code == 422
    site.given.principal = None
    assert (await site.client.get("/dashboard/charts/days.svg")).status_code == 303


async def test_a_pet_that_used_nothing_says_so(tmp_path: Path) -> None:
    """In the language of its reader, on the page and in its charts."""
    async with served_site(tmp_path) as served:
        assert "Rien n&#39;a été utilisé" in await served.html(PAGE, "fr")
        await served.html("/dashboard/charts/days.svg")
