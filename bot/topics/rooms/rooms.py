"""The operations behind `eko observe`, `eko pause` and `eko resume`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from bot.conversation.rooms import RoomStanding
from bot.surfaces.api.problems import NotFound
from bot.surfaces.operations import TopicOperations, operation
from bot.surfaces.requests import NoArguments, OperationRequest
from bot.surfaces.values import extended
from memory.model.checkins import CheckinRoom
from memory.model.past_readings import RoomReadBack
from memory.model.rooms import EVERYWHERE, RoomId, RoomRole, RoomWish, SpaceId
from memory.model.shown import Shown
from memory.storage.sqlite.database import Check


class ChooseRoleRequest(OperationRequest):
    """What the pet does in a room, by its name or id; `default` takes a choice back."""

    room: Annotated[str, Field(min_length=1, max_length=200)]
    role: Literal["lobby", "pet", "mention", "ignored", "default"]


class MarkRoomRequest(OperationRequest):
    """Whether what is said in a room stays in it, and what was said there before too."""

    room: Annotated[str, Field(min_length=1, max_length=200)]
    confidential: bool
    past: bool = False


class SwitchCheckinsRequest(OperationRequest):
    """Whether the pet may write first in a room, by its name or id."""

    room: Annotated[str, Field(min_length=1, max_length=200)]
    on: bool


class OfSpaceRequest(OperationRequest):
    """One space; None stands for all."""

    space: Annotated[str | None, Field(min_length=1, max_length=200)] = None


class NoSuchPlace(NotFound):
    """A room or a space that is not known, or a name that several rooms have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedRooms:
    """Every room of several people, and the spaces that are paused (`*` is all of them).

    `read_back` says of which rooms the past is read, or was, with how many of its lines are kept;
    `checkins` are the rooms among them in which the pet may write first.
    """

    rooms: Shown[Sequence[RoomStanding]]
    paused: Shown[Sequence[str]]
    read_back: Shown[Sequence[RoomReadBack]]
    checkins: Shown[Sequence[RoomId]]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomBefore:
    """How much was said in a room that others know of, before it became confidential."""

    messages: Shown[int]
    statements: Shown[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedRoom(RoomStanding):
    """A room that was marked, or no longer is."""

    before: Shown[RoomBefore]


@dataclass(frozen=True, slots=True, kw_only=True)
class PauseChange:
    """Whether a pause was begun or ended, and all that is paused now."""

    space: Shown[SpaceId]
    changed: Shown[bool]
    paused: Shown[Sequence[str]]


class RoomOperations(TopicOperations):
    """Shows and changes where the pet listens; managers see and change their community's part.

    Of that they know every room but the confidential ones, which not all of its people can see.
    """

    async def held(self, named: str) -> tuple[RoomStanding, Check]:
        """A room by its id, and what lets a change be made while it is so.

        Raises:
            NoSuchPlace: there is none in reach.

        """
        for one in await self._in_reach():
            if one.room.id == named:
                return one, self._app.register.unchanged(one.room)
        raise NoSuchPlace("There is no such room.")

    async def change(self, room: str, wish: RoomWish, check: Check) -> None:
        """Choose for a room what is wished, if `check` lets it; it holds at once."""
        signed = self._caller.signature
        await self._app.register.change(RoomId(room), wish, by=signed, check=check)

    @operation("rooms")
    async def rooms(self, _request: NoArguments) -> ListedRooms:
        """Every room of several people, with its role and what says so."""
        rooms = await self._in_reach()
        ids, readings = {one.id for one in rooms}, await self._app.storage.past_readings.latest()
        wanted = {one.room.id for one in await self._app.storage.checkins.rooms()}
        return ListedRooms(
            rooms=rooms,
            paused=self._paused(),
            read_back=[one for one in readings if one.room in ids],
            checkins=[one.id for one in rooms if one.id in wanted],
        )

    @operation("room_checkins")
    async def checkins(self, request: SwitchCheckinsRequest) -> ListedRooms:
        """Let the pet write first in a room, or not; it holds at once."""
        room = (await self._one(request.room)).room
        locale = self._app.settings.locale
        place = CheckinRoom(room=room, person=None, account=None, locale=locale)
        by = self._caller.signature
        await self._app.storage.checkins.switch(place, on=request.on, by=by)
        return await self.rooms(NoArguments())

    @operation("room_role")
    async def role(self, request: ChooseRoleRequest) -> RoomStanding:
        """Let a room have a role; it holds at once."""
        role = None if request.role == "default" else RoomRole(request.role)
        room = (await self._one(request.room)).room.id
        await self._app.register.choose(room, role, by=self._caller.signature)
        return await self._one(room)

    @operation("room_mark")
    async def mark(self, request: MarkRoomRequest) -> MarkedRoom:
        """Let what is said in a room stay in it, or take that back; it holds at once."""
        room = (await self._one(request.room)).room.id
        known = await self._app.storage.room_choices.known_before(room)
        wish = RoomWish(confidential=request.confidential, past=request.past)
        await self._app.register.change(room, wish, by=self._caller.signature)
        before = RoomBefore(messages=known.messages, statements=known.statements)
        return extended(MarkedRoom, await self._again(room), before=before)

    @operation("pause")
    async def pause(self, request: OfSpaceRequest) -> PauseChange:
        """Be away from a space, or from all."""
        space = await self._space(request.space)
        begun = await self._app.pausing.pause(space, by=self._caller.signature)
        return PauseChange(space=space, changed=begun, paused=self._paused())

    @operation("resume")
    async def resume(self, request: OfSpaceRequest) -> PauseChange:
        """Be there again."""
        space = self._own_space(request.space)
        if space is None:
            space = EVERYWHERE if request.space is None else SpaceId(request.space)
        ended = await self._app.pausing.resume(space, by=self._caller.signature)
        return PauseChange(space=space, changed=ended, paused=self._paused())

    async def _one(self, named: str) -> RoomStanding:
        standings = await self._in_reach()
        by_id = [one for one in standings if named in {one.room.id, one.room.external_id}]
        found = by_id or [
            one for one in standings if one.room.name.casefold() == named.casefold().lstrip("#")
        ]
        if len(found) == 1:
            return found[0]
        if not found:
            raise NoSuchPlace(f'No room of several people is called "{named}".')
        ids = ", ".join(one.room.id for one in found)
        raise NoSuchPlace(f'Several rooms are called "{named}": name one by its id ({ids}).')

    async def _space(self, named: str | None) -> SpaceId:
        """The space to pause: a misspelt one would stay unpaused without a word."""
        if (own := self._own_space(named)) is not None:
            return own
        if named is None:
            return EVERYWHERE
        standings = await self._app.register.standings(None)
        known = sorted({str(one.room.space) for one in standings} | {"home"})
        if named not in known:
            raise NoSuchPlace(f'There is no space "{named}", only {", ".join(known)}.')
        return SpaceId(named)

    async def _again(self, room: RoomId) -> RoomStanding:
        """A room that was in reach before it was changed."""
        standings = await self._app.register.standings(None)
        return next(one for one in standings if one.room.id == room)

    async def _in_reach(self) -> list[RoomStanding]:
        own = self._caller.actor.space
        standings = await self._app.register.standings(own)
        return [one for one in standings if own is None or not one.room.confidential]

    def _own_space(self, named: str | None) -> SpaceId | None:
        """The one space that a manager's word reaches; None for who may name any."""
        own = self._caller.actor.space
        if own is not None and named not in {None, own}:
            raise NoSuchPlace(f'There is no space "{named}" in your reach.')
        return own

    def _paused(self) -> list[str]:
        own = self._caller.actor.space
        spaces = [one.space for one in self._app.pausing.current]
        return [str(one) for one in spaces if own is None or one in {own, EVERYWHERE}]
