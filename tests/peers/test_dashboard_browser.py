"""Every page of the dashboard in a real browser, in both schemes, on a phone and in French."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, BrowserContext, Page, expect

from bot.surfaces.pages.navigation import SECTIONS
from tests.peers.chromium import chromium
from tests.peers.daemon import Daemon
from tests.peers.test_page_people import pet
from tests.web.browsing import NEEDS_CHROMIUM

pytestmark = NEEDS_CHROMIUM

LOOKS: dict[str, dict[str, Any]] = {
    "light": {"locale": "en-GB", "color_scheme": "light"},
    "dark": {"locale": "en-GB", "color_scheme": "dark"},
    "phone": {"locale": "en-GB", "viewport": {"width": 360, "height": 740}},
    "french": {"locale": "fr-FR", "color_scheme": "dark"},
}
"""How a page may be looked at."""

HOSTILE = "<img src=x onerror=document.title='owned'> & <script>document.title='owned'</script>"


@dataclass
class Watched:
    """A page with what went wrong on it: errors of its console, and requests elsewhere."""

    page: Page
    host: str
    faults: list[str] = field(default_factory=list)

    def watch(self) -> None:
        """Begin to note faults."""
        self.page.on(
            "console",
            lambda said: self.faults.append(said.text) if said.type == "error" else None,
        )
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on(
            "request",
            lambda asked: (
                None
                if urlsplit(asked.url).netloc in {self.host, ""}
                else self.faults.append(f"asked {asked.url}")
            ),
        )


async def told(daemon: Daemon) -> None:
    """Have the pet told things, some of them hostile."""
    for text, kind in (("David lives in Lyon", "fact"), (HOSTILE, "fact")):
        await daemon.does("remember", text=text, about=["David"], memory_type=kind)
    await daemon.does("ask", text="where does David live?", name="mickael")
    await daemon.does("ask", text=f"my name is {HOSTILE[:40]}", name="mallory")


async def logged_in(context: BrowserContext, daemon: Daemon, address: str) -> Watched:
    """A page of the owner, who came by a link that is good once."""
    link = (await daemon.does("login"))["result"]["link"]
    page = await context.new_page()
    watched = Watched(page, urlsplit(address).netloc)
    watched.watch()
    await page.goto(link)
    await page.locator("main form button").first.click()
    await page.wait_for_url("**/dashboard")
    return watched


@asynccontextmanager
async def owner_looks(data: Path, look: str) -> AsyncIterator[tuple[Daemon, Watched]]:
    """The dashboard of a pet that knows something, as the owner looks at it."""
    browser: Browser
    async with pet(data) as (daemon, address), chromium() as browser:
        await told(daemon)
        context = await browser.new_context(**LOOKS[look])
        yield daemon, await logged_in(context, daemon, address)


@pytest.mark.parametrize("look", LOOKS)
async def test_every_page_can_be_read_by_everybody(tmp_path: Path, look: str) -> None:
    """No fault in the console, no request elsewhere, nothing serious for axe, not too wide."""
    async with owner_looks(tmp_path / "data", look) as (_, watched):
        page = watched.page
        for entry in SECTIONS:
            await page.goto(f"http://{watched.host}{entry.path}")
            await expect(page.locator("h1")).to_have_count(1)
            found = (await Axe().run(page)).response["violations"]
            serious = [one["id"] for one in found if one["impact"] in {"serious", "critical"}]
            assert serious == [], (
                entry.path,
                [node["html"] for one in found for node in one["nodes"]],
            )
            wide = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0, f"{entry.path} is {wide} px too wide"
            assert await page.title() != "owned"
        assert watched.faults == []
