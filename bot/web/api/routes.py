"""Every resource of the API, as one router."""

from fastapi import APIRouter

from bot.web.api import (
    access,
    digests,
    facts,
    forgettings,
    memories,
    memory_search,
    metrics,
    notes,
    people,
    proposals,
    retrievals,
    rooms,
    settings,
    statistics,
    usage,
)

RESOURCES: tuple[APIRouter, ...] = (
    memories.router,
    facts.router,
    memory_search.router,
    forgettings.router,
    proposals.router,
    settings.router,
    statistics.router,
    retrievals.router,
    digests.router,
    people.router,
    rooms.router,
    usage.router,
    notes.router,
    metrics.router,
    access.router,
)


def api_routes() -> APIRouter:
    """The resources of the API."""
    routes = APIRouter()
    for resource in RESOURCES:
        routes.include_router(resource)
    return routes
