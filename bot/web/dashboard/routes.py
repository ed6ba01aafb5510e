"""Every page of the dashboard, as one router."""

from fastapi import APIRouter

from bot.web.dashboard import (
    access,
    costs,
    facts,
    forgettings,
    login,
    memory_list,
    memory_page,
    notes,
    proposals,
    recall,
    system,
)

PAGES: tuple[APIRouter, ...] = (
    login.router,
    forgettings.router,
    proposals.router,
    memory_list.router,
    memory_page.router,
    facts.router,
    recall.router,
    notes.router,
    costs.router,
    system.router,
    access.router,
)


def dashboard_routes() -> APIRouter:
    """The pages; they are no part of the API's description."""
    routes = APIRouter(include_in_schema=False)
    for page in PAGES:
        routes.include_router(page)
    return routes
