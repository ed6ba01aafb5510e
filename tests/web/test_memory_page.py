"""The pages on memory: searched, filtered, corrected, forgotten and undone without a script."""

import re
from collections.abc import AsyncIterator
from datetime import timedelta
from html import escape
from pathlib import Path
from typing import Any

import httpx2
import pytest
from httpx2 import codes

from memory.model.statements import MemoryType
from tests.web.remembering import (
    HOSTILE,
    UNKNOWN,
    as_manager,
    kept,
    kept_in_guild,
    kept_of_lea,
    kept_twice,
    spoken_to,
)
from tests.web.served_site import ServedSite, served_site

_REVISION = re.compile(r'name="revision" value="([^"]+)"')
PAGE = "/dashboard/memory"


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[ServedSite]:
    """A pet whose owner asks."""
    async with served_site(tmp_path) as served:
        await spoken_to(served)
        yield served


async def sent(site: ServedSite, path: str, **form: Any) -> httpx2.Response:
    """What a form is answered, without following where it leads."""
    return await site.client.post(path, data=form)


async def followed(site: ServedSite, path: str, **form: Any) -> str:
    """The page that a form leads to."""
    answer = await sent(site, path, **form)
    assert answer.status_code == codes.SEE_OTHER, answer.text
    return await site.html(answer.headers["location"])


def revision_in(page: str) -> str:
    """The revision that the form of a page is for."""
    found = _REVISION.search(page)
    assert found
    return found[1].replace("&#34;", '"')


async def test_the_latest_are_listed_and_older_ones_a_page_further(site: ServedSite) -> None:
    """With who said them; the link leads on to the rest."""
    for n in range(35):
        await kept(site, f"David counted bird {n:02}")
        site.pet.clock.advance(timedelta(minutes=1))
    first = await site.html(PAGE)
    link = re.search(r'href="(/dashboard/memory\?cursor=[^"]+)"', first)
    assert link
    second = await site.html(link[1])
    assert "bird 34" in first
    assert "bird 04" not in first
    assert "bird 04" in second


async def test_a_search_with_filters_finds_what_they_leave(site: ServedSite) -> None:
    """By words, with its score; the form keeps what was asked."""
    await kept(site, "David plays the flute", memory_type=MemoryType.PREFERENCE)
    await kept_of_lea(site, "Léa plays the flute")
    page = await site.html(f"{PAGE}?q=flute&mode=hybrid&who=David&kind=preference")
    assert "David plays the flute" in page
    assert "Léa plays" not in page
    assert 'value="flute"' in page
    assert "fits " in page


@pytest.mark.parametrize("query", ["who=Zed", "as_of=2026-13-45", "q=x&mode=semantic", "from=x"])
async def test_what_cannot_be_looked_for_is_said_on_the_page(site: ServedSite, query: str) -> None:
    """With the form as it was, to be put right."""
    answer = await site.client.get(f"{PAGE}?{query}")
    assert answer.status_code == codes.UNPROCESSABLE_CONTENT
    assert 'role="alert"' in answer.text
    assert 'id="search"' in answer.text


async def test_as_of_a_day_shows_what_held_then(site: ServedSite) -> None:
    """The corrected one is there on the day before, and not today."""
    id_ = await kept(site, "David plays the flute")
    site.pet.clock.advance(timedelta(days=3))
    await followed(site, f"{PAGE}/{id_}", content="David plays the oboe")
    then, now = await site.html(f"{PAGE}?as_of=2026-01-18"), await site.html(PAGE)
    assert ("flute" in then, "oboe" in then) == (True, False)
    assert ("flute" in now, "oboe" in now) == (False, True)


async def test_a_correction_leads_to_the_new_one_with_its_history(site: ServedSite) -> None:
    """Both are there, the old one as what it was."""
    id_ = await kept(site, "David plays the flute")
    page = await site.html(f"{PAGE}/{id_}")
    form = {"content": "David plays the oboe", "revision": revision_in(page)}
    shown = await followed(site, f"{PAGE}/{id_}", **form)
    assert "It is put right." in shown
    assert "David plays the oboe" in shown
    assert "David plays the flute" in shown


async def test_of_two_owners_the_second_sees_what_it_is_now(site: ServedSite) -> None:
    """412 with another revision, 409 once it was replaced: what it is now, and a way there."""
    id_ = await kept(site, "David plays the flute")
    stale = await sent(site, f"{PAGE}/{id_}", content="David sings", revision='"0"')
    assert stale.status_code == codes.PRECONDITION_FAILED
    assert "David sings" in stale.text
    assert "David plays the flute" in stale.text
    await followed(site, f"{PAGE}/{id_}", content="David plays the oboe")
    late = await sent(site, f"{PAGE}/{id_}", content="David dances")
    assert late.status_code == codes.CONFLICT
    assert "David plays the oboe" in late.text


