"""Places and contacts that people share, as a line of text each. Pure."""

from collections.abc import Iterator, Sequence

from bot.channels.whatsapp.cloud.payload import Json, number_at, object_at, objects_at, text_at

MOST_CONTACTS = 20
"""Contacts read of one message; a whole address book says nothing to a pet."""


def shared_location(about: Json) -> str:
    """A place by its name, address and coordinates; "" where there is none of them."""
    latitude, longitude = number_at(about, "latitude"), number_at(about, "longitude")
    where = f"({latitude:.6f}, {longitude:.6f})" if None not in (latitude, longitude) else ""
    named = ", ".join(filter(None, (text_at(about, "name"), text_at(about, "address"))))
    words = " ".join(filter(None, (named, where)))
    return f"📍 {words}" if words else ""


def shared_contacts(contacts: Sequence[Json]) -> str:
    """People by their names, and how they are reached, a line for each."""
    return "\n".join(filter(None, map(_contact, contacts[:MOST_CONTACTS])))


def _contact(contact: Json) -> str:
    name = text_at(object_at(contact, "name"), "formatted_name")
    words = ", ".join([name or "?", *_reached(contact)])
    return f"👤 {words}" if words != "?" else ""


def _reached(contact: Json) -> Iterator[str]:
    for key, field in (("phones", "phone"), ("emails", "email")):
        for one in objects_at(contact, key):
            if found := text_at(one, field):
                yield found
