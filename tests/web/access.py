"""The site as the daemon serves it, guards and all: what browsers and programs get in by."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
from fastapi import FastAPI
from starlette.types import ASGIApp

from bot.daemon.daemon import connection_limits, site_of
from bot.daemon.http_server import secured
from bot.surfaces.operations import Operations
from bot.surfaces.values import as_json
from config.sections.obsidian import ObsidianSettings
from config.sections.web import WebSettings
from tests.flow.owning import Owner, owned

HOST = "http://localhost"

DESCRIPTORS = 1024
"""What a process may have open where nothing else was chosen."""


@dataclass
class GuardedSite:
    """A pet with its dashboard behind its own doors; a browser keeps its cookies."""

    pet: Owner
    site: FastAPI
    served: ASGIApp
    browsers: list[httpx2.AsyncClient] = field(default_factory=list)

    def browser(
        self, address: str = "127.0.0.1", base: str = HOST, agent: str = "Firefox/140 Linux"
    ) -> httpx2.AsyncClient:
        """A browser that nobody has used yet, closed with the site."""
        opened = httpx2.AsyncClient(
            transport=httpx2.ASGITransport(
                self.served, raise_app_exceptions=False, client=(address, 4242)
            ),
            base_url=base,
            headers={"user-agent": agent, "accept-language": "en"},
        )
        self.browsers.append(opened)
        return opened

    async def does(self, operation: str, **arguments: Any) -> Any:
        """The result of an operation of the command line, as JSON."""
        return as_json(await Operations(self.pet.app).result(operation, arguments))

    async def code(self, space: str | None = None) -> str:
        """The code of a new login link."""
        return str((await self.does("login", space=space))["code"])

    async def key(
        self,
        *rights: str,
        expires: str | None = None,
        space: str | None = None,
        person: str | None = None,
    ) -> dict[str, str]:
        """The headers of a program with a new key."""
        made = await self.does(
            "key_add", name="test", rights=rights, expires=expires, space=space, person=person
        )
        return {"authorization": f"Bearer {made['token']}"}

    async def logged_in(
        self, browser: httpx2.AsyncClient | None = None, space: str | None = None
    ) -> httpx2.AsyncClient:
        """A browser with a session, the owner's or a manager's."""
        browser = browser or self.browser()
        answer = await browser.post("/login", data={"code": await self.code(space)})
        assert answer.status_code == httpx2.codes.SEE_OTHER, answer.text
        return browser


@asynccontextmanager
async def guarded_site(
    folder: Path, web: WebSettings | None = None, obsidian: ObsidianSettings | None = None
) -> AsyncIterator[GuardedSite]:
    """The site of a pet of a folder, as strangers find it."""
    async with owned(folder, "en", web=web, obsidian=obsidian) as pet:
        limits = connection_limits(pet.app.settings.web, DESCRIPTORS)
        site = site_of(pet.app, limits)
        guarded = GuardedSite(pet, site, secured(site, limits))
        yield guarded
        for browser in guarded.browsers:
            await browser.aclose()


def accounts_of(browser: httpx2.AsyncClient) -> dict[str, str]:
    """The cookies that a browser has."""
    return {cookie.name: cookie.value or "" for cookie in browser.cookies.jar}
