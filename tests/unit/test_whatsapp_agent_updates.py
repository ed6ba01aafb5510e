"""What an agent is told is read without a fault, whatever it is."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.channels.whatsapp.agent_platform.files import is_theirs
from bot.channels.whatsapp.agent_platform.updates import UNNAMED, AgentUpdates, read_updates
from bot.model.events import Inbound, ReactionsChanged
from memory.model.parts import NoteKind, Part, PartSource

NOW = datetime(2026, 11, 24, 12, tzinfo=UTC)

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=20)
    | st.sampled_from(["user:5", "agent:5", "wamid.A", "\ud800", "9" * 400, "text", "reaction"]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)
"""Anything that JSON can say."""

KINDS = ("text", "image", "audio", "video", "document", "sticker", "reaction", "location", "order")

MESSAGES = st.fixed_dictionaries(
    {},
    optional={
        "from": st.sampled_from(["user:5", "user:a b", "agent:1", "+33612345678"]) | JSON,
        "id": st.sampled_from(["wamid.A", "wamid.B", ""]) | JSON,
        "timestamp": st.sampled_from(["1790000000", "-1", "1e400", "nan", "x"]) | JSON,
        "type": st.sampled_from(KINDS) | JSON,
        "context": st.fixed_dictionaries({"id": JSON}) | JSON,
        **{
            kind: st.dictionaries(
                st.sampled_from(
                    ["body", "caption", "mime_type", "id", "filename", "emoji", "message_id"]
                ),
                JSON,
            )
            | JSON
            for kind in KINDS
        },
    },
)
"""Messages that are nearly right, and wrong somewhere."""


def body_of(*messages: Any, **more: Any) -> dict[str, Any]:
    """The answer to a poll with these messages."""
    change = {"field": "messages", "value": {"messages": list(messages), **more}}
    return {"entry": [{"id": "1", "changes": [change]}], "next_offset": 7}


def read(body: Any) -> AgentUpdates:
    """What is read of an answer."""
    return read_updates(body, {}, NOW)


def said(kind: str, content: Any, **more: Any) -> dict[str, Any]:
    """A message of the creator's."""
    return {"from": "user:5", "id": "wamid.A", "type": kind, kind: content, **more}


@given(
    st.fixed_dictionaries(
        {"entry": st.lists(MESSAGES, max_size=4).map(lambda all_: body_of(*all_)["entry"]) | JSON},
        optional={"next_offset": JSON},
    )
)
def test_no_body_is_a_fault(body: dict[str, Any]) -> None:
    """And what is read of it can be stored: no half of a pair, no time to come, no other author."""
    updates = read(body)
    for event in updates.events:
        assert event.author.external_id.startswith("user:")
        assert event.external_id
        if isinstance(event, Inbound):
            assert event.sent_at <= NOW
            json.dumps([event.text, [one.name for one in event.attachments]]).encode()
            event.text.encode()
    assert updates.next_offset is None or 0 <= updates.next_offset < 2**63


@pytest.mark.parametrize(
    ("kind", "content", "text", "files"),
    [
        ("text", {"body": "bonjour"}, "bonjour", []),
        ("image", {"id": "m", "caption": "vu"}, "vu", [(NoteKind.PHOTO, "", "image/jpeg")]),
        ("audio", {"id": "m", "voice": True}, "", [(NoteKind.VOICE, "", "audio/ogg")]),
        (
            "document",
            {"id": "m", "filename": "a.pdf", "mime_type": "application/pdf"},
            "",
            [(NoteKind.DOCUMENT, "a.pdf", "application/pdf")],
        ),
    ],
)
def test_what_is_said_is_read(
    kind: str, content: Any, text: str, files: list[tuple[str, str, str]]
) -> None:
    """Words, captions, and what files are."""
    (event,) = read(body_of(said(kind, content))).events
    assert isinstance(event, Inbound)
    assert event.text == text
    assert [(one.kind, one.name, one.media_type) for one in event.attachments] == files
    assert all(one.url == "media:m" for one in event.attachments)
    assert event.room.external_id == event.author.external_id == "user:5"


