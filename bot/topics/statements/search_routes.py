"""Search over everything that is kept: by meaning, by words, or by both as recall does it."""

from typing import Annotated, Any

from fastapi import APIRouter, Query

from bot.surfaces.access.dependencies import Allowed
from bot.surfaces.api.documented import refusals
from bot.surfaces.parts import Parts
from bot.topics.statements.requests import SearchMemoryRequest
from bot.topics.statements.searching import StatementSearch

router = APIRouter(prefix="/api/memory", tags=["memory"], responses=refusals())


@router.get("/search")
async def search_memory(
    parts: Parts, principal: Allowed, query: Annotated[SearchMemoryRequest, Query()]
) -> dict[str, Any]:
    """What is found, best first; by words alone, newest first and with the syntax of `eko find`."""
    found = await StatementSearch(parts.app, principal.caller).found(query)
    return {"items": found, "next": None}
