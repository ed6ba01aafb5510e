"""The page in a real browser that can reach nothing but this machine."""

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, expect, sync_playwright

from tests.patience import PATIENCE_S

ROOT = Path(__file__).parents[2]
CHROMIUM = shutil.which("chromium")
REQUIRED = os.environ.get("EKO_PEERS_REQUIRED") == "1"
OFFLINE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
MICROPHONE = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")
"""One that beeps, lent to whoever asks."""
PHONE = {"width": 360, "height": 740}
WIDE = {"width": 1280, "height": 800}

expect.set_options(timeout=PATIENCE_S * 1000)

NEEDS_CHROMIUM = pytest.mark.skipif(
    CHROMIUM is None and not REQUIRED, reason="chromium is not installed"
)


def free_port() -> int:
    """A port nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


@contextmanager
def serving(port: int, folder: Path) -> Iterator[str]:
    """The page of a small daemon, at the address given."""
    program = [sys.executable, "-W", "error", str(Path(__file__).with_name("page_server.py"))]
    with subprocess.Popen(
        [*program, str(port), str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        text=True,
    ) as server:
        try:
            assert server.stdout is not None
            assert server.stdout.readline() == "ready\n"
            yield f"http://127.0.0.1:{port}/"
        finally:
            assert server.stdin is not None
            server.stdin.close()
            assert server.wait(PATIENCE_S) == 0


@contextmanager
def browser_of_machine() -> Iterator[Browser]:
    """The browser of this machine."""
    assert CHROMIUM is not None, "EKO_PEERS_REQUIRED=1 and chromium is not installed"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", OFFLINE, *MICROPHONE]
        )
        yield browser
        browser.close()


@dataclass
class BrowsingVisitor:
    """Somebody at the page, with what their browser complained of and whom it asked."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    hosts: set[str | None] = field(default_factory=set)
    asked: list[str] = field(default_factory=list)

    def enter(self, name: str) -> "BrowsingVisitor":
        """Say a name and come in."""
        self.page.get_by_label("Your name").fill(name)
        self.page.get_by_role("button", name="Come in").click()
        return self.follows()

    def follows(self) -> "BrowsingVisitor":
        """Wait until the page is told what happens."""
        expect(self.page.locator("html.live")).to_be_attached()
        return self

    @property
    def private_box(self) -> Locator:
        """The box of the private talk."""
        return self.page.get_by_label("Talk to Eko")

    @property
    def lobby_box(self) -> Locator:
        """The box of the lobby."""
        return self.page.get_by_label("Talk to everybody")

    def room(self, name: str) -> Locator:
        """A room, `Lobby` or `Just us`."""
        return self.page.get_by_role("region", name=name, exact=True)

    def line(self, text: str) -> Locator:
        """The lines of both rooms that say something."""
        return self.page.locator("article.line").filter(has_text=text)

    def say(self, box: Locator, text: str) -> None:
        """Write and send."""
        box.fill(text)
        box.press("Enter")

    def act(self, line: Locator, name: str) -> None:
        """Do something with a line by its menu."""
        line.hover()
        line.get_by_role("button", name="What you can do with this message").click()
        line.get_by_role("button", name=name, exact=True).click()

    def overflows(self) -> bool:
        """Whether anything is wider than the screen."""
        root = "document.documentElement"
        return bool(self.page.evaluate(f"{root}.scrollWidth > {root}.clientWidth"))


class Arrivals:
    """Opens the page in fresh browsers, which complain of nothing and ask no other host."""

    def __init__(self, browser: Browser, address: str) -> None:
        self._browser = browser
        self._address = address
        self._visitors: list[BrowsingVisitor] = []

    def __call__(self, url: str | None = None, **options: Any) -> BrowsingVisitor:
        """Somebody whose browser has just opened the page."""
        options = {"locale": "en-GB", "viewport": WIDE, **options}
        return self.tab(self._browser.new_context(**options).new_page(), url)

    def tab(self, page: Page, url: str | None = None) -> BrowsingVisitor:
        """The page in a tab that is empty yet."""
        page.set_default_timeout(PATIENCE_S * 1000)
        visitor = BrowsingVisitor(page)
        self._visitors.append(visitor)

        def note(line: ConsoleMessage) -> None:
            if line.type in {"error", "warning"} and "ERR_CONNECTION_REFUSED" not in line.text:
                visitor.complaints.append(line.text)

        page.on("request", lambda one: visitor.hosts.add(urlsplit(one.url).hostname))
        page.on("request", lambda one: visitor.asked.append(urlsplit(one.url).path))
        page.on("pageerror", lambda error: visitor.complaints.append(str(error)))
        page.on("console", note)
        page.goto(url or self._address)
        return visitor

    def judge(self) -> None:
        """Close everything; nobody complained, and nothing was fetched from elsewhere."""
        for context in {id(one.page.context): one.page.context for one in self._visitors}.values():
            context.close()
        for visitor in self._visitors:
            assert visitor.complaints == []
            assert visitor.hosts <= {"127.0.0.1", None}
