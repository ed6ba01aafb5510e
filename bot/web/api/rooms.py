"""`/api/rooms` and `/api/spaces`: where the pet listens, what stays in a room, pauses."""

from typing import Literal

from fastapi import APIRouter, Response
from pydantic import BaseModel

from bot.operations.json import Event
from bot.web.access.dependencies import CommunityReading, CommunityWriting
from bot.web.access.principal import Principal
from bot.web.api.protocol.documented import refusals
from bot.web.api.protocol.problems import NotFound
from bot.web.api.protocol.revisions import IfMatch, check_revision, etag_of
from bot.web.parts import Parts, WebParts
from memory.model.rooms import EVERYWHERE

router = APIRouter(prefix="/api", tags=["rooms"])


class ListedRoom(BaseModel):
    """A room of several people: its role, what says so, whether what is said stays there."""

    id: str
    name: str
    space: str
    role: str
    source: str
    confidential: bool
    parent: str | None


class ListedRooms(BaseModel):
    """Every room of several people, and the spaces that are paused (`*` is all of them)."""

    items: list[ListedRoom]
    next: None = None
    paused: list[str]


class RoomWish(BaseModel):
    """What is to change of a room; `default` takes a choice of its role back.

    `past` closes what was said there before too, where it becomes confidential.
    """

    role: Literal["lobby", "pet", "mention", "ignored", "default"] | None = None
    confidential: bool | None = None
    past: bool = False


class PauseView(BaseModel):
    """Whether that changed anything, and all that is paused now."""

    space: str
    changed: bool
    paused: list[str]


@router.get("/rooms", responses=refusals())
async def list_rooms(principal: CommunityReading, parts: Parts) -> ListedRooms:
    """Every room of several people; of their community for its managers."""
    found = await parts.operations(principal).result("rooms")
    return ListedRooms(items=found["rooms"], paused=found["paused"])


@router.get("/rooms/{room}", responses=refusals(404))
async def read_room(
    room: str, principal: CommunityReading, parts: Parts, response: Response
) -> ListedRoom:
    """One room; the ETag is for a change of it."""
    found = await _room(room, principal, parts)
    response.headers["ETag"] = etag_of(found)
    return ListedRoom(**found)


@router.patch("/rooms/{room}", responses=refusals(404, 412))
async def change_room(
    room: str,
    change: RoomWish,
    *,
    principal: CommunityWriting,
    parts: Parts,
    response: Response,
    if_match: IfMatch = None,
) -> ListedRoom:
    """Choose what the pet does in a room, and whether what is said there stays there."""
    check_revision(if_match, await _room(room, principal, parts))
    operations = parts.operations(principal)
    if change.confidential is not None:
        marked = {"room": room, "confidential": change.confidential, "past": change.past}
        await operations.result("room_mark", marked)
    if change.role is not None:
        await operations.result("room_role", {"room": room, "role": change.role})
    return await read_room(room, principal, parts, response)


@router.post("/spaces/{space}/{what}", responses=refusals(404))
async def pause_space(
    space: str, what: Literal["pause", "resume"], principal: CommunityWriting, parts: Parts
) -> PauseView:
    """Be away from a community, or there again; `*` stands for all of them."""
    arguments = {} if space == EVERYWHERE else {"space": space}
    return PauseView(**await parts.operations(principal).result(what, arguments))


async def _room(named: str, principal: Principal, parts: WebParts) -> Event:
    """The room of an id, if it is one for this reader."""
    found = await parts.operations(principal).result("rooms")
    for one in found["rooms"]:
        if one["id"] == named:
            return dict(one)
    raise NotFound("There is no such room.")
