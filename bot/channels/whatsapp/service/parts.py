"""What of a WhatsApp message its author did not type: forwarded words, files and things. Pure.

Both ways to WhatsApp have messages of this form.
"""

from collections.abc import Iterator, Sequence

from bot.channels.whatsapp.service.payload import Json, number_at, object_at, objects_at, text_at
from memory.model.parts import NoteKind, Part, PartSource

MOST_CONTACTS = 20
"""Contacts read of one message; a whole address book says nothing to a pet."""

LONGEST_KIND = 40
"""Characters of the name of a kind of message that is not read."""

NOT_SAID = frozenset({"", "system", "errors", "request_welcome"})
"""Kinds of message that no person sends."""

_FILES = {
    "image": NoteKind.PHOTO,
    "video": NoteKind.VIDEO,
    "audio": NoteKind.AUDIO,
    "document": NoteKind.DOCUMENT,
    "sticker": NoteKind.STICKER,
}


def told_apart(text: str, context: Json) -> tuple[str, tuple[Part, ...]]:
    """What the author typed, and what they forwarded: WhatsApp does not say from whom."""
    is_forwarded = any(context.get(key) is True for key in ("forwarded", "frequently_forwarded"))
    if not is_forwarded:
        return text, ()
    return "", (Part(source=PartSource.FORWARDED, text=text),)


def kind_of_file(kind: str, about: Json) -> NoteKind:
    """What a file of a kind of message is called."""
    return NoteKind.VOICE if about.get("voice") is True else _FILES[kind]


def shared_location(about: Json) -> tuple[Part, ...]:
    """A place by its name, address and coordinates; nothing where there is none of them."""
    latitude, longitude = number_at(about, "latitude"), number_at(about, "longitude")
    where = f"({latitude:.5f}, {longitude:.5f})" if None not in (latitude, longitude) else ""
    named = ", ".join(filter(None, (text_at(about, "name"), text_at(about, "address"))))
    words = " ".join(filter(None, (named, where)))
    return (_note(NoteKind.PLACE, words),) if words else ()


def shared_contacts(contacts: Sequence[Json]) -> tuple[Part, ...]:
    """People by their names, and how they are reached."""
    named = filter(None, map(_contact, contacts[:MOST_CONTACTS]))
    return tuple(_note(NoteKind.CONTACT, one) for one in named)


def unread_note(kind: str) -> Part:
    """That a message came which is of a kind that the pet cannot read."""
    return _note(NoteKind.OTHER, kind[:LONGEST_KIND])


def _contact(contact: Json) -> str:
    name = text_at(object_at(contact, "name"), "formatted_name")
    words = ", ".join([name or "?", *_reached(contact)])
    return words if words != "?" else ""


def _reached(contact: Json) -> Iterator[str]:
    for key, field in (("phones", "phone"), ("emails", "email")):
        for one in objects_at(contact, key):
            if found := text_at(one, field):
                yield found


def _note(kind: NoteKind, text: str) -> Part:
    return Part(source=PartSource.NOTE, text=text, note=kind)
