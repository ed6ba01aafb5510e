"""Whose invitations the pet accepts. Closed unless the settings say whose."""

import asyncio
from collections.abc import Collection, Sequence

import structlog

from bot.channels.matrix.inbound.rooms import KnownRooms
from bot.channels.matrix.service.homeserver import Homeserver
from bot.channels.matrix.service.json_values import Json, map_in, text_in
from bot.errors import DeliveryFailed
from bot.platforms.http_api import ApiBusy, ApiRefused

log = structlog.get_logger()


def is_allowed(user: str, allowed: Collection[str]) -> bool:
    """Whether an account may invite the pet: it is listed, or its whole server is."""
    server = user.partition(":")[2]
    return user.startswith("@") and bool(server) and (user in allowed or f"*:{server}" in allowed)


def is_direct_in(state: Sequence[Json], pet: str) -> bool:
    """Whether the pet is invited to talk with one person alone."""
    return any(
        map_in(event, "content").get("is_direct") is True
        for event in state
        if text_in(event, "type") == "m.room.member" and event.get("state_key") == pet
    )


def inviter_in(state: Sequence[Json], pet: str) -> str:
    """Who invites the pet, by what is shown of a room; "" where no account is said to."""
    for event in reversed(state):
        is_ours = text_in(event, "type") == "m.room.member" and event.get("state_key") == pet
        if is_ours and text_in(map_in(event, "content"), "membership") == "invite":
            return text_in(event, "sender")
    return ""


AGAIN_S = 60.0
"""Seconds until an invitation is tried again that could not be accepted."""


class Invitations:
    """Accepts the invitations of who may invite, and leaves all others unanswered."""

    def __init__(
        self, homeserver: Homeserver, rooms: KnownRooms, allowed: Collection[str], pet: str
    ) -> None:
        self._homeserver = homeserver
        self._rooms = rooms
        self._allowed = frozenset(allowed)
        self._pet = pet
        self._ignored: set[str] = set()
        self._postponed: dict[str, float] = {}

    async def take(self, room: str, state: Sequence[Json]) -> None:
        """Join a room, or note once that nothing was answered; never fails."""
        inviter = inviter_in(state, self._pet)
        if is_allowed(inviter, self._allowed):
            if is_direct_in(state, self._pet):
                await self._note_direct(room, inviter)
            await self._accept(room)
        elif room not in self._ignored:
            self._ignored.add(room)
            log.info("invitation.ignored", room=room)

    async def followed(self, room: str, by: str) -> None:
        """Join the room that another one goes on in, by the word of who moved it; never fails."""
        if is_allowed(by, self._allowed) and room not in self._rooms.states:
            await self._accept(room)

    @property
    def postponed(self) -> int:
        """How many could not be accepted yet, and are tried again."""
        return len(self._postponed)

    async def retry(self) -> None:
        """Try those again that could not be accepted; never fails."""
        now = asyncio.get_running_loop().time()
        for room in [room for room, due_at in self._postponed.items() if due_at <= now]:
            await self._accept(room)

    def withdrawn(self, room: str) -> None:
        """Try no more to come into a room."""
        self._postponed.pop(room, None)

    async def _note_direct(self, room: str, inviter: str) -> None:
        """Know a room as a direct one, as other clients of the account do."""
        known = self._rooms.direct_with
        if room in self._rooms.direct:
            return
        self._rooms.direct_with = {**known, inviter: [*known.get(inviter, ()), room]}
        try:
            await self._homeserver.keep_direct(self._pet, self._rooms.direct_with)
        except DeliveryFailed as error:
            log.info("direct_room.forgotten", room=room, reason=str(error))

    async def _accept(self, room: str) -> None:
        self._postponed.pop(room, None)
        try:
            await self._homeserver.join(room)
        except ApiRefused as error:
            log.warning("invitation.failed", room=room, reason=str(error))
        except DeliveryFailed as error:
            patience_s = error.retry_after_s if isinstance(error, ApiBusy) else None
            again_s = max(AGAIN_S, patience_s or 0.0)
            self._postponed[room] = asyncio.get_running_loop().time() + again_s
            log.warning(
                "invitation.postponed", room=room, reason=str(error), again_s=round(again_s)
            )
        else:
            log.info("invitation.accepted", room=room)
