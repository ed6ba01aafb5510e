"""The page of the daemon in a real browser: who somebody is, and how they find their way back."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import BrowserContext, Locator, Page, expect

from bot.lock import holder_of
from tests.patience import PATIENCE_S
from tests.peers.chromium import chromium
from tests.peers.daemon import Daemon, awake
from tests.web.browsing import NEEDS_CHROMIUM

PAGE = {"EKO_WEB__ENABLED": "true", "EKO_WEB__PORT": "0", "EKO_COALESCING__DEBOUNCE_S": "0"}

pytestmark = NEEDS_CHROMIUM


@asynccontextmanager
async def pet(data: Path) -> AsyncIterator[tuple[Daemon, str]]:
    """A fresh pet, and the address of its page."""
    async with awake(data, PAGE) as daemon:
        holder = holder_of(data)
        assert holder is not None
        assert holder.page is not None
        yield daemon, holder.page


async def come_in(context: BrowserContext, address: str, name: str) -> Page:
    """Open the page for the first time and say a name."""
    context.set_default_timeout(PATIENCE_S * 1000)
    page = await context.new_page()
    await page.goto(address)
    await page.get_by_label("Your name").fill(name)
    await page.get_by_role("button", name="Come in").click()
    await expect(page.locator("html.live")).to_be_attached()
    return page


def private_box(page: Page) -> Locator:
    """The box of the private talk."""
    return page.get_by_label("Talk to Eko")


async def say_in_private(page: Page, text: str) -> None:
    """Say something, and see it stand there."""
    await private_box(page).fill(text)
    await private_box(page).press("Enter")
    await expect(page.get_by_role("region", name="Just us", exact=True)).to_contain_text(text)


async def is_with(page: Page, name: str, text: str) -> None:
    """The page knows who is there, and what they said in private."""
    await expect(page.get_by_role("link", name=f"Change your name, {name}")).to_be_visible()
    await expect(page.get_by_role("region", name="Just us", exact=True)).to_contain_text(text)


async def kept_link(page: Page) -> str:
    """The link that is shown once."""
    return (
        await page.get_by_label("Keep this to find your way back")
        .get_by_role("textbox")
        .input_value()
    )


async def follow(context: BrowserContext, link: str) -> Page:
    """Open a recovery link and say that it is oneself."""
    page = await context.new_page()
    await page.goto(link)
    await expect(page.get_by_label("The code of your link")).to_have_value(link.split("#")[1])
    assert page.url.endswith("/recover"), "the code does not stay in the address"
    await page.get_by_role("button", name="It is me").click()
    return page


async def test_a_visitor_finds_their_way_back(tmp_path: Path) -> None:
    """From the first visit on, over a reload, in another browser, and a second time not."""
    async with pet(tmp_path / "data") as (daemon, address), chromium() as browser:
        context = await browser.new_context(locale="en-GB")
        page = await come_in(context, address, "L\u00e9a")
        link = await kept_link(page)
        assert link.startswith(f"{address}/recover#")
        await say_in_private(page, "the key is under the third stone")
        await page.get_by_role("button", name="I have it").click()
        await is_with(page, "L\u00e9a", "third stone")
        await expect(page.get_by_label("Keep this to find your way back")).to_have_count(0)
        other = await follow(await browser.new_context(locale="en-GB"), link)
        await is_with(other, "L\u00e9a", "third stone")
        assert await kept_link(other) != link
        late = await follow(await browser.new_context(locale="en-GB"), link)
        await expect(late.get_by_role("alert")).to_contain_text("I do not know this link")
        given = await daemon.does("recovery_link", account="L\u00e9a")
        mended = await follow(
            await browser.new_context(locale="en-GB"), str(given["result"]["link"])
        )
        await is_with(mended, "L\u00e9a", "third stone")


async def test_words_that_were_changed_and_taken_back_are_not_kept(tmp_path: Path) -> None:
    """What is kept of oneself comes as a file, two taps away, and says so."""
    async with pet(tmp_path / "data") as (_, address), chromium() as browser:
        page = await come_in(await browser.new_context(locale="en-GB"), address, "L\u00e9a")
        await say_in_private(page, "my sister lives in Marseille")
        said = page.locator("article.mine")
        await said.hover()
        await said.get_by_role("button", name="What you can do with this message").click()
        await said.get_by_role("button", name="Edit").click()
        await expect(private_box(page)).to_have_value("my sister lives in Marseille")
        await say_in_private(page, "my sister lives in Nantes")
        await expect(page.locator("article.mine")).to_contain_text("edited")
        kept = await own_data(page)
        assert "my sister lives in Nantes" in kept
        assert "my sister lives in Marseille" not in kept
        page.once("dialog", lambda dialog: dialog.accept())
        await said.hover()
        await said.get_by_role("button", name="What you can do with this message").click()
        await said.get_by_role("button", name="Delete").click()
        await expect(said).to_have_count(0)
        kept = await own_data(page)
        assert "Nantes" not in kept
        assert "Marseille" not in kept


async def own_data(page: Page) -> str:
    """What is kept of somebody, as the file that is two taps away; then the talk again."""
    await page.get_by_role("link", name="My data").click()
    async with page.expect_download() as saving:
        await page.get_by_role("button", name="Give me everything").click()
    kept = await asyncio.to_thread(Path(await (await saving.value).path()).read_text, "utf-8")
    await page.get_by_role("link", name="Back to the talk").click()
    await expect(page.locator("html.live")).to_be_attached()
    return kept


async def test_two_pets_on_one_host_each_keep_their_visitor(tmp_path: Path) -> None:
    """A visit to the second one changes nothing at the first."""
    async with (
        pet(tmp_path / "one") as (_, first),
        pet(tmp_path / "two") as (_, second),
        chromium() as browser,
    ):
        context = await browser.new_context(locale="en-GB")
        page = await come_in(context, first, "L\u00e9a")
        await say_in_private(page, "only for the first")
        await come_in(context, second, "Zo\u00e9")
        await page.reload()
        await is_with(page, "L\u00e9a", "only for the first")


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1"])
async def test_a_form_of_another_page_changes_nobody(tmp_path: Path, host: str) -> None:
    """Neither of another site, nor of another program on this machine."""
    async with pet(tmp_path / "data") as (_, address), chromium() as browser:
        context = await browser.new_context(locale="en-GB")
        page = await come_in(context, address, "L\u00e9a")
        await say_in_private(page, "still mine")
        async with attacker(address) as port:
            trap = await context.new_page()
            await trap.goto(f"http://{host}:{port}/")
            await expect(trap.locator("body")).to_contain_text("sent by another page")
        await page.reload()
        await is_with(page, "L\u00e9a", "still mine")


@asynccontextmanager
async def attacker(address: str) -> AsyncIterator[int]:
    """A page elsewhere whose form posts a name to the pet as soon as it is seen."""
    form = (
        f'<form method="post" action="{address}/name"><input name="name" value="Mallory"></form>'
        "<script>document.forms[0].submit()</script>"
    )
    head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(form)}\r\n\r\n"

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if re.match(rb"GET / ", await reader.readline()):
            writer.write((head + form).encode())
            await writer.drain()
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        yield server.sockets[0].getsockname()[1]
