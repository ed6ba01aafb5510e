"""Every page of the dashboard, as one router."""

from fastapi import APIRouter

from bot.web.dashboard import facts, forgettings, memory_list, memory_page, proposals

PAGES: tuple[APIRouter, ...] = (
    facts.router,
    forgettings.router,
    proposals.router,
    memory_list.router,
    memory_page.router,
)


def dashboard_routes() -> APIRouter:
    """The pages; they are no part of the API's description."""
    routes = APIRouter(include_in_schema=False)
    for page in PAGES:
        routes.include_router(page)
    return routes
