"""The page Facts: by person, edited in place, added, forgotten, with what held before."""

import re
from collections.abc import AsyncIterator
from html import escape
from pathlib import Path

import pytest
from httpx2 import codes

from memory.storage.conversations.claims import Claims
from memory.upkeep.claim_pass import ClaimPass
from tests.web.remembering import HOSTILE, as_manager, kept, posted, spoken_to
from tests.web.served_site import ServedSite, served_site

PAGE = "/dashboard/facts"


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[ServedSite]:
    """A pet that knows where David lives."""
    async with served_site(tmp_path) as served:
        await spoken_to(served)
        await kept(served, "David lives in Lyon")
        yield served


def form_in(page: str) -> dict[str, str]:
    """The hidden fields of the first form that edits a fact."""
    _, _, rest = page.partition('action="/dashboard/facts/edit"')
    form, _, _ = rest.partition("</form>")
    return dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form))


async def test_a_fact_is_edited_in_its_row(site: ServedSite) -> None:
    """The value holds from now on; what it was is shown when asked for."""
    fields = form_in(await site.html(PAGE))
    answer = await site.client.post(f"{PAGE}/edit", data={**fields, "value": "Nantes"})
    page = await site.html(answer.headers["location"])
    assert "The fact is changed." in page
    assert 'value="Nantes"' in page
    assert "Lyon" not in page
    assert "<s>Lyon</s>" in await site.html(f"{PAGE}?history=1")


async def test_a_fact_that_was_changed_meanwhile_is_not_overwritten(site: ServedSite) -> None:
    """409 with its value now."""
    fields = form_in(await site.html(PAGE))
    await site.client.post(f"{PAGE}/edit", data={**fields, "value": "Nantes"})
    late = await site.client.post(f"{PAGE}/edit", data={**fields, "value": "Brest"})
    assert late.status_code == codes.CONFLICT
    assert "it is now: Nantes" in late.text
    assert "Brest" not in await site.html(PAGE)


async def test_a_fact_is_added_and_what_is_wrong_is_said(site: ServedSite) -> None:
    """With the words that were typed still there."""
    good = {"person": "Léa", "key": "Shoe size", "value": "39", "visibility": "space"}
    answer = await site.client.post(PAGE, data=good)
    page = await site.html(answer.headers["location"])
    assert "shoe_size" in page
    wrong = await site.client.post(PAGE, data={**good, "person": "Zed"})
    assert wrong.status_code == codes.UNPROCESSABLE_CONTENT
    assert 'value="Zed"' in wrong.text


async def test_a_fact_is_forgotten_by_the_preview_of_its_memory(site: ServedSite) -> None:
    """The button leads to what would go."""
    page = await site.html(PAGE)
    found = re.search(r'name="ids" value="([^"]+)"', page)
    assert found
    preview = await site.client.post(
        "/dashboard/memory/forgettings/preview", data={"ids": [found[1]]}
    )
    assert "1 core fact" in preview.text
    await site.client.post("/dashboard/memory/forgettings", data={"ids": [found[1]]})
    assert "No facts are known yet." in await site.html(PAGE)


async def test_hostile_values_are_shown_as_words(site: ServedSite) -> None:
    """In a field and in the heading of a person."""
    await posted(site, "/api/memory/facts", {"person": "David", "key": "motto", "value": HOSTILE})
    page = await site.html(PAGE)
    assert "<script>alert" not in page
    assert escape("<script>alert(1)</script>") in page


async def test_managers_do_not_have_the_page(site: ServedSite) -> None:
    """Facts are of people, not of a community."""
    as_manager(site)
    assert (await site.client.get(PAGE)).status_code == codes.FORBIDDEN


async def test_in_french(site: ServedSite) -> None:
    """All of the page."""
    page = await site.html(PAGE, "fr")
    assert "Un nouveau fait" in page
    assert "une personne" in page or "seule" in page


async def test_what_people_say_of_themselves_stands_below_the_facts(site: ServedSite) -> None:
    """As it was said, by slot, with the way to the person; names and words escaped."""
    await site.pet.hears("i live in Leeds & i love it here")
    await ClaimPass(Claims(site.pet.app.storage.database)).read_batch()
    page = await site.html(PAGE)
    french = await site.html(PAGE, "fr")
    assert "i live in Leeds &amp; i love it here" in page
    assert f'href="/dashboard/people/{await site.pet.person()}"' in page
    assert "Dans leurs propres mots" in french
    assert "<dt>logement</dt>" in french
