"""The dashboard and the API, added to the application that also has the pet's page."""

from pathlib import Path

from fastapi import Depends, FastAPI
from fastapi.staticfiles import StaticFiles

from bot.web import health
from bot.web.access.principal import Authenticator
from bot.web.access.transport import only_safely
from bot.web.api.routes import api_routes
from bot.web.dashboard.routes import dashboard_routes
from bot.web.failures import tell_failures
from bot.web.parts import WebParts

_ASSETS = Path(__file__).parent / "assets"


def add_dashboard(site: FastAPI, parts: WebParts, authenticator: Authenticator) -> None:
    """Add every page and resource; add it before what answers all addresses."""
    site.state.parts = parts
    site.state.authenticator = authenticator
    site.mount("/assets", StaticFiles(directory=_ASSETS), name="assets")
    safely = [Depends(only_safely)]
    site.state.api = [api_routes(), health.router]
    site.include_router(site.state.api[0], dependencies=safely)
    site.include_router(dashboard_routes(), dependencies=safely)
    tell_failures(site)
