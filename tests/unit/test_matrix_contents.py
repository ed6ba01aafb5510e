"""What messages of Matrix say, whatever somebody put into them."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.channels.matrix.inbound.contents import (
    PetAccount,
    attachments_of,
    command_line,
    file_address,
    mentions_pet,
    parts_of,
    parts_of_address,
    relation_of,
    text_of,
)
from bot.channels.matrix.inbound.events import inbound_of, is_edit, is_said, said_at
from bot.channels.matrix.inbound.rooms import PLATFORM
from bot.channels.matrix.inbound.sync import news_in, said_since_invited
from bot.channels.matrix.invitations import inviter_in, is_allowed
from bot.channels.matrix.outbound.contents import html_of, message_content, transaction_of
from bot.model.events import AuthorRef, RoomRef
from bot.platforms.formatting import formatted
from memory.model.parts import NoteKind, Part, PartSource
from memory.model.rooms import RoomKind, RoomRole
from tests.cast import NOON

PET = PetAccount(user_id="@eko:x", name="Eko", commands=frozenset({"forget"}))
ROOM = RoomRef(
    platform=PLATFORM, external_id="!r", name="", kind=RoomKind.GROUP, role=RoomRole.LOBBY
)
LEA = AuthorRef(platform=PLATFORM, external_id="@lea:x", name="Léa")


def text(body: str, **more: Any) -> dict[str, Any]:
    """The content of a message of words."""
    return {"msgtype": "m.text", "body": body, **more}


ANSWERS = {"m.relates_to": {"m.in_reply_to": {"event_id": "$a"}}}


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (text("hello"), "hello"),
        (text("@eko:x: hello"), "Eko: hello"),
        (text("!forget tea"), "/forget tea"),
        (text("!wow"), "!wow"),
        (text("> <@a:x> old\n> more\n\nnew", **ANSWERS), "new"),
        (text("> a quote of mine\n\nnew"), "> a quote of mine\n\nnew"),
        ({"msgtype": "m.emote", "body": "waves"}, "* waves"),
        ({"msgtype": "m.image", "body": "cat.png"}, ""),
        ({"msgtype": "m.image", "body": "my cat", "filename": "cat.png"}, "my cat"),
        ({"msgtype": "m.location", "body": "Here", "geo_uri": "geo:4"}, ""),
        (text("> <@a:x> of another room\n\nnew"), "> <@a:x> of another room\n\nnew"),
        ({"msgtype": 7, "body": "x"}, ""),
        ({"msgtype": "m.text", "body": {"a": 1}}, ""),
        ({"msgtype": "m.text"}, ""),
    ],
)  # fmt: skip
def test_the_words_of_a_message_are_read(content: dict[str, Any], expected: str) -> None:
    """Quotes of older clients, names of files and the pet's id are no words of its author."""
    assert text_of("m.room.message", content, PET) == expected


def test_a_poll_is_a_note_of_what_it_asks() -> None:
    """In the form of the specification and in the older one."""
    new = {"m.poll": {"question": {"m.text": [{"body": "Tea?"}]}}}
    old = {"org.matrix.msc3381.poll.start": {"question": {"org.matrix.msc1767.text": "Tea?"}}}
    asked = (Part(source=PartSource.NOTE, text="Tea?", note=NoteKind.POLL),)
    for kind, content in (("m.poll.start", new), ("org.matrix.msc3381.poll.start", old)):
        assert text_of(kind, content, PET) == ""
        assert parts_of(kind, content) == asked


def test_a_place_is_a_note_of_where_it_is() -> None:
    """By its name and its point on the map."""
    content = {"msgtype": "m.location", "body": "Hacker Way, CA", "geo_uri": "geo:4,5"}
    (place,) = parts_of("m.room.message", content)
    assert (place.note, place.text) == (NoteKind.PLACE, "Hacker Way, CA geo:4,5")


