"""The site of a pet: its page for everyone, its dashboard and API for those who look after it."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from fastapi import APIRouter, Depends, FastAPI
from fastapi.staticfiles import StaticFiles
from starlette.routing import BaseRoute

from bot.surfaces.access.principal import Authenticator
from bot.surfaces.access.withholding import Withholding
from bot.surfaces.parts import WebParts
from bot.surfaces.transport import only_safely
from bot.topic import registered
from bot.web import health
from bot.web.failures import tell_failures
from bot.web.page.parts import PageOptions
from bot.web.page.site import PagePorts, add_guards, add_page

_ASSETS = Path(__file__).parent / "assets"


def build_site(ports: PagePorts, options: PageOptions) -> FastAPI:
    """The page of a pet behind its guards; `add_dashboard` adds the rest."""
    site = FastAPI(title="Eko", docs_url=None, redoc_url=None, openapi_url=None)
    add_assets(site)
    add_page(site, ports, options)
    add_guards(site, options)
    tell_failures(site)
    return site


def add_dashboard(site: FastAPI, parts: WebParts, authenticator: Authenticator) -> None:
    """Add every page and resource; add it before what answers all addresses."""
    site.state.parts = parts
    site.state.authenticator = authenticator
    add_assets(site)
    site.state.api = [api_routes(), health.router]
    site.router.routes.extend(_dashboard_routes())
    site.add_middleware(Withholding)
    tell_failures(site)


def add_api(site: FastAPI, parts: WebParts, authenticator: Authenticator) -> None:
    """Add every resource of the API, and nothing for browsers."""
    site.state.parts = parts
    site.state.authenticator = authenticator
    site.state.api = [api_routes()]
    site.router.routes.extend(api_routes().routes)
    site.add_middleware(Withholding)
    tell_failures(site)


@cache
def api_routes() -> APIRouter:
    """The resources of the API, of every topic."""
    together = APIRouter()
    for module in registered("routes"):
        together.include_router(module.router)
    return together


@cache
def _dashboard_routes() -> Sequence[BaseRoute]:
    """Every page and resource, read once: what they work with is in the state of their site.

    Each topic's router stands beside the others: a router in a router has its routes read twice.
    """
    together, safely = APIRouter(), [Depends(only_safely)]
    for module in registered("routes"):
        together.include_router(module.router, dependencies=safely)
    for module in registered("pages"):
        together.include_router(module.router, dependencies=safely, include_in_schema=False)
    return tuple(together.routes)


def add_assets(site: FastAPI) -> None:
    """Serve the files that pages load, once."""
    if "assets" not in {getattr(route, "name", None) for route in site.routes}:
        site.mount("/assets", StaticFiles(directory=_ASSETS), name="assets")
