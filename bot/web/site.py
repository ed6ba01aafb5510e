"""The site of a pet: its page for everyone, its dashboard and API for those who look after it."""

from pathlib import Path

from fastapi import Depends, FastAPI
from fastapi.staticfiles import StaticFiles

from bot.web import health
from bot.web.access.principal import Authenticator
from bot.web.access.transport import only_safely
from bot.web.access.withholding import Withholding
from bot.web.api.routes import api_routes
from bot.web.dashboard.routes import dashboard_routes
from bot.web.failures import tell_failures
from bot.web.page.parts import PageOptions
from bot.web.page.site import PagePorts, add_guards, add_page
from bot.web.parts import WebParts

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
    safely = [Depends(only_safely)]
    site.state.api = [api_routes(), health.router]
    site.include_router(site.state.api[0], dependencies=safely)
    site.include_router(dashboard_routes(), dependencies=safely)
    site.add_middleware(Withholding)
    tell_failures(site)


def add_assets(site: FastAPI) -> None:
    """Serve the files that pages load, once."""
    if "assets" not in {getattr(route, "name", None) for route in site.routes}:
        site.mount("/assets", StaticFiles(directory=_ASSETS), name="assets")