@pytest.mark.parametrize(
    ("kind", "content", "called"),
    [
        ("m.room.message", {"msgtype": "m.image", "body": "a.png"}, NoteKind.PHOTO),
        ("m.room.message", {"msgtype": "m.video", "body": "a.mp4"}, NoteKind.VIDEO),
        ("m.room.message", {"msgtype": "m.file", "body": "a.pdf"}, NoteKind.DOCUMENT),
        ("m.room.message", {"msgtype": "m.audio", "body": "a.mp3"}, NoteKind.AUDIO),
        (
            "m.room.message",
            {"msgtype": "m.audio", "body": "a.ogg", "org.matrix.msc3245.voice": {}},
            NoteKind.VOICE,
        ),
        ("m.sticker", {"body": "wave"}, NoteKind.STICKER),
    ],
)
def test_a_file_is_called_what_it_is(kind: str, content: dict[str, Any], called: NoteKind) -> None:
    """A voice note is marked beside its kind."""
    assert [one.kind for one in attachments_of(kind, content)] == [called]


@pytest.mark.parametrize(("told", "seconds"), [(7_500, 7.5), (-1, 0), ("x", 0), (None, 0)])
def test_a_voice_note_says_how_long_it_is(told: object, seconds: float) -> None:
    """In milliseconds; what a client makes up is no length."""
    content = {"msgtype": "m.audio", "body": "a.ogg", "info": {"duration": told}}
    (file,) = attachments_of("m.room.message", content)
    assert file.seconds == seconds


def test_an_answer_that_only_stands_in_for_a_thread_answers_nothing() -> None:
    """A thread says so; an edit and a reaction answer nothing either."""
    about = {"rel_type": "m.thread", "event_id": "$root", "m.in_reply_to": {"event_id": "$last"}}
    meant = relation_of({"m.relates_to": about})
    stands_in = relation_of({"m.relates_to": {**about, "is_falling_back": True}})
    assert (meant.thread, meant.answers) == ("$root", "$last")
    assert (stands_in.thread, stands_in.answers) == ("$root", None)


@pytest.mark.parametrize(
    ("content", "calls"),
    [
        (text("Eko", **{"m.mentions": {"user_ids": ["@eko:x"]}}), True),
        (text("@eko:x", **{"m.mentions": {}}), False),
        (text("@eko:x, hello"), True),
        (text("@eko:xy, hello"), False),
        (text("hi", formatted_body='<a href="https://matrix.to/#/%40eko%3Ax">Eko</a>'), True),
        (text("hi", **{"m.mentions": {"room": True}}), False),
        (text("hi", **{"m.mentions": {"user_ids": "@eko:x"}}), False),
    ],
)
def test_a_mention_is_what_the_client_says_it_is(content: dict[str, Any], *, calls: bool) -> None:
    """Older ones say nothing and write the account."""
    assert mentions_pet(content, PET) is calls


def test_an_encrypted_file_carries_what_opens_it() -> None:
    """And an address of another kind is none."""
    file = {"key": {"k": "abc"}, "iv": "iv", "hashes": {"sha256": "h"}, "url": "mxc://x/1"}
    content = {"msgtype": "m.image", "body": "cat.png", "file": file, "info": {"size": -3}}
    (one,) = attachments_of("m.room.message", content)
    parts = parts_of_address(one.url)
    assert parts is not None
    assert parts[:2] == ("x", "1")
    assert parts[2]["key"] == {"k": "abc"}
    assert (one.name, one.size) == ("cat.png", 0)
    for bad in ("https://x/1", "mxc://x", "mxc://x/../1", "mxc://x/1#%%%", file_address("", file)):
        assert parts_of_address(bad) is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)
FIELDS = st.sampled_from(
    ["body", "msgtype", "m.relates_to", "m.new_content", "info", "file", "url", "m.mentions",
     "formatted_body", "filename", "m.poll"]
)  # fmt: skip
CONTENT = st.dictionaries(FIELDS, JSON | st.sampled_from(["m.text", "m.image", "m.location"]))


@given(content=CONTENT, when=JSON)
def test_whatever_stands_in_an_event_it_is_read(content: dict[str, Any], when: Any) -> None:
    """It is a message or it is none; nothing fails, and no time is later than now."""
    event = {
        "type": "m.room.message", "event_id": "$1", "sender": "@lea:x", "content": content,
        "origin_server_ts": when,
    }  # fmt: skip
    assert is_said(event) in {True, False}
    assert is_edit(event) in {True, False}
    inbound = inbound_of(event, ROOM, LEA, PET, NOON)
    assert inbound.sent_at <= NOON
    assert isinstance(inbound.text, str)


@given(answer=st.dictionaries(st.sampled_from(["rooms", "next_batch", "account_data"]), JSON))
def test_whatever_a_server_answers_is_read(answer: dict[str, Any]) -> None:
    """As news, or as none."""
    assert isinstance(news_in(answer).until, str)


