"""Why a room on Telegram takes nothing from the pet, and which rooms do not now.

Telegram has no codes for it. What is compared are the words of its server and the errors of
https://core.telegram.org/method/messages.sendMessage that these are made of.
"""

from collections.abc import Callable, Mapping

import structlog

from bot.channels.telegram.findings import TEXTS, RoomRefusal, todo_of
from bot.channels.telegram.inbound.rooms import PLATFORM
from bot.channels.telegram.service.api import described
from bot.errors import DeliveryRefused
from bot.platforms.http_api import ApiRefused
from bot.texts.catalogue import texts_in
from memory.model.notices import NoticeKind, OwnerNotice

log = structlog.get_logger()

_FORBIDDEN = 403
"""The status of what is about the room, whatever was to be sent."""

_SIGNS: Mapping[RoomRefusal, tuple[str, ...]] = {
    RoomRefusal.BLOCKED: ("bot was blocked", "user_is_blocked"),
    RoomRefusal.UNSTARTED: ("can't initiate conversation", "chat not found", "peer_id_invalid"),
    RoomRefusal.GONE: ("deactivated", "was deleted", "input_user_deactivated"),
    RoomRefusal.OUT: ("bot was kicked", "is not a member", "channel_private"),
    RoomRefusal.TOPIC_CLOSED: ("topic_closed", "topic_deleted", "thread not found"),
    RoomRefusal.MUTED: (
        *("not enough rights", "no rights to send", "chat_write_forbidden", "chat_restricted"),
        *("_plain_forbidden", "administrator rights", "chat_guest_send_forbidden"),
    ),
}
"""Parts of Telegram's words, in lower case, for each of the reasons."""


class RoomShut(DeliveryRefused):
    """A room takes nothing from the pet, whatever it is, until a member changes that."""

    def __init__(self, kind: RoomRefusal, status: int) -> None:
        super().__init__(f"Telegram refuses it ({kind}, status {status}).")
        self.kind = kind


def refusal_of(refused: ApiRefused) -> DeliveryRefused:
    """A refused message as an error in our words: of this message, or of its room."""
    said = described(refused)
    for kind, signs in _SIGNS.items():
        if any(one in said for one in signs):
            return RoomShut(kind, refused.status)
    if refused.status == _FORBIDDEN:
        return RoomShut(RoomRefusal.OUT, refused.status)
    return DeliveryRefused(str(refused))


class RefusingRooms:
    """Knows which rooms take nothing now, and why; the owner is warned of each once."""

    def __init__(self, locale: str) -> None:
        self.warn: Callable[[OwnerNotice], None] = lambda _: None
        self._texts = texts_in(locale, TEXTS)
        self._now: dict[str, RoomRefusal] = {}

    @property
    def now(self) -> Mapping[str, RoomRefusal]:
        """The rooms by their numbers."""
        return self._now

    def refused(self, room: str, kind: RoomRefusal) -> None:
        """Note that a room takes nothing."""
        if self._now.get(room) is kind:
            return
        self._now[room] = kind
        log.warning("room.shut", room=room, kind=kind)
        about = f"{PLATFORM}:{room}"
        reason = self._texts.say(f"doctor.todo.{todo_of(kind)}", rooms=room)
        self.warn(OwnerNotice(kind=NoticeKind.DELIVERY_FAILED, about=about, reason=reason))

    def opened(self, room: str) -> None:
        """Note that a room takes what is said; with a topic the group does."""
        for one in {room, room.partition(":")[0]}:
            if self._now.pop(one, None) is not None:
                log.info("room.opened", room=one)