@pytest.mark.parametrize("sign", ["forwarded", "frequently_forwarded"])
def test_what_is_forwarded_is_not_what_its_sender_typed(sign: str) -> None:
    """WhatsApp does not say whose it is."""
    message = said("text", {"body": "I live in Perth."}, context={sign: True})
    (event,) = read(body_of(message)).events
    assert isinstance(event, Inbound)
    assert event.text == ""
    assert event.parts == (Part(source=PartSource.FORWARDED, text="I live in Perth."),)


def test_places_contacts_and_unknown_kinds_are_noted() -> None:
    """None of it is a word of who sends it."""
    place = said("location", {"latitude": 1, "longitude": 2, "name": "Hacker Way"})
    cards = said("contacts", [{"name": {"formatted_name": "Ada"}}])
    events = read(body_of(place, cards, said("poll", {}))).events
    assert [
        (one.text, one.parts[0].note, one.parts[0].text)
        for one in events
        if isinstance(one, Inbound)
    ] == [
        ("", NoteKind.PLACE, "Hacker Way (1.00000, 2.00000)"),
        ("", NoteKind.CONTACT, "Ada"),
        ("", NoteKind.OTHER, "poll"),
    ]


def test_a_reaction_takes_the_place_of_the_one_before() -> None:
    """None is left where the emoji is empty."""
    put, taken = (
        read(body_of(said("reaction", {"message_id": "wamid.B", "emoji": emoji}))).events[0]
        for emoji in ("🎉", "")
    )
    assert isinstance(put, ReactionsChanged)
    assert isinstance(taken, ReactionsChanged)
    assert (put.external_id, put.emoji, taken.emoji) == ("wamid.B", ("🎉",), ())


def test_what_is_said_around_a_message_goes_with_it() -> None:
    """Its author's name, its time, and what it answers under either name."""
    late = str(int((NOW - timedelta(hours=1)).timestamp()))
    contacts = [{"wa_id": "user:5", "profile": {"name": " Léa "}}]
    message = said("text", {"body": "oui"}, timestamp=late, context={"message_id": "wamid.B"})
    (event,) = read(body_of(message, contacts=contacts)).events
    assert isinstance(event, Inbound)
    assert (event.author.name, event.reply_to) == ("Léa", "wamid.B")
    assert event.sent_at == NOW - timedelta(hours=1)
    (nameless,) = read(body_of(message)).events
    assert nameless.author.name == UNNAMED


def test_receipts_of_deliveries_and_what_says_nothing_are_counted() -> None:
    """That something was read tells no more than that it was delivered."""
    statuses = [{"id": "wamid.C", "status": "delivered"}, {"id": "wamid.D", "status": "read"}]
    updates = read(body_of(said("system", {}), said("text", {"body": " "}), statuses=statuses))
    assert (updates.delivered, updates.skipped, updates.events) == (("wamid.C",), 2, ())


@pytest.mark.parametrize(
    ("offset", "read_as"),
    [
        (7, 7),
        ("7", 7),
        (2**63 - 1, 2**63 - 1),
        (2**63, None),
        (-1, None),
        (True, None),
        ("x", None),
    ],
)
def test_an_offset_is_a_number_of_64_bits(offset: object, read_as: int | None) -> None:
    """Whichever way it is written."""
    assert read({"next_offset": offset}).next_offset == read_as


@pytest.mark.parametrize(
    ("address", "is_so"),
    [
        ("https://lookaside.fbsbx.com/agent/v1/media/1/content", True),
        ("https://scontent.fbcdn.net/1", True),
        ("https://api.whatsapp.com/agent/v1/media/1", True),
        ("http://lookaside.fbsbx.com/1", False),
        ("https://lookaside.fbsbx.com.evil.example/1", False),
        ("https://evilfbcdn.net/1", False),
        ("https://user@evil.example/fbcdn.net", False),
        ("https://fbcdn.net:8443/1", False),
        ("https://[::1", False),
    ],
)
def test_the_key_goes_to_whatsapp_alone(address: str, *, is_so: bool) -> None:
    """A file's address comes with an answer, and the key with the request for it."""
    assert is_theirs(address, "https://api.whatsapp.com/agent/v1") is is_so