def test_a_time_beyond_all_calendars_is_now() -> None:
    """Servers of others say what they like."""
    assert said_at({"origin_server_ts": 10**18}, NOON) == NOON
    assert said_at({"origin_server_ts": -(10**18)}, NOON) <= NOON


def test_what_was_said_before_the_pet_was_asked_to_come_is_not_read() -> None:
    """Without a trace of the invitation, nothing before it came is."""

    def member(membership: str) -> dict[str, Any]:
        content = {"membership": membership}
        return {"type": "m.room.member", "state_key": "@eko:x", "content": content}

    before, hello, later = {"event_id": "$0"}, {"event_id": "$1"}, {"event_id": "$2"}
    invite, join = member("invite"), member("join")
    assert said_since_invited((before, invite, hello, join, later), "@eko:x") == (
        hello,
        join,
        later,
    )
    assert said_since_invited((before, hello, join, later), "@eko:x") == (later,)
    assert said_since_invited((before, hello), "@eko:x") == ()


@pytest.mark.parametrize(
    ("user", "allowed"),
    [
        ("@ana:example.org", True),
        ("@bob:friends.example", True),
        ("@bob:example.org", False),
        ("@ana:example.org.evil", False),
        ("@ana:friends.example:8448", False),
        ("", False),
        ("ana:friends.example", False),
    ],
)
def test_invitations_are_those_of_the_list(user: str, *, allowed: bool) -> None:
    """Accounts as a whole, or all of a server; nobody where the list is empty."""
    listed = ("@ana:example.org", "*:friends.example")
    assert is_allowed(user, listed) is allowed
    assert not is_allowed(user, ())


def test_the_inviter_is_who_the_servers_own_state_names() -> None:
    """Other members of that state invite nobody."""
    shown = [
        {"type": "m.room.member", "state_key": "@x:x", "sender": "@evil:x",
         "content": {"membership": "invite"}},
        {"type": "m.room.member", "state_key": "@eko:x", "sender": "@ana:x",
         "content": {"membership": "invite"}},
    ]  # fmt: skip
    assert inviter_in(shown, "@eko:x") == "@ana:x"
    assert inviter_in(shown[:1], "@eko:x") == ""


@pytest.mark.parametrize(
    ("words", "html"),
    [
        ("plain <b>words</b>", ""),
        ("**a** & <i>", "<strong>a</strong> &amp; &lt;i&gt;"),
        ("a\n\n*b*", "a<br><br><em>b</em>"),
        ("`<x>`", "<code>&lt;x&gt;</code>"),
        ("```py\na < b\nc\n```", '<pre><code class="language-py">a &lt; b\nc</code></pre>'),
        ("[x](https://a.b/?c=1&d=2)", '<a href="https://a.b/?c=1&amp;d=2">x</a>'),
        ("> *q*", "<blockquote><em>q</em></blockquote>"),
    ],
)
def test_words_become_html_in_which_everything_is_escaped(words: str, html: str) -> None:
    """Without formats there is none."""
    assert html_of(formatted(words)) == html


@given(words=st.text(max_size=200))
def test_no_word_becomes_a_tag(words: str) -> None:
    """Every tag is one of those that formats stand for."""
    known = ("strong", "em", "del", "code", "pre", "blockquote", "a href", "a>", "br")
    for piece in html_of(formatted(words)).split("<")[1:]:
        assert piece.lstrip("/").startswith(known)


def test_an_answer_calls_who_is_answered_and_nobody_else() -> None:
    """Also where it is too long for its formats to stand beside it."""
    content = message_content("**x**", None, None, None)
    assert content["m.mentions"] == {}
    assert content["formatted_body"] == "<strong>x</strong>"
    assert "formatted_body" not in message_content("**<**" * 8000, None, None, None)


def test_the_same_nonce_is_the_same_transaction() -> None:
    """And another one another."""
    assert transaction_of("a") == transaction_of("a") != transaction_of("b")


def test_a_line_is_a_command_only_where_there_is_one() -> None:
    """Others keep their exclamation mark."""
    assert command_line("!forget", {"forget"}) == "/forget"
    assert command_line("!!forget", {"forget"}) == "!!forget"
    assert command_line("! forget", {"forget"}) == "! forget"
