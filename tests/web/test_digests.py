"""The pages of digests: what is live, the button, and what became of each line."""

from datetime import timedelta
from pathlib import Path

import httpx2
import pytest
from starlette.requests import Request

from bot.surfaces.access.principal import owner
from bot.surfaces.operations import Operations
from bot.surfaces.pages.rendering import Renderer
from bot.surfaces.parts import WebParts
from bot.topics.digests import page as digest_page
from memory.model.access import Right
from memory.model.digests import LiveRow
from tests.cast import DAVID, LEA
from tests.web.served_site import OWNER, ServedSite, served_site


async def heard(site: ServedSite) -> None:
    """Two lines of the lobby, of which one tells something."""
    await site.pet.hears("Léa moved to Lyon last week", LEA)
    await site.pet.hears("hmm hmm", DAVID)


async def the_ledger(site: ServedSite) -> str:
    """The page of the last digest."""
    page = await site.html("/dashboard/digests")
    digest = page.partition('href="/dashboard/digests/')[2].partition('"')[0]
    return await site.html(f"/dashboard/digests/{digest}")


async def set_aside(site: ServedSite) -> None:
    """A digest that could not read what is live."""
    digests = site.pet.app.storage.digests
    begun = await digests.claim(None, lambda rows: [list[LiveRow](rows)], await digests.latest())
    assert begun is not None
    (chunk,) = await digests.open_chunks(begun.id)
    assert await digests.failed(chunk, "no form in <what> was said", 1)
    await digests.finish(begun.id)


async def test_what_is_live_is_listed_until_it_is_digested(tmp_path: Path) -> None:
    """With who said it; the button reads it, and the page goes back to itself."""
    async with served_site(tmp_path) as site:
        await heard(site)
        before = await site.html("/dashboard/digests")
        begun = await site.client.post("/dashboard/digests")
        after = await site.html("/dashboard/digests")
        learnt = await site.pet.contents()
    assert "Léa moved to Lyon last week" in before
    assert (begun.status_code, begun.headers["location"]) == (
        httpx2.codes.SEE_OTHER, "/dashboard/digests?done=begun",
    )  # fmt: skip
    assert "Nothing is live." in after
    assert any("moved to Lyon" in one for one in learnt)


async def test_a_ledger_shows_each_line_with_its_memory_or_why_not(tmp_path: Path) -> None:
    """The way to the memory stands beside it."""
    async with served_site(tmp_path) as site:
        await heard(site)
        await site.client.post("/dashboard/digests")
        page = await the_ledger(site)
    line, _, rest = page.partition("Léa moved to Lyon last week")[2].partition("hmm hmm")
    assert 'href="/dashboard/brain/graph/' in line
    assert "Nothing to keep in it." in rest
    assert "Lines read: 2. Memories that came of them: 1." in page


async def test_what_was_forgotten_since_is_in_no_ledger(tmp_path: Path) -> None:
    """Neither the line nor what was learnt of it; only that it is gone."""
    async with served_site(tmp_path) as site:
        await heard(site)
        await site.client.post("/dashboard/digests")
        selection = {"person": await site.pet.person(LEA), "confirmed": True}
        await Operations(site.pet.app).result("forget", selection)
        page = await the_ledger(site)
    assert "Lyon" not in page
    assert "taken back or forgotten since" in page
    assert "forgotten since</span>" in page


async def test_what_was_set_aside_is_taken_back(tmp_path: Path) -> None:
    """The ledger says why it was; the button reads it again."""
    async with served_site(tmp_path) as site:
        await heard(site)
        await set_aside(site)
        page, ledger = await site.html("/dashboard/digests"), await the_ledger(site)
        await site.client.post("/dashboard/digests", data={"retry": "true"})
        learnt, live = await site.pet.contents(), await site.pet.app.storage.digests.live()
    assert "1 stretch set aside" in page
    assert "no form in &lt;what&gt; was said" in ledger
    assert "It could not be read, and was set aside." in ledger
    assert any("moved to Lyon" in one for one in learnt)
    assert live.quarantined == 0


async def test_hostile_lines_are_shown_as_words(tmp_path: Path) -> None:
    """While they are live, and in the ledger."""
    async with served_site(tmp_path) as site:
        await site.pet.hears("<script>alert(1)</script> " + "y" * 3_000)
        live = await site.html("/dashboard/digests")
        await site.client.post("/dashboard/digests")
        ledger = await the_ledger(site)
    for page in (live, ledger):
        assert "&lt;script&gt;alert(1)" in page
        assert "<script>alert" not in page
        assert "y" * 1_000 not in page


async def test_live_lines_go_on_page_by_page(tmp_path: Path) -> None:
    """Oldest first, none twice."""
    async with served_site(tmp_path) as site:
        for number in range(53):
            site.pet.clock.advance(timedelta(minutes=1))
            await site.pet.hears(f"line number {number:02}")
        first = await site.html("/dashboard/digests")
        later = first.rpartition("?live_after=")[2].partition("#")[0]
        second = await site.html(f"/dashboard/digests?live_after={later}")
    shown = [[n for n in range(53) if f"number {n:02}" in page] for page in (first, second)]
    assert shown == [list(range(50)), [50, 51, 52]]


async def test_the_stream_ends_when_no_digest_is_under_way(tmp_path: Path) -> None:
    """A page that was late to open it reloads once."""
    async with served_site(tmp_path) as site:
        answer = await site.client.get("/dashboard/digests/events")
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert answer.text == "event: done\ndata: done\n\n"


async def test_the_stream_tells_how_far_a_digest_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each time it is further, and then that it is done; no second one is begun meanwhile."""
    monkeypatch.setattr(digest_page, "LOOK_EVERY_S", 0)
    async with served_site(tmp_path) as site:
        request = Request({"type": "http", "app": _app_of(site), "headers": [], "path": "/"})
        stream = digest_page.progress(WebParts(app=site.pet.app), Renderer(request, OWNER))
        async with site.pet.app.services.digest._running:
            told = [await anext(stream)]
            await heard(site)
            digests = site.pet.app.storage.digests
            await digests.claim(None, lambda rows: [[one] for one in rows], await digests.latest())
            told.append(await anext(stream))
            shown = await site.html("/dashboard/digests")
            second = await site.client.post("/dashboard/digests")
        told += [event async for event in stream]
    assert [one.partition("\n")[0] for one in told] == [
        "event: progress", "event: progress", "event: done",
    ]  # fmt: skip
    assert "It is about to begin." in told[0]
    assert "Stretches read: 0 of 2" in told[1].replace("stretches", "Stretches")
    assert 'data-events="/dashboard/digests/events"' in shown
    assert second.headers["location"] == "/dashboard/digests?done=running"


async def test_a_digest_takes_the_right_to_administer(tmp_path: Path) -> None:
    """A key that may only read and write begins none."""
    async with served_site(tmp_path) as site:
        await heard(site)
        site.given.principal = owner("key", frozenset({Right.READ, Right.WRITE}))
        refused = await site.client.post("/dashboard/digests")
        live = await site.pet.app.storage.digests.live()
    assert refused.status_code == httpx2.codes.FORBIDDEN
    assert live.waiting == 2


async def test_an_unknown_digest_is_not_found(tmp_path: Path) -> None:
    """Whatever its id."""
    async with served_site(tmp_path) as site:
        answer = await site.client.get(f"/dashboard/digests/{'0' * 32}")
    assert answer.status_code == httpx2.codes.NOT_FOUND


def _app_of(site: ServedSite) -> object:
    """The application behind a site."""
    return site.client._transport.app  # type: ignore[attr-defined]
