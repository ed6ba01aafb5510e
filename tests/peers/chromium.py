"""The browser of this machine, which waits as long as the other tests do."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from playwright.async_api import Browser, async_playwright, expect

from tests.patience import PATIENCE_S
from tests.web.browsing import CHROMIUM

HOSTS = "--host-resolver-rules=MAP evil.example 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"

expect.set_options(timeout=PATIENCE_S * 1000)


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """The browser of this machine, for which evil.example is this machine too."""
    assert CHROMIUM is not None, "EKO_PEERS_REQUIRED=1 and chromium is not installed"
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", HOSTS]
        )
        yield browser
        await browser.close()
