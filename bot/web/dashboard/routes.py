"""Every page of the dashboard, as one router."""

from fastapi import APIRouter

from bot.web.dashboard import access, costs, login, notes, recall, system

PAGES: tuple[APIRouter, ...] = (
    login.router,
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
