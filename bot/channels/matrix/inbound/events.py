"""Matrix's events as the inbox wants them. Pure: what must be asked for is asked for before."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from bot.channels.matrix.inbound.contents import (
    PetAccount,
    attachments_of,
    is_notice,
    mentions_pet,
    new_content,
    parts_of,
    relation_of,
    text_of,
)
from bot.channels.matrix.inbound.rooms import PLATFORM
from bot.channels.matrix.service.json_values import Json, map_in, number_in, text_in
from bot.model.events import AuthorRef, Edited, Inbound, RoomRef
from memory.model.rooms import RoomKind, SpaceId

_SAID = frozenset({"m.room.message", "m.sticker", "m.poll.start", "org.matrix.msc3381.poll.start"})
"""The kinds of event that say something."""

_BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)


def is_said(event: Json) -> bool:
    """Whether an event is a message of a person's, and neither an edit nor a program's notice."""
    content = map_in(event, "content")
    is_message = text_in(event, "type") in _SAID and bool(content)
    return is_message and not is_notice(content) and relation_of(content).replaces is None


def is_edit(event: Json) -> bool:
    """Whether an event changes a message."""
    content = map_in(event, "content")
    changes = relation_of(content).replaces is not None and bool(new_content(content))
    return text_in(event, "type") in _SAID and changes


def is_hidden(event: Json) -> bool:
    """Whether an event is encrypted."""
    return text_in(event, "type") == "m.room.encrypted" and bool(map_in(event, "content"))


def said_at(event: Json, now: datetime) -> datetime:
    """When an event was sent, as its server says; not later than now, whatever it says."""
    try:
        at = _BEGINNING + timedelta(milliseconds=number_in(event, "origin_server_ts", 0))
    except OverflowError:
        return now
    return min(max(at, _BEGINNING), now)


def author_of(user: str, names: Mapping[str, str]) -> AuthorRef:
    """An account under the name that it has in a room; without one, the first part of its id."""
    name = names.get(user, "").strip() or user.removeprefix("@").partition(":")[0]
    return AuthorRef(platform=PLATFORM, external_id=user, name=name)


def inbound_of(
    event: Json, room: RoomRef, author: AuthorRef, pet: PetAccount, now: datetime
) -> Inbound:
    """A message in its room; who its author is to communities is added where it is known."""
    content, kind = map_in(event, "content"), text_in(event, "type")
    spaces: frozenset[SpaceId] = frozenset()
    return Inbound(
        external_id=text_in(event, "event_id"),
        room=room,
        author=author,
        text=text_of(kind, content, pet),
        sent_at=said_at(event, now),
        reply_to=relation_of(content).answers,
        mentions_pet=mentions_pet(content, pet),
        spaces=spaces if room.kind is RoomKind.DIRECT else frozenset({room.space}),
        attachments=attachments_of(kind, content),
        parts=parts_of(kind, content),
    )


def edited_of(event: Json, room: RoomRef, author: AuthorRef | None, pet: PetAccount) -> Edited:
    """What a message says after an edit of it."""
    content = map_in(event, "content")
    said, kind = new_content(content), text_in(event, "type")
    return Edited(
        platform=PLATFORM,
        external_id=relation_of(content).replaces or "",
        text=text_of(kind, said, pet),
        room=room,
        author=author,
        attachments=attachments_of(kind, said),
        parts=parts_of(kind, said),
    )


def redacted_in(event: Json) -> str:
    """The id of what an event takes back; servers say it outside, where clients cannot write."""
    return text_in(event, "redacts") or text_in(map_in(event, "content"), "redacts")


def is_redacted(event: Json) -> bool:
    """Whether nothing is left of what an event said."""
    return "redacted_because" in map_in(event, "unsigned") or not map_in(event, "content")
