"""Search over everything that is kept: by meaning, by words, or by both as recall does it."""

from typing import Annotated

from fastapi import APIRouter, Query

from bot.surfaces.access.dependencies import Allowed
from bot.surfaces.api.cursors import Page
from bot.surfaces.api.documented import refusals
from bot.surfaces.api.routing import ValueRoute
from bot.surfaces.parts import Parts
from bot.topics.statements.requests import SearchMemoryRequest
from bot.topics.statements.searching import FoundRow, StatementSearch

router = APIRouter(
    prefix="/api/memory", tags=["memory"], responses=refusals(), route_class=ValueRoute
)


@router.get("/search")
async def search_memory(
    parts: Parts, principal: Allowed, query: Annotated[SearchMemoryRequest, Query()]
) -> Page[FoundRow]:
    """Search, best first. Mode `text` has the syntax of `eko find`, newest first."""
    return Page(await parts.of(StatementSearch, principal).found(query))
