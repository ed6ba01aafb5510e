"""Every page of the dashboard, as one router."""

from fastapi import APIRouter

from bot.web.dashboard import costs, notes, recall, system

PAGES: tuple[APIRouter, ...] = (
    recall.router,
    notes.router,
    costs.router,
    system.router,
)


def dashboard_routes() -> APIRouter:
    """The pages; they are no part of the API's description."""
    routes = APIRouter(include_in_schema=False)
    for page in PAGES:
        routes.include_router(page)
    return routes
