"""What a room of Matrix is to the pet, from its state and its members."""

from dataclasses import dataclass

from bot.channels.matrix.inbound.members import Members, RoomMembers
from bot.channels.matrix.inbound.rooms import (
    PLATFORM,
    Access,
    CommunityKind,
    KnownRooms,
    RoomState,
    exposure_of,
    space_of,
    thread_id,
)
from bot.channels.matrix.inbound.upgrades import Upgrades
from bot.model.events import RoomRef
from memory.model.rooms import RoomKind, RoomRole


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomPlace:
    """A room as it is now, with who is in it."""

    ref: RoomRef
    members: RoomMembers


class RoomPlaces:
    """Knows what a room is, of a server's own rooms and of threads in them."""

    def __init__(
        self, rooms: KnownRooms, members: Members, upgrades: Upgrades, default_role: RoomRole
    ) -> None:
        self._rooms = rooms
        self._members = members
        self._upgrades = upgrades
        self._default_role = default_role

    async def of(self, room: str, thread: str | None = None) -> RoomPlace:
        """A room, or the thread that began at a message of it.

        Raises:
            DeliveryFailed: the server did not say who is in it.

        """
        members = await self._members.of(room)
        state = self._rooms.joined(room)
        await self._upgrades.look_up(room)
        if self._is_direct(room, state, members):
            kept = self._rooms.moves.first_of(room)
            return RoomPlace(ref=_direct(kept, state), members=members)
        ref = await self._group(room, state, members)
        return RoomPlace(ref=ref if thread is None else _thread(ref, thread), members=members)

    def manages(self, room: str, user: str) -> bool:
        """Whether an account manages the community of a room: its space, or the room itself."""
        space = self._rooms.space_with(room)
        return self._rooms.joined(room if space is None else space).is_managed_by(user)

    def _is_direct(self, room: str, state: RoomState, members: RoomMembers) -> bool:
        """Whether one person and the pet are alone there, and no other comes without being asked.

        A third one that is invited reads along as soon as they wish.
        """
        is_shut = state.join_rule == "invite" and state.history != "world_readable"
        is_meant = room in self._rooms.direct or not state.name
        return members.count == 2 and is_shut and is_meant and not state.is_space

    async def _group(self, room: str, state: RoomState, members: RoomMembers) -> RoomRef:
        space = self._rooms.space_with(room)
        community = room if space is None else space
        await self._upgrades.look_up(community)
        exposure = exposure_of(await self._access(state, members, space))
        first_of = self._rooms.moves.first_of
        return RoomRef(
            platform=PLATFORM,
            external_id=first_of(room),
            name=state.name,
            kind=RoomKind.GROUP,
            role=self._default_role,
            space=space_of(first_of(community)),
            confidential=exposure.confidential,
            public=exposure.public,
            community=self._rooms.joined(community).name,
        )

    async def _access(self, state: RoomState, members: RoomMembers, space: str | None) -> Access:
        if space is None:
            kind, lets_in, strangers = CommunityKind.OWN, False, False
        else:
            above = self._rooms.joined(space)
            is_open = above.join_rule == "public"
            kind = CommunityKind.OPEN if is_open else CommunityKind.CLOSED
            lets_in = _is_restricted(state) and space in state.let_in
            belonging = await self._members.of(space)
            strangers = bool(members.joined.keys() - belonging.joined.keys())
        return Access(
            join_rule=state.join_rule,
            history=state.history,
            community=kind,
            lets_in=lets_in,
            strangers=strangers,
        )


def _is_restricted(state: RoomState) -> bool:
    return state.join_rule in {"restricted", "knock_restricted"}


def _direct(room: str, state: RoomState) -> RoomRef:
    return RoomRef(
        platform=PLATFORM,
        external_id=room,
        name=state.name,
        kind=RoomKind.DIRECT,
        role=RoomRole.PET,
    )


def _thread(parent: RoomRef, root: str) -> RoomRef:
    return RoomRef(
        platform=PLATFORM,
        external_id=thread_id(parent.external_id, root),
        name=parent.name,
        kind=parent.kind,
        role=parent.role,
        space=parent.space,
        confidential=parent.confidential,
        public=parent.public,
        parent=parent.external_id,
        starter=root,
        community=parent.community,
    )
