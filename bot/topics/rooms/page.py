"""The rooms of several people: roles, what stays in them, where the pet is away."""

from typing import Annotated, Literal
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from bot.conversation.rooms import RoomStanding
from bot.surfaces.access.dependencies import Allowed
from bot.surfaces.access.principal import Principal
from bot.surfaces.pages.rendering import Renderer
from bot.surfaces.parts import Parts
from bot.surfaces.requests import NoArguments
from bot.topics.rooms.rooms import (
    ChooseRoleRequest,
    MarkRoomRequest,
    OfSpaceRequest,
    RoomOperations,
    SwitchCheckinsRequest,
)
from memory.model.rooms import EVERYWHERE, HOME, RoomRole

router = APIRouter()

RoomName = Annotated[str, Form(min_length=1, max_length=200)]
SpaceName = Annotated[str | None, Form(max_length=200)]
Done = Annotated[str | None, Query(max_length=20)]


@router.get("/dashboard/rooms", response_class=HTMLResponse)
async def listed(
    request: Request, principal: Allowed, parts: Parts, done: Done = None
) -> HTMLResponse:
    """Every room in reach, by community."""
    found = await parts.of(RoomOperations, principal).rooms(NoArguments())
    spaces: dict[str, list[RoomStanding]] = {one: [] for one in _named_anyway(principal)}
    for room in found.rooms:
        spaces.setdefault(room.space, []).append(room)
    return Renderer(request, principal).page(
        "rooms/rooms.html",
        spaces=spaces,
        paused=found.paused,
        read_back={one.room: one for one in found.read_back},
        checkins=found.checkins,
        everywhere=EVERYWHERE,
        roles=list(RoomRole),
        done=done,
    )


@router.post("/dashboard/rooms/role")
async def choose_role(
    principal: Allowed,
    parts: Parts,
    room: RoomName,
    role: Annotated[Literal["lobby", "pet", "mention", "ignored", "default"], Form()],
) -> RedirectResponse:
    """Let a room have a role; it holds at once."""
    await parts.of(RoomOperations, principal).role(ChooseRoleRequest(room=room, role=role))
    return _back("role")


@router.post("/dashboard/rooms/confidential")
async def mark(
    principal: Allowed,
    parts: Parts,
    room: RoomName,
    confidential: Annotated[bool, Form()],
    past: Annotated[bool, Form()] = False,  # noqa: FBT002 - a field of a form
) -> RedirectResponse:
    """Let what is said in a room stay in it, with what was said before where that is wanted."""
    wanted = MarkRoomRequest(room=room, confidential=confidential, past=past)
    await parts.of(RoomOperations, principal).mark(wanted)
    return _back("closed" if confidential else "opened")


@router.post("/dashboard/rooms/checkins")
async def switch_checkins(
    principal: Allowed, parts: Parts, room: RoomName, on: Annotated[bool, Form()]
) -> RedirectResponse:
    """Let the pet write first in a room, or not."""
    wanted = SwitchCheckinsRequest(room=room, on=on)
    await parts.of(RoomOperations, principal).checkins(wanted)
    return _back("checkins_on" if on else "checkins_off")


@router.post("/dashboard/rooms/pause")
async def pause(principal: Allowed, parts: Parts, space: SpaceName = None) -> RedirectResponse:
    """Be away from a community, or from all."""
    await parts.of(RoomOperations, principal).pause(OfSpaceRequest(space=space or None))
    return _back("paused")


@router.post("/dashboard/rooms/resume")
async def resume(principal: Allowed, parts: Parts, space: SpaceName = None) -> RedirectResponse:
    """Be there again."""
    wanted = None if space in {None, "", EVERYWHERE} else space
    await parts.of(RoomOperations, principal).resume(OfSpaceRequest(space=wanted))
    return _back("resumed")


def _named_anyway(principal: Principal) -> list[str]:
    """The communities that are shown without a room."""
    return [HOME] if principal.space is None else [principal.space]


def _back(done: str) -> RedirectResponse:
    return RedirectResponse(f"/dashboard/rooms?{urlencode({'done': done})}", status_code=303)
