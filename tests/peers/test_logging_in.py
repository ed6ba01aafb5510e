"""The daemon's dashboard in a real browser: in by the link of the first start, and out again."""

import re
from pathlib import Path

from playwright.async_api import Page, expect

from bot.lock import holder_of
from tests.peers.chromium import chromium
from tests.peers.daemon import Daemon, awake
from tests.web.browsing import NEEDS_CHROMIUM

SETTINGS = {"EKO_WEB__ENABLED": "true", "EKO_WEB__PORT": "0", "EKO_EMBEDDER__KIND": "none"}
LINK = re.compile(r"http://\S+/login#[\w-]+")
FORM = "The code of your link"

pytestmark = NEEDS_CHROMIUM


async def first_link(daemon: Daemon) -> str:
    """The link that a first start prints."""
    await daemon.has_written("/login#")
    found = LINK.search(daemon.output)
    assert found is not None
    return found[0]


async def is_at(page: Page, path: str) -> None:
    """Wait until a page of the dashboard is there."""
    await expect(page).to_have_url(re.compile(f"{re.escape(path)}$"))


async def test_the_owner_logs_in_by_the_link_of_the_first_start(tmp_path: Path) -> None:
    """With the keyboard alone; no script sees the session, and the address keeps no code."""
    data = tmp_path / "data"
    async with awake(data, SETTINGS) as daemon, chromium() as browser:
        link, context = await first_link(daemon), await browser.new_context(locale="en-GB")
        page, said = await context.new_page(), list[str]()
        page.on("console", lambda message: said.append(message.text))
        await page.goto(link.replace("/login#", "/login?next=/dashboard/access#"))
        await expect(page.get_by_label(FORM)).to_have_value(link.partition("#")[2])
        assert "#" not in page.url
        await page.keyboard.press("Enter")
        await is_at(page, "/dashboard/access")
        await expect(page.get_by_text("this one")).to_be_visible()
        assert await page.evaluate("document.cookie") == ""
        await page.get_by_role("button", name="Log out", exact=True).click()
        await is_at(page, "/login")
        await page.goto(f"{link.partition('/login')[0]}/dashboard/access")
        await is_at(page, "/login?next=/dashboard/access")
        assert said == []
    async with awake(data, SETTINGS) as again:
        await again.interrupted()
        assert "/login#" not in again.output


async def test_one_logs_in_without_javascript(tmp_path: Path) -> None:
    """By pasting the code; a wrong one is told as such."""
    async with awake(tmp_path / "data", SETTINGS) as daemon, chromium() as browser:
        holder = holder_of(tmp_path / "data")
        assert holder is not None
        context = await browser.new_context(locale="en-GB", java_script_enabled=False)
        page = await context.new_page()
        await page.goto(f"{holder.page}/dashboard/access")
        await page.get_by_label(FORM).fill("wrong")
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("alert")).to_contain_text("I do not know this link")
        code = (await daemon.does("login"))["result"]["code"]
        await page.get_by_label(FORM).fill(code)
        await page.keyboard.press("Enter")
        await is_at(page, "/dashboard/access")


async def test_an_open_page_says_at_start_that_it_wants_tls(tmp_path: Path) -> None:
    """And prints no link that would be refused."""
    settings = {**SETTINGS, "EKO_WEB__HOST": "0.0.0.0"}  # noqa: S104 - the test is about it
    async with awake(tmp_path / "data", settings) as daemon:
        await daemon.has_written("HTTPS alone")
        checks = (await daemon.does("doctor"))["result"]["checks"]
        (told,) = [one for one in checks if one["name"] == "dashboard"]
        assert told["status"] == "note"
        assert "no TLS in front" in told["detail"]
        await daemon.interrupted()
        assert "/login#" not in daemon.output
