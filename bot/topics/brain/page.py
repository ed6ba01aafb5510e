"""The brain by category, and the graph of one statement with its neighbours."""

from uuid import UUID

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from bot.surfaces.access.dependencies import Allowed
from bot.surfaces.api.problems import NotFound
from bot.surfaces.pages.rendering import Renderer
from bot.surfaces.parts import Parts
from bot.topics.brain import brain
from bot.topics.brain.ring import HEIGHT, WIDTH, middle, ring
from bot.topics.health.recent import Recent
from bot.topics.people.told import tellers, told_lately
from memory.model.statements import MemoryId
from memory.model.stores import Store

router = APIRouter()


@router.get("/dashboard/brain", response_class=HTMLResponse)
async def folded(
    request: Request, principal: Allowed, parts: Parts, recent: Recent
) -> HTMLResponse:
    """Every store in folding sections; how it grew is a minute old at most."""
    app, caller = parts.app, principal.caller
    grown = await recent.of("growth", lambda: brain.growth(app, caller))
    return Renderer(request, principal).page(
        "brain/brain.html",
        stores=await brain.stores(app, caller, grown),
        replaced=await brain.replaced(app, caller, Store.SELF),
        tellers=tellers(await told_lately(app, caller)),
    )


@router.get("/dashboard/brain/graph/{memory}", response_class=HTMLResponse)
async def graph(request: Request, principal: Allowed, parts: Parts, memory: UUID) -> HTMLResponse:
    """A statement and what it is tied to, each of them a step further."""
    found = await brain.neighbourhood(parts.app, principal.caller, MemoryId(memory))
    if found is None:
        raise NotFound("There is no such memory any more.")
    neighbours = found["neighbours"]
    nodes = ring([one["content"] for one in neighbours])
    places = {one["id"]: node for one, node in zip(neighbours, nodes, strict=True)}
    return Renderer(request, principal).page(
        "brain/graph.html",
        memory=found["memory"],
        neighbours=neighbours,
        centre=middle(found["memory"]["content"]),
        places=places,
        between=[(places[one], places[other]) for one, other in found["between"]],
        width=WIDTH,
        height=HEIGHT,
    )
