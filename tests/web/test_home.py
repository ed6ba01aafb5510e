"""The first page: what was learnt, what was asked in vain, what waits, how the pet is."""

import re
from datetime import timedelta
from pathlib import Path

import httpx2
import pytest

from bot.surfaces.access.principal import manager
from bot.surfaces.operations import Operations
from memory.model.rooms import SpaceId
from tests.cast import LEA, LOBBY
from tests.web.remembering import kept_twice
from tests.web.served_site import served_site

HOSTILE = "<script>alert(1)</script> \u202eדוד 🙂"


async def test_what_was_learnt_today_is_shown_by_source(tmp_path: Path) -> None:
    """With who said it; what was learnt the day before is not of today."""
    async with served_site(tmp_path) as site:
        await site.pet.told("David plays the cello")
        site.pet.clock.advance(timedelta(days=1))
        await site.pet.told("Léa collects compasses", LEA)
        page = await site.html("/dashboard")
    assert "Léa collects compasses" in page
    assert "cello" not in page


async def test_hostile_words_are_shown_as_words(tmp_path: Path) -> None:
    """Script is escaped, and long words are cut."""
    async with served_site(tmp_path) as site:
        await site.pet.told(f"Léa says {HOSTILE}", LEA)
        await site.pet.told("x" * 100_000, LEA)
        page = await site.html("/dashboard")
    assert "&lt;script&gt;alert(1)" in page
    assert "<script>alert" not in page
    assert len(page) < 20_000


async def test_a_question_that_found_nothing_is_listed(tmp_path: Path) -> None:
    """With the way to why; what is no question, or was answered, is not."""
    async with served_site(tmp_path) as site:
        await site.pet.told("David plays the cello", where=LOBBY)
        for text in ("who painted the red submarine?", "good morning"):
            await Operations(site.pet.app).result("ask", {"text": text, "name": "Zoé"})
        page = await site.html("/dashboard")
    assert "who painted the red submarine?" in page
    assert "good morning" not in page
    assert 'href="/dashboard/conversations/' in page


async def test_a_question_that_was_answered_is_not_listed(tmp_path: Path) -> None:
    """From what stands before the pet already, or by the clock: nothing is injected for either."""
    async with served_site(tmp_path) as site:
        said = ("Anna lives in Lyon since May.", "Where does Anna live?", "What time is it?")
        for text in said:
            await Operations(site.pet.app).result("ask", {"text": text, "name": "Zoé"})
        again = {"text": "Where does Anna live?", "name": "Zoé"}
        answered = await Operations(site.pet.app).result("ask", again)
        page = await site.html("/dashboard")
    assert "Lyon" in answered["reply"]
    assert "It found something for every question lately." in page


async def test_the_first_question_of_somebody_is_listed_if_it_found_nothing(tmp_path: Path) -> None:
    """Though the pet says below its answer that it has no model; then no tokens are told."""
    async with served_site(tmp_path) as site:
        await site.pet.told("David plays the cello", where=LOBBY)
        asked = {"text": "where does Maya live?", "name": "Zoé"}
        await Operations(site.pet.app).result("ask", asked)
        page = await site.html("/dashboard")
    assert "where does Maya live?" in page
    assert "No language model is asked, so nothing is paid." in page
    assert "tokens" not in page


async def test_health_is_looked_at_when_asked_and_kept_for_a_minute(tmp_path: Path) -> None:
    """The first page offers to look, and shows what was found until it is a minute old."""
    async with served_site(tmp_path) as site:
        before = await site.html("/dashboard")
        parts = await site.html("/dashboard/health")
        during = await site.html("/dashboard")
        site.pet.clock.advance(timedelta(seconds=61))
        after = await site.html("/dashboard")
        french = await site.html("/dashboard/health", "fr")
    assert "base de données" in french.lower()
    assert 'data-fill="/dashboard/health?part=1"' in before
    assert "database" in parts
    assert "data-fill" not in during
    assert "data-fill" in after


async def test_lines_that_were_set_aside_wait_for_the_owner(tmp_path: Path) -> None:
    """And how much is live, with when the next digest is due."""
    async with served_site(tmp_path) as site:
        await site.pet.hears("Léa moved to Lyon")
        page = await site.html("/dashboard")
        french = await site.html("/dashboard", "fr")
    assert "1 line is live" in page
    assert "data-countdown=" in page
    assert "1 ligne en direct" in french


async def test_a_manager_has_no_first_page(tmp_path: Path) -> None:
    """It tells of everybody's."""
    async with served_site(tmp_path) as site:
        site.given.principal = manager("session manager", SpaceId("guild"))
        answer = await site.client.get("/dashboard")
    assert answer.status_code == httpx2.codes.FORBIDDEN


@pytest.mark.parametrize(
    ("path", "section"),
    [
        ("/dashboard", "/dashboard"),
        ("/dashboard/health", "/dashboard"),
        ("/dashboard/memory", "/dashboard/memory"),
        ("/dashboard/memory/proposals", "/dashboard/memory"),
        ("/dashboard/ask", "/dashboard/conversations"),
    ],
)
async def test_the_menu_marks_the_section_of_a_page(
    tmp_path: Path, path: str, section: str
) -> None:
    """One alone, of a page below it too; the first page has none below."""
    async with served_site(tmp_path) as site:
        page = await site.html(path)
    menu = page.partition("<nav")[2].partition("</nav>")[0]
    assert re.findall(r'href="([^"]+)" aria-current', menu) == [section]


async def test_what_is_kept_twice_leads_to_where_it_is_decided(tmp_path: Path) -> None:
    """The sentence is a link."""
    async with served_site(tmp_path) as site:
        await kept_twice(site)
        page = await site.html("/dashboard")
    assert '<a href="/dashboard/memory/proposals">1 pair of memories' in page


async def test_moments_are_told_to_the_minute(tmp_path: Path) -> None:
    """Seconds tell nobody anything."""
    async with served_site(tmp_path) as site:
        page = await site.html("/dashboard", "fr")
    assert re.search(r">\d+ \w+\.? \d{4}, \d\d:\d\d<", page)
    assert not re.search(r">[^<]*\d:\d\d:\d\d", page)
