"""The dashboard and the API in this process, over a whole pet, for clients that are no browsers."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx2
from fastapi import FastAPI
from starlette.requests import HTTPConnection

from bot.surfaces.access.principal import Principal, owner
from bot.surfaces.parts import WebParts
from bot.web.headers import SecurityHeaders
from bot.web.health import add_health
from bot.web.site import add_dashboard
from tests.flow.owning import Owner, owned

OWNER = owner("session test")


@dataclass
class GivenPrincipal:
    """The Authenticator port: each request is from whom the test says; None is a stranger's."""

    principal: Principal | None = field(default=OWNER)

    async def principal_of(self, _request: HTTPConnection, /) -> Principal | None:
        """The principal that the test chose."""
        return self.principal

    def session_cookie(self, _request: HTTPConnection, /) -> str:
        """A name, though no cookie is asked for."""
        return "eko-session-test"


@dataclass
class ServedSite:
    """A pet with its dashboard: `pet` is told things, `client` asks, as whom `given` says."""

    pet: Owner
    client: httpx2.AsyncClient
    given: GivenPrincipal

    async def html(self, path: str, language: str = "en") -> str:
        """A page that is there."""
        answer = await self.client.get(path, headers={"accept-language": language})
        assert answer.status_code == httpx2.codes.OK, answer.text
        return answer.text


@asynccontextmanager
async def served_site(folder: Path, locale: str = "en") -> AsyncIterator[ServedSite]:
    """The site of a pet of a folder, asked by its owner until the test says otherwise."""
    async with owned(folder, locale) as pet:
        site, given = FastAPI(), GivenPrincipal()
        parts = WebParts(app=pet.app)
        add_health(site, parts)
        add_dashboard(site, parts, given)
        site.add_middleware(SecurityHeaders)
        transport = httpx2.ASGITransport(site)
        async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as client:
            yield ServedSite(pet, client, given)
