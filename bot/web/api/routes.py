"""Every resource of the API, as one router."""

from fastapi import APIRouter

from bot.web.api import facts, forgettings, memories, memory_search, proposals

RESOURCES: tuple[APIRouter, ...] = (
    facts.router,
    forgettings.router,
    memories.router,
    memory_search.router,
    proposals.router,
)


def api_routes() -> APIRouter:
    """The resources of the API."""
    routes = APIRouter()
    for resource in RESOURCES:
        routes.include_router(resource)
    return routes
