"""The page of costs: figures by every division, charts without script, caps."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from xml.etree import ElementTree as ET

import httpx2
import pytest
from fastapi import FastAPI
from pydantic import SecretStr

from bot.surfaces.operations import Operations
from bot.surfaces.parts import WebParts
from bot.web.site import add_dashboard
from bot.wiring.app import open_app
from config.sections.model import ModelSettings
from config.sections.vectors import EmbedderSettings
from config.settings import Settings
from memory.model.ledger import ModelCall
from memory.model.people import PersonId
from tests.cast import CORNER, DAVID, room_of
from tests.web.served_site import GivenPrincipal, ServedSite, served_site

PAGE = "/dashboard/costs"


def a_call(person: PersonId, more: int = 0) -> ModelCall:
    """A call for a person in the corner."""
    return ModelCall(
        purpose="turn",
        model="<i>model</i>",
        outcome="end",
        person=person,
        space=None,
        room=room_of(CORNER).id,
        answers=1,
        input=1000 + more,
        output=200,
        cache_read=5000,
        cache_write=300,
        injected=150,
        estimated=1300,
        cost=12_000_000,
        took_ms=900.0,
    )


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[ServedSite]:
    """The site of a pet that has asked models."""
    async with served_site(tmp_path) as served:
        person = await served.pet.person(DAVID)
        await served.pet.app.register.keep(room_of(CORNER))
        for day in range(3):
            await served.pet.app.storage.ledger.record(a_call(person, day))
            served.pet.clock.advance(timedelta(days=1))
        yield served


async def calls_of(site: ServedSite, days: int) -> object:
    """How many calls the API tells of some days."""
    answer = await site.client.get("/api/usage", params={"days": days})
    return answer.json()["total"]["calls"]


async def test_the_ledger_is_added_up_once_a_minute(site: ServedSite) -> None:
    """So that the page and its charts walk it once together, each span for itself."""
    before = await calls_of(site, 7)
    await site.pet.app.storage.ledger.record(a_call(await site.pet.person(DAVID)))
    assert (before, await calls_of(site, 7), await calls_of(site, 8)) == (3, 3, 4)
    site.pet.clock.advance(timedelta(seconds=61))
    assert await calls_of(site, 7) == 4


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


async def test_a_pet_without_a_model_draws_no_chart(tmp_path: Path) -> None:
    """It says that it answered by rules."""
    async with served_site(tmp_path) as served:
        asked = {"text": "where does Maya live?", "name": "Zoé"}
        await Operations(served.pet.app).result("ask", asked)
        page = await served.html(PAGE)
    assert "answered by rules, which costs nothing" in page
    assert "The caps in [budget] of the settings hold once one is." in page
    assert "<img" not in page
    assert "<table" not in page


async def test_what_is_used_stands_against_the_caps(tmp_path: Path) -> None:
    """Each cap has its meter; what each person may have is told in words."""
    settings = Settings(
        data_dir=tmp_path,
        embedder=EmbedderSettings(kind="none"),
        model=ModelSettings(api_key=SecretStr("sk-nothing-of-worth")),
    )
    async with open_app(settings) as app:
        site = FastAPI()
        add_dashboard(site, WebParts(app=app), GivenPrincipal())
        transport = httpx2.ASGITransport(site)
        async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as client:
            page = (await client.get(PAGE)).text
    assert "all in all: 0 of 10,000,000 tokens" in page
    assert "<meter " in page
    assert "Each person has" in page


@pytest.mark.parametrize("width", ["", "&narrow=yes"])
async def test_labels_of_a_chart_are_whole(site: ServedSite, width: str) -> None:
    """On a phone there are fewer of them, and its letters are as large."""
    drawn = (await site.client.get(f"/dashboard/charts/days.svg?days=30{width}")).text
    assert "01-17" in drawn
    assert ("0 0 420 340" in drawn) is bool(width)
