"""Reads what people do on WhatsApp as events of the pet. Nothing here fails."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType

from bot.channels.whatsapp.cloud.events import Arrived, CallContent, Press, StatusReport
from bot.channels.whatsapp.cloud.identities import CloudPerson, NumberBook, is_user_id
from bot.channels.whatsapp.cloud.options import PLATFORM
from bot.channels.whatsapp.service.parts import (
    NOT_SAID,
    kind_of_file,
    shared_contacts,
    shared_location,
    told_apart,
    unread_note,
)
from bot.channels.whatsapp.service.payload import (
    Json,
    id_at,
    moment_at,
    number_at,
    object_at,
    objects_at,
    text_at,
)
from bot.model.events import (
    Attachment,
    AuthorRef,
    Deleted,
    Edited,
    Inbound,
    ReactionsChanged,
    RoomRef,
)
from memory.model.conversations import PartFate
from memory.model.parts import Part
from memory.model.rooms import RoomKind, RoomRole

LONGEST_CARRIED = 256
"""Characters of a button's id, by the documentation of reply buttons."""

_MEDIA = ("image", "video", "audio", "document", "sticker")

_FATES = frozenset(PartFate)

_DEFAULT_TYPES: Mapping[str, str] = MappingProxyType(
    {"image": "image/jpeg", "video": "video/mp4", "audio": "audio/ogg", "sticker": "image/webp"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Written:
    """A message with who wrote it and when."""

    message: Json
    external_id: str
    at: datetime
    author: AuthorRef
    room: RoomRef

    def of_kind(self, kind: str) -> Json:
        return object_at(self.message, kind)


def content_of(values: Iterable[Json], numbers: NumberBook, now: datetime) -> CallContent:
    """What the parts of a call say; what happened first comes first."""
    arrived: list[Arrived] = []
    reports: list[StatusReport] = []
    unread: list[str] = []
    for value in values:
        reports += _reports(value, now)
        for message in objects_at(value, "messages"):
            found = _arrived(message, objects_at(value, "contacts"), numbers, now)
            if found is None:
                unread.append(id_at(message, "type")[:40] or "unknown")
            else:
                arrived.append(found)
    arrived.sort(key=lambda one: one.at)
    return CallContent(arrived=tuple(arrived), reports=tuple(reports), unread=tuple(unread))


def _arrived(
    message: Json, contacts: list[Json], numbers: NumberBook, now: datetime
) -> Arrived | None:
    external_id = id_at(message, "id")
    person = _person(message, contacts, numbers)
    if not external_id or person is None or id_at(message, "group_id"):
        return None  # groups of the Cloud API are rooms with others, which the pet is not in
    author = AuthorRef(
        platform=PLATFORM, external_id=person.account, name=_name(message, contacts, person)
    )
    at = moment_at(message, now)
    room = room_of(person.account, author.name)
    written = _Written(message=message, external_id=external_id, at=at, author=author, room=room)
    event = _event(written)
    if event is None:
        return None
    return Arrived(person=person, external_id=external_id, at=at, event=event)


def room_of(account: str, name: str) -> RoomRef:
    """The direct room of an account."""
    return RoomRef(
        platform=PLATFORM,
        external_id=account,
        name=name,
        kind=RoomKind.DIRECT,
        role=RoomRole.PET,
    )


def _person(message: Json, contacts: list[Json], numbers: NumberBook) -> CloudPerson | None:
    """Who wrote, by their user id; by what stands for their number where there is none."""
    wrote, contact = id_at(message, "from"), _contact(message, contacts)
    number = wrote if wrote.isdecimal() else ""
    for found in (id_at(message, "from_user_id"), id_at(contact, "user_id"), wrote):
        if is_user_id(found):
            return CloudPerson(account=found, number=number)
    return CloudPerson(account=numbers.account_of(number), number=number) if number else None


def _contact(message: Json, contacts: list[Json]) -> Json:
    """What a call says of who wrote a message; the only one it speaks of where it says no more."""
    wrote = {id_at(message, "from"), id_at(message, "from_user_id")} - {""}
    for contact in contacts:
        if wrote & {id_at(contact, "wa_id"), id_at(contact, "user_id")}:
            return contact
    is_of_another = wrote and any(id_at(one, "wa_id") or id_at(one, "user_id") for one in contacts)
    return contacts[0] if len(contacts) == 1 and not is_of_another else {}


def _name(message: Json, contacts: list[Json], person: CloudPerson) -> str:
    profile = object_at(_contact(message, contacts), "profile")
    name = text_at(profile, "name") or text_at(profile, "username")
    return name.strip()[:200] or f"WhatsApp {person.account[-4:]}"


def _event(
    written: _Written,
) -> Inbound | Edited | Deleted | ReactionsChanged | Press | None:
    kind = text_at(written.message, "type")
    if kind in _MEDIA:
        return _with_file(written, kind)
    read = _READERS.get(kind, _unread)
    return read(written)


def _said(
    written: _Written,
    text: str,
    files: tuple[Attachment, ...] = (),
    notes: tuple[Part, ...] = (),
) -> Inbound | None:
    """A message; WhatsApp does not name the author of what is forwarded."""
    if not text.strip() and not files and not notes:
        return None
    context = object_at(written.message, "context")
    typed, forwarded = told_apart(text, context)
    return Inbound(
        external_id=written.external_id,
        room=written.room,
        author=written.author,
        text=typed,
        sent_at=written.at,
        reply_to=id_at(context, "id") or None,
        attachments=files,
        parts=(*forwarded, *notes),
    )


def _text(written: _Written) -> Inbound | None:
    return _said(written, text_at(written.of_kind("text"), "body"))


def _with_file(written: _Written, kind: str) -> Inbound | None:
    about = written.of_kind(kind)
    return _said(written, text_at(about, "caption"), (_attachment(about, kind),))


def _attachment(about: Json, kind: str) -> Attachment:
    """A file by its name and its id, by which its address is asked for when it is looked at."""
    return Attachment(
        name=text_at(about, "filename")[:200],
        media_type=text_at(about, "mime_type")[:100] or _DEFAULT_TYPES.get(kind, ""),
        size=0,
        url=id_at(about, "id"),
        kind=kind_of_file(kind, about),
    )


def _location(written: _Written) -> Inbound | None:
    return _said(written, "", notes=shared_location(written.of_kind("location")))


def _contacts(written: _Written) -> Inbound | None:
    return _said(written, "", notes=shared_contacts(objects_at(written.message, "contacts")))


def _unread(written: _Written) -> Inbound | None:
    """A message of a kind that is not read, which is noted; what WhatsApp says itself is none."""
    kind = text_at(written.message, "type")
    return None if kind in NOT_SAID else _said(written, "", notes=(unread_note(kind),))


def _order(written: _Written) -> Inbound | None:
    return _said(written, text_at(written.of_kind("order"), "text"))


def _button(written: _Written) -> Press | None:
    about = written.of_kind("button")
    return _pressed(written, text_at(about, "payload"), text_at(about, "text"))


def _interactive(written: _Written) -> Press | None:
    about = written.of_kind("interactive")
    reply = object_at(about, text_at(about, "type"))
    return _pressed(written, text_at(reply, "id"), text_at(reply, "title"))


def _pressed(written: _Written, carried: str, title: str) -> Press | None:
    if not carried and not title:
        return None
    return Press(
        external_id=written.external_id,
        author=written.author,
        room=written.room,
        carried=carried[:LONGEST_CARRIED],
        title=title,
    )


def _reaction(written: _Written) -> ReactionsChanged | None:
    about = written.of_kind("reaction")
    target = id_at(about, "message_id")
    if not target:
        return None
    emoji = text_at(about, "emoji")
    return ReactionsChanged(
        platform=PLATFORM,
        external_id=target,
        author=written.author,
        emoji=(emoji,) if emoji else (),
    )


def _edit(written: _Written) -> Edited | None:
    """Told of numbers that the WhatsApp Business app uses as well, by the documentation."""
    about = written.of_kind("edit")
    target, now = id_at(about, "original_message_id"), object_at(about, "message")
    kind = text_at(now, "type")
    part = object_at(now, kind)
    files = (_attachment(part, kind),) if kind in _MEDIA else ()
    text = text_at(part, "body") or text_at(part, "caption")
    if not target or (not text and not files):
        return None
    return Edited(
        platform=PLATFORM,
        external_id=target,
        text=text,
        room=written.room,
        author=written.author,
        attachments=files,
    )


def _revoke(written: _Written) -> Deleted | None:
    target = id_at(written.of_kind("revoke"), "original_message_id")
    return Deleted(platform=PLATFORM, external_id=target) if target else None


_READERS: Mapping[
    str, Callable[[_Written], Inbound | Edited | Deleted | ReactionsChanged | Press | None]
] = MappingProxyType(
    {
        "text": _text,
        "location": _location,
        "contacts": _contacts,
        "order": _order,
        "button": _button,
        "interactive": _interactive,
        "reaction": _reaction,
        "edit": _edit,
        "revoke": _revoke,
    }
)
"""What reads each kind of message; of the others only that they came is kept."""


def _reports(value: Json, now: datetime) -> Iterator[StatusReport]:
    for status in objects_at(value, "statuses"):
        external_id, became = id_at(status, "id"), text_at(status, "status")
        if not external_id or became not in _FATES:
            continue
        errors = objects_at(status, "errors")
        yield StatusReport(
            external_id=external_id,
            fate=PartFate(became),
            at=moment_at(status, now),
            nonce=id_at(status, "biz_opaque_callback_data"),
            code=int((number_at(errors[0], "code") or 0) if errors else 0),
        )
