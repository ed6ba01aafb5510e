"""Every resource of the API, as one router."""

from fastapi import APIRouter

from bot.web.api import access

RESOURCES: tuple[APIRouter, ...] = (access.router,)


def api_routes() -> APIRouter:
    """The resources of the API."""
    routes = APIRouter()
    for resource in RESOURCES:
        routes.include_router(resource)
    return routes