async def test_what_is_chosen_is_previewed_forgotten_and_undone(site: ServedSite) -> None:
    """Several at once; the receipt has a button that gives them back."""
    ids = [await kept(site, f"David plays the {what}") for what in ("flute", "tuba")]
    stays = await kept(site, "David bakes bread")
    shown = await sent(site, f"{PAGE}/forgettings/preview", ids=ids)
    assert "David plays the tuba" in shown.text
    assert "2 memories" in shown.text
    receipt = await followed(site, f"{PAGE}/forgettings", ids=ids)
    undo = re.search(r'action="([^"]+/undo)"', receipt)
    assert undo
    assert "tuba" not in receipt
    gone = await site.html(PAGE)
    assert "tuba" not in gone
    assert stays in gone
    assert "It is back." in await followed(site, undo[1])
    assert "tuba" in await site.html(PAGE)
    again = await followed(site, undo[1])
    assert "cannot be undone" in again


async def test_what_was_forgotten_meanwhile_is_neither_shown_nor_edited(site: ServedSite) -> None:
    """Its page says so, without a word of it; unknown ones are not found."""
    id_ = await kept(site, "David plays the flute")
    await followed(site, f"{PAGE}/forgettings", ids=[id_])
    shown = await site.client.get(f"{PAGE}/{id_}")
    late = await sent(site, f"{PAGE}/{id_}", content="David sings")
    assert (shown.status_code, late.status_code) == (404, 409)
    assert "flute" not in shown.text + late.text
    assert "It was forgotten" in late.text
    assert (await site.client.get(f"{PAGE}/{UNKNOWN}")).status_code == codes.NOT_FOUND


async def test_nothing_chosen_is_no_error(site: ServedSite) -> None:
    """A sentence, and nothing is forgotten."""
    page = await followed(site, f"{PAGE}/forgettings/preview")
    assert "nothing of the kind to forget" in page


async def test_something_is_written_down(site: ServedSite) -> None:
    """As a memory, or as what the pet wants; what is wrong is said with the words kept."""
    page = await followed(site, PAGE, content="The cellar is damp", sort="fact")
    assert "It is kept." in page
    wish = await followed(site, PAGE, content="Eko wants to see", sort="goals.capability_request")
    assert "what I want" in wish
    wrong = await sent(site, PAGE, content="A secret", sort="fact", person="Zed")
    assert wrong.status_code == codes.UNPROCESSABLE_CONTENT
    assert "A secret" in wrong.text


async def test_hostile_words_are_shown_as_words(site: ServedSite) -> None:
    """On every page that shows them."""
    id_ = await kept(site, HOSTILE, said_by="<b>David</b>")
    preview = await sent(site, f"{PAGE}/forgettings/preview", ids=[id_])
    for page in (await site.html(PAGE), await site.html(f"{PAGE}/{id_}"), preview.text):
        assert "<script>alert" not in page
        assert "<b>David" not in page
        assert escape("<script>alert(1)</script>") in page


async def test_proposals_are_shown_side_by_side_and_decided(site: ServedSite) -> None:
    """Joined, kept both, or all at once after a preview."""
    ids = await kept_twice(site)
    page = await site.html(f"{PAGE}/proposals")
    assert all(id_ in page for id_ in ids)
    accept = re.search(r'action="([^"]+/accept)"', page)
    assert accept
    preview = await site.html(f"{PAGE}/proposals/all")
    number = re.search(r'name="proposals" value="(\d+)"', preview)
    assert number
    assert "1 memory would end" in preview
    done = await followed(site, f"{PAGE}/proposals/all", proposals=number[1])
    assert "They are joined." in done
    late = await followed(site, accept[1])
    assert "decided already" in late


async def test_a_manager_sees_the_communitys_part_and_nothing_to_edit(site: ServedSite) -> None:
    """No private row, no form of the owner's."""
    await kept(site, "David hides a flute")
    shared = await kept_in_guild(site, "David shows a flute")
    as_manager(site)
    page = await site.html(PAGE)
    one = await site.html(f"{PAGE}/{shared}")
    assert "shows a flute" in page
    assert "hides" not in page
    assert "Write something down" not in page
    assert "Put it right" not in one
    assert (await sent(site, f"{PAGE}/{shared}", content="x")).status_code == 403
    receipt = await followed(site, f"{PAGE}/forgettings", ids=[shared])
    assert "Receipt" in receipt
    assert "shows a flute" not in await site.html(PAGE)


async def test_in_french(site: ServedSite) -> None:
    """All of a page, its kinds and audiences too."""
    id_ = await kept(site, "David joue de la flûte")
    for path in (PAGE, f"{PAGE}/{id_}", f"{PAGE}/forgettings", f"{PAGE}/proposals"):
        page = await site.html(path, "fr")
        assert '<html lang="fr">' in page
        assert "Retour" in page or "Tout" in page
