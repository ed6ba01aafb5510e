"""What the owner does on the dashboard in a real browser, and what the pet says after it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from playwright.async_api import Browser, Locator, Page, expect

from tests.patience import PATIENCE_S
from tests.peers.chromium import chromium
from tests.peers.daemon import Daemon, awake
from tests.peers.test_dashboard_browser import Watched
from tests.peers.test_page_people import PAGE
from tests.web.browsing import NEEDS_CHROMIUM, free_port

CODE = "The code of your link"
SHED = "The key of the boat shed hangs behind the barrel"
WHERE_IS_IT = "Where does the key of the boat shed hang?"

pytestmark = NEEDS_CHROMIUM


@asynccontextmanager
async def pet_at(data: Path, port: int) -> AsyncIterator[tuple[Daemon, str]]:
    """A pet that comes back at the same address, and that address."""
    async with awake(data, {**PAGE, "EKO_WEB__PORT": str(port)}) as daemon:
        yield daemon, f"http://127.0.0.1:{port}"


async def fresh(browser: Browser, address: str, *, script: bool = True) -> Watched:
    """An empty page of a browser that was never here."""
    context = await browser.new_context(
        locale="en-GB", java_script_enabled=script, base_url=address
    )
    watched = Watched(await context.new_page(), address.removeprefix("http://"))
    watched.watch()
    return watched


async def log_in(page: Page, login: dict[str, str]) -> None:
    """Open a link and press the button."""
    await page.goto(login["link"])
    await expect(page.get_by_label(CODE)).to_have_value(login["code"])
    await page.get_by_role("button", name="Log in").click()


async def answer(daemon: Daemon, asker: str, text: str) -> str:
    """What the pet says to it in private."""
    return str((await daemon.does("ask", name=asker, text=text))["result"]["reply"])


async def put_right(page: Page, fact: str, value: str) -> None:
    """Give a core fact another value, in place and by the keyboard."""
    await page.goto("/dashboard/facts")
    box = page.get_by_role("textbox", name=fact)
    await box.fill(value)
    await box.press("Enter")
    await expect(page.get_by_role("status")).to_have_text("The fact is changed.")
    await expect(box).to_have_value(value)


async def found(page: Page, words: str, content: str) -> Locator:
    """A memory among what a search for words finds."""
    await page.goto("/dashboard/memory")
    await page.get_by_label("Search", exact=True).fill(words)
    await page.get_by_role("button", name="Find", exact=True).click()
    memory = page.get_by_role("region", name="Found").get_by_role("link", name=content)
    await expect(memory).to_be_visible()
    return memory


async def test_the_pet_says_what_its_owner_put_right(tmp_path: Path) -> None:
    """An edited fact, a memory forgotten and given back, and a line that was digested."""
    async with (
        pet_at(tmp_path / "data", free_port()) as (daemon, address),
        chromium() as browser,
    ):
        await answer(daemon, "David", "I live in Lyon.")
        await daemon.does("remember", text=SHED)
        owner = await fresh(browser, address)
        await log_in(owner.page, (await daemon.does("login"))["result"])
        await expect(owner.page).to_have_url(f"{address}/dashboard")

        assert "Lyon" in await answer(daemon, "David", "Where do I live?")
        await put_right(owner.page, "city of David", "Nantes")
        corrected = await answer(daemon, "David", "Where do I live?")
        assert "Nantes" in corrected
        assert "Lyon" not in corrected

        assert "behind the barrel" in await answer(daemon, "Alice", WHERE_IS_IT)
        await forget(owner.page, "boat shed", SHED)
        assert "barrel" not in await answer(daemon, "Bob", WHERE_IS_IT)
        await owner.page.get_by_role("button", name="Undo").first.click()
        await expect(owner.page.get_by_role("status")).to_have_text("It is back.")
        assert "behind the barrel" in await answer(daemon, "Carol", WHERE_IS_IT)

        line = "I moved to Lille last week"
        await daemon.does("say", name="Tom", room="lobby", text=line)
        await digest(owner.page, line)
        assert owner.faults == []


async def forget(page: Page, words: str, content: str) -> None:
    """Look for it, look at what would go, and have it gone."""
    await (await found(page, words, content)).click()
    await page.get_by_role("button", name="Show what would go").click()
    await expect(page.get_by_role("region", name="This would be forgotten")).to_contain_text(
        content
    )
    await page.get_by_role("button", name="Forget it").click()
    await expect(page.get_by_role("status")).to_have_text("It is forgotten.")
    await expect(page.locator("main")).not_to_contain_text(content)


async def digest(page: Page, line: str) -> None:
    """Have what is live digested, wait without reloading, and find a line in the ledger."""
    await page.goto("/dashboard/digests")
    await expect(page.get_by_role("region", name="What is live")).to_contain_text(line)
    await page.get_by_role("button", name="Digest now").click()
    past = page.get_by_role("region", name="Past digests")
    await expect(past.get_by_role("cell", name="finished", exact=True)).to_be_visible()
    await expect(page.get_by_text("Nothing is live.")).to_be_visible()
    await past.get_by_role("link").first.click()
    read = page.get_by_role("listitem").filter(has_text=line)
    await expect(read.first.get_by_role("link")).to_contain_text("Lille")


async def test_what_is_set_holds_after_a_kill_and_a_session_until_it_ends(
    tmp_path: Path,
) -> None:
    """A moved slider, the same session after `kill -9`, logging out, and a used link."""
    data, port = tmp_path / "data", free_port()
    async with chromium() as browser:
        async with pet_at(data, port) as (daemon, address):
            owner = await fresh(browser, address)
            login = (await daemon.does("login"))["result"]
            await log_in(owner.page, login)
            await expect(owner.page).to_have_url(f"{address}/dashboard")
            late = await fresh(browser, address)
            await log_in(late.page, login)
            await expect(late.page.get_by_role("alert")).to_contain_text("it was used already")
            await late.page.goto("/dashboard/recall")
            await expect(late.page.get_by_label(CODE)).to_be_visible()
            await move_slider(owner.page)
            await daemon.killed()
        async with pet_at(data, port) as (daemon, address):
            await owner.page.goto("/dashboard/recall")
            await expect(results(owner.page)).to_have_value("9")
            kept = await daemon.does("setting", key="auto_retrieve_max_results")
            assert kept["result"]["value"] == "9"
            await owner.page.get_by_role("button", name="Log out", exact=True).click()
            await expect(owner.page).to_have_url(f"{address}/login")
            await owner.page.goto("/dashboard")
            await expect(owner.page).to_have_url(f"{address}/login?next=/dashboard")
            await owner.page.go_back()
            await expect(owner.page.get_by_label(CODE)).to_be_visible()
            assert owner.faults == []


def results(page: Page) -> Locator:
    """The slider of how many lines are brought up."""
    return page.get_by_role("slider", name="Lines put before the model, at most")


async def move_slider(page: Page) -> None:
    """By the arrow keys, to nine, which the number beside it says at once; then save."""
    await page.goto("/dashboard/recall")
    before = int(await results(page).input_value())
    key = "ArrowRight" if before < 9 else "ArrowLeft"
    for _ in range(abs(9 - before)):
        await results(page).press(key)
    await expect(page.locator("output[data-of=results]")).to_have_text("9")
    assert before != 9
    await page.get_by_role("button", name="Save").click()
    await expect(page.locator(".note")).to_contain_text("it holds from the next question on")


async def test_without_script_one_searches_edits_and_talks(tmp_path: Path) -> None:
    """The code is pasted, and an answer is read by reload."""
    async with (
        pet_at(tmp_path / "data", free_port()) as (daemon, address),
        chromium() as browser,
    ):
        await answer(daemon, "David", "I live in Lyon.")
        await daemon.does("remember", text=SHED)
        owner = await fresh(browser, address, script=False)
        await owner.page.goto("/dashboard/memory")
        code = (await daemon.does("login"))["result"]["code"]
        await owner.page.get_by_label(CODE).fill(code)
        await owner.page.get_by_role("button", name="Log in").click()
        await expect(owner.page).to_have_url(f"{address}/dashboard/memory")
        await found(owner.page, "boat shed", SHED)
        await put_right(owner.page, "city of David", "Nantes")
        assert "Nantes" in await answer(daemon, "David", "Where do I live?")

        visitor = await fresh(browser, address, script=False)
        await visitor.page.goto("/")
        await visitor.page.get_by_label("Your name").fill("Zo\u00e9")
        await visitor.page.get_by_role("button", name="Come in").click()
        just_us = visitor.page.get_by_role("region", name="Just us", exact=True)
        await just_us.get_by_label("Talk to Eko").fill(WHERE_IS_IT)
        await just_us.get_by_role("button", name="Send").click()
        await expect(just_us.locator("article.mine")).to_contain_text(WHERE_IS_IT)
        await reload_until(visitor.page, just_us.locator("article.pet"))
        await expect(just_us.locator("article.pet")).to_contain_text("behind the barrel")
        assert owner.faults + visitor.faults == []


async def reload_until(page: Page, wanted: Locator) -> None:
    """Read the page anew until it has something."""
    for _ in range(int(PATIENCE_S)):
        if await wanted.count():
            return
        await page.wait_for_timeout(300)
        await page.reload()
