"""What one answer to `GET /updates` tells, read liberally and left out where it is unknown.

The form is that of the Cloud API's webhooks with a `next_offset` beside them, see the manual of
the Agent Platform and https://elimeshi1.github.io/Whagent/receiving/.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from bot.channels.whatsapp.service.parts import (
    NOT_SAID,
    kind_of_file,
    shared_contacts,
    shared_location,
    told_apart,
    unread_note,
)
from bot.channels.whatsapp.service.payload import Json, object_at, objects_at, text_at
from bot.model.events import Attachment, AuthorRef, Inbound, ReactionsChanged, RoomRef
from memory.model.parts import Part
from memory.model.rooms import RoomKind, RoomRole

PLATFORM = "whatsapp"

LARGEST_OFFSET = 2**63 - 1
"""Offsets are signed numbers of 64 bits."""

MOST_ENTRIES = 1000
"""Messages that are read of one answer; at most 100 are asked for."""

UNNAMED = "WhatsApp"
"""What an account without a profile name is called."""

MEDIA = "media:"
"""Stands before the id of a file, where other platforms have its address."""

_ACCOUNT = re.compile(r"user:[!-9;-~]{1,200}")
"""What the manual lets one write to; `agent:` names agents."""

_ID = re.compile(r"[!-~]{1,400}")

_ENDINGS: Mapping[str, str] = {
    "image": "image/jpeg",
    "sticker": "image/webp",
    "audio": "audio/ogg",
    "video": "video/mp4",
    "document": "application/octet-stream",
}
"""The kinds of messages that are files, and what they are where the media type is not said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentUpdates:
    """What is new: `delivered` are ids of the pet's messages, `skipped` counts unread kinds.

    `next_offset` is None where the answer has none.
    """

    next_offset: int | None
    events: tuple[Inbound | ReactionsChanged, ...] = ()
    delivered: tuple[str, ...] = ()
    skipped: int = 0


def read_updates(body: Mapping[str, Any], names: dict[str, str], now: datetime) -> AgentUpdates:
    """What an answer tells. `names` are profile names by account, and take up those it has."""
    events: list[Inbound | ReactionsChanged] = []
    delivered: list[str] = []
    skipped = 0
    if len(names) > MOST_ENTRIES:
        names.clear()
    for value in _values(body):
        names.update(_names(value.get("contacts")))
        for message in _objects(value.get("messages")):
            event = _event(message, names, now)
            if event is None:
                skipped += 1
            else:
                events.append(event)
        delivered.extend(_delivered(value.get("statuses")))
    return AgentUpdates(
        next_offset=_offset(body.get("next_offset")),
        events=tuple(events),
        delivered=tuple(delivered),
        skipped=skipped,
    )


def _values(body: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for entry in _objects(body.get("entry")):
        for change in _objects(entry.get("changes")):
            if isinstance(value := change.get("value"), dict):
                yield value


def _objects(said: object) -> Iterator[Mapping[str, Any]]:
    several = said if isinstance(said, Sequence) and not isinstance(said, str) else ()
    return (one for one in islice(several, MOST_ENTRIES) if isinstance(one, dict))


def _offset(said: object) -> int | None:
    if isinstance(said, str) and len(said) < 20 and said.isascii() and said.isdecimal():
        said = int(said)
    if isinstance(said, int) and not isinstance(said, bool) and 0 <= said <= LARGEST_OFFSET:
        return said
    return None


def _names(contacts: object) -> Iterator[tuple[str, str]]:
    for contact in _objects(contacts):
        account, profile = contact.get("wa_id"), contact.get("profile")
        name = _text(profile.get("name")) if isinstance(profile, dict) else ""
        if isinstance(account, str) and name.strip():
            yield account, name.strip()


def _delivered(statuses: object) -> Iterator[str]:
    for status in _objects(statuses):
        if status.get("status") == "delivered" and (message := _id(status.get("id"))):
            yield message


def _event(
    message: Mapping[str, Any], names: Mapping[str, str], now: datetime
) -> Inbound | ReactionsChanged | None:
    account, id_ = message.get("from"), _id(message.get("id"))
    if id_ is None or not isinstance(account, str) or not _ACCOUNT.fullmatch(account):
        return None
    author = AuthorRef(platform=PLATFORM, external_id=account, name=names.get(account, UNNAMED))
    if message.get("type") == "reaction":
        return _reaction(message.get("reaction"), author)
    context = object_at(message, "context")
    text, files, notes = _said(message)
    typed, forwarded = told_apart(text, context)
    if not text.strip() and not files and not notes:
        return None
    return Inbound(
        external_id=id_,
        room=room_of(author),
        author=author,
        text=typed,
        sent_at=_sent_at(message.get("timestamp"), now),
        reply_to=_id(context.get("id")) or _id(context.get("message_id")),
        attachments=files,
        parts=(*forwarded, *notes),
    )


def room_of(author: AuthorRef) -> RoomRef:
    """The talk of an agent with an account; an agent is in no other room."""
    return RoomRef(
        platform=PLATFORM,
        external_id=author.external_id,
        name=author.name,
        kind=RoomKind.DIRECT,
        role=RoomRole.PET,
    )


def _reaction(said: object, author: AuthorRef) -> ReactionsChanged | None:
    if not isinstance(said, dict) or (message := _id(said.get("message_id"))) is None:
        return None
    emoji = _text(said.get("emoji"))[:32]
    return ReactionsChanged(
        platform=PLATFORM,
        external_id=message,
        author=author,
        emoji=(emoji,) if emoji.strip() else (),
    )


def _said(message: Json) -> tuple[str, tuple[Attachment, ...], tuple[Part, ...]]:
    """What a message says in words, by a file, or by what can only be noted."""
    kind = text_at(message, "type")
    content = object_at(message, kind)
    if kind == "text":
        return _text(content.get("body")), (), ()
    if kind in _ENDINGS:
        return _text(content.get("caption")), _file(kind, content), ()
    if kind == "location":
        return "", (), shared_location(content)
    if kind == "contacts":
        return "", (), shared_contacts(objects_at(message, kind))
    return "", (), () if kind in NOT_SAID else (unread_note(kind),)


def _file(kind: str, content: Json) -> tuple[Attachment, ...]:
    media_type = _text(content.get("mime_type"))[:100] or _ENDINGS[kind]
    id_ = _id(content.get("id"))
    name = _text(content.get("filename"))[:200].strip()
    return (
        Attachment(
            name=name,
            media_type=media_type,
            size=0,
            url=f"{MEDIA}{id_ or ''}",
            kind=kind_of_file(kind, content),
        ),
    )


def _id(said: object) -> str | None:
    return said if isinstance(said, str) and _ID.fullmatch(said) else None


def _text(said: object) -> str:
    """The text without what can be no character alone, as half of a pair can be in JSON."""
    return said.encode("utf-8", "replace").decode() if isinstance(said, str) else ""


def _sent_at(said: object, now: datetime) -> datetime:
    """When it was sent, never in the future; now where that cannot be read."""
    try:
        seconds = float(said) if isinstance(said, str | int | float) else now.timestamp()
        return min(datetime.fromtimestamp(max(seconds, 0.0), UTC), now)
    except (ValueError, OverflowError, OSError):
        return now
