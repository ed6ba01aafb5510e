"""`/api/rooms` and `/api/spaces`: where the pet listens, what stays in a room, pauses."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from fastapi import APIRouter, Response
from pydantic import BaseModel

from bot.conversation.rooms import RoomStanding
from bot.surfaces.access.dependencies import Allowed
from bot.surfaces.api.cursors import Page
from bot.surfaces.api.documented import refusals
from bot.surfaces.api.revisions import IfMatch, came_too_late, check_revision, etag_of
from bot.surfaces.api.routing import ValueRoute
from bot.surfaces.parts import Parts
from bot.surfaces.requests import NoArguments
from bot.topics.rooms.rooms import OfSpaceRequest, PauseChange, RoomOperations
from memory.model.errors import HoldsNoMore
from memory.model.rooms import EVERYWHERE, RoomId, RoomRole, RoomWish
from memory.model.shown import Shown

router = APIRouter(prefix="/api", tags=["rooms"], route_class=ValueRoute)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomsPage(Page[RoomStanding]):
    """Every room of several people, and the spaces that are paused (`*` is all of them).

    `checkins` are the rooms among them in which the pet may write first.
    """

    paused: Shown[Sequence[str]]
    checkins: Shown[Sequence[RoomId]]


class RoomChange(BaseModel):
    """What is to change of a room; `default` takes a choice of its role back.

    `past` closes what was said there before too, where it becomes confidential.
    """

    role: Literal["lobby", "pet", "mention", "ignored", "default"] | None = None
    confidential: bool | None = None
    past: bool = False

    @property
    def wish(self) -> RoomWish:
        """What is to be chosen."""
        is_default = self.role == "default"
        role = None if self.role is None or is_default else RoomRole(self.role)
        return RoomWish(
            role=role, default_role=is_default, confidential=self.confidential, past=self.past
        )


@router.get("/rooms", responses=refusals())
async def list_rooms(principal: Allowed, parts: Parts) -> RoomsPage:
    """Every room of several people; a manager sees those of the community."""
    found = await parts.of(RoomOperations, principal).rooms(NoArguments())
    return RoomsPage(items=found.rooms, paused=found.paused, checkins=found.checkins)


@router.get("/rooms/{room}", responses=refusals(404))
async def read_room(
    room: str, principal: Allowed, parts: Parts, response: Response
) -> RoomStanding:
    """One room."""
    found, _ = await parts.of(RoomOperations, principal).held(room)
    response.headers["ETag"] = etag_of(found)
    return found


@router.patch("/rooms/{room}", responses=refusals(404, 409, 412))
async def change_room(
    room: str,
    change: RoomChange,
    *,
    principal: Allowed,
    parts: Parts,
    response: Response,
    if_match: IfMatch = None,
) -> RoomStanding:
    """Choose the pet's role in a room, and whether what is said there stays there."""
    rooms = parts.of(RoomOperations, principal)
    shown, check = await rooms.held(room)
    check_revision(if_match, shown)
    try:
        await rooms.change(room, change.wish, check)
    except HoldsNoMore as error:
        now, _ = await rooms.held(room)
        raise came_too_late(if_match, str(error), now) from error
    return await read_room(room, principal, parts, response)


@router.post("/spaces/{space}/{what}", responses=refusals(404))
async def pause_space(
    space: str, what: Literal["pause", "resume"], principal: Allowed, parts: Parts
) -> PauseChange:
    """Pause the pet in a community, or resume it; `*` means all."""
    wanted = OfSpaceRequest(space=None if space == EVERYWHERE else space)
    rooms = parts.of(RoomOperations, principal)
    return await (rooms.pause(wanted) if what == "pause" else rooms.resume(wanted))
