"""Every page of the dashboard, as one router."""

from fastapi import APIRouter

from bot.web.dashboard import (
    access,
    costs,
    digests,
    home,
    login,
    notes,
    recall,
    rooms,
    system,
)
from bot.web.dashboard.brain import page as brain
from bot.web.dashboard.conversations import asking
from bot.web.dashboard.conversations import page as conversations
from bot.web.dashboard.memory import facts, forgettings, listing, proposals
from bot.web.dashboard.memory import page as memory_page
from bot.web.dashboard.people import changes as people_changes
from bot.web.dashboard.people import page as people

PAGES: tuple[APIRouter, ...] = (
    login.router,
    home.router,
    facts.router,
    forgettings.router,
    proposals.router,
    listing.router,
    memory_page.router,
    people.router,
    people_changes.router,
    rooms.router,
    brain.router,
    conversations.router,
    asking.router,
    digests.router,
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
