"""What Meta hands to the webhook: who is believed, what is read, what is answered."""

import json
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest
import pytest_asyncio
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.channels.whatsapp.cloud.channel import CloudChannel
from bot.channels.whatsapp.cloud.followed import MOST_KEPT, ServiceWindows
from bot.channels.whatsapp.cloud.graph import WindowClosed
from bot.errors import ChannelAway
from bot.model.events import Deleted, Edited, ReactionsChanged
from memory.model.notices import NoticeKind
from memory.model.parts import NoteKind, Part, PartSource
from tests.cast import NOON
from tests.channels.whatsapp_host import OnWhatsapp, on_cloud, options_of
from tests.channels.whatsapp_server import (
    WORD,
    Customer,
    WhatsappServer,
    open_whatsapp,
    signature_of,
)

pytestmark = pytest.mark.asyncio(loop_scope="module")

LEA = Customer(name="Léa", user_id="FR.13491208655302741918", phone="33612345678")
TOM = Customer(name="Tom", user_id="US.23491208655302741918")
OLD = Customer(name="Old", phone="4915112345678")
NOW = NOON.timestamp()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server() -> AsyncIterator[WhatsappServer]:
    """One server for every test of this file; the pet is not called by it."""
    async with open_whatsapp() as found:
        found.reports = False
        yield found


@pytest_asyncio.fixture(loop_scope="module")
async def there(server: WhatsappServer) -> AsyncIterator[OnWhatsapp]:
    """A channel of its own for each test."""
    async with on_cloud(server.url) as found:
        yield found


def text(server: WhatsappServer, who: Customer, words: str, ago_s: float = 0) -> dict[str, Any]:
    """A message with words."""
    return server.message_of(who, "text", at=NOW - ago_s, text={"body": words})


async def test_a_signature_that_is_wrong_missing_or_strange_is_forbidden(
    server: WhatsappServer, there: OnWhatsapp
) -> None:
    """Whatever stands in the header, and whatever it signs."""
    body = server.body_of(server.value_of(LEA, text(server, LEA, "hello")))
    right = signature_of(body)
    strange = [
        {"x_nothing": "1"},
        {"x_hub_signature_256": ""},
        {"x_hub_signature_256": right[7:]},
        {"x_hub_signature_256": right[:-1] + "é"},
        {"x_hub_signature_256": "sha256=\udcff\x00"},
        {"x_hub_signature_256": signature_of(body, "another secret")},
        {"x_hub_signature_256": signature_of(body + b" ")},
        {"x_hub_signature_256": right.upper()},
    ]
    assert [(await there.called(body, **one)).status for one in strange] == [403] * len(strange)
    assert there.said == []
    assert (await there.called(body)).status == 200
    assert [one.text for one in there.said] == ["hello"]


async def test_without_the_secret_nothing_is_taken(server: WhatsappServer) -> None:
    """An empty one is none: what is signed with it comes from anywhere."""
    body = server.body_of(server.value_of(LEA, text(server, LEA, "hello")))
    async with on_cloud(server.url, app_secret="") as there:
        answer = await there.called(body, x_hub_signature_256=signature_of(body, ""))
        assert (answer.status, there.said) == (403, [])


async def test_the_word_is_asked_for_once_and_given_back_as_text(there: OnWhatsapp) -> None:
    """To who knows it; a word that is none of ASCII is wrong and no more."""
    right = {"hub_mode": "subscribe", "hub_verify_token": WORD, "hub_challenge": "1158201444"}
    answer = await there.asked(**right)
    assert (answer.status, answer.text) == (200, "1158201444")
    for wrong in ({"hub_verify_token": "é\udcff"}, {"hub_mode": "unsubscribe"}):
        assert (await there.asked(**{**right, **wrong})).status == 403
    assert (await there.asked()).status == 403


async def test_no_word_is_none_that_can_be_guessed(server: WhatsappServer) -> None:
    """Without one of the pet's own an empty one does not do."""
    async with on_cloud(server.url, verify_token="") as there:
        given_ = {"hub_mode": "subscribe", "hub_verify_token": "", "hub_challenge": "1"}
        assert (await there.asked(**given_)).status == 403


async def test_every_entry_and_message_is_taken_in_the_order_it_was_said(
    server: WhatsappServer, there: OnWhatsapp
) -> None:
    """Also where a body has them in another; those of another number are left alone."""
    three = [text(server, LEA, f"three {n}", ago_s=30 - n) for n in (2, 0, 1)]
    two = text(server, TOM, "two", ago_s=10)
    body = server.body_of(server.value_of(LEA, *three), server.value_of(TOM, two))
    other = server.body_of(server.value_of(LEA, text(server, LEA, "other")), number="999")
    assert (await there.called(body)).status == 200
    assert (await there.called(other)).status == 200
    assert [one.text for one in there.said] == ["three 0", "three 1", "three 2", "two"]
    assert [one.author.external_id for one in there.said] == [LEA.user_id] * 3 + [TOM.user_id]
    assert {one.author.name for one in there.said} == {"Léa", "Tom"}


async def test_what_cannot_be_stored_is_to_come_again(
    server: WhatsappServer, there: OnWhatsapp
) -> None:
    """And so is what comes before the pet is there."""
    body = server.body_of(server.value_of(LEA, text(server, LEA, "hello")))
    there.inbox.failures = 1
    assert [(await there.called(body)).status for _ in range(2)] == [503, 200]
    assert [one.text for one in there.said] == ["hello"]
    early = OnWhatsapp(CloudChannel(options_of(server.url)), there.clock)
    assert (await early.called(body)).status == 503
    await early.channel.close()


async def test_one_message_that_cannot_be_read_costs_itself(
    server: WhatsappServer, there: OnWhatsapp
) -> None:
    """It would be handed over for seven days otherwise, and hold up all that came with it."""
    there.inbox.failures, there.inbox.error = 2, ValueError("a fault of ours")
    pair = [text(server, LEA, f"{n}") for n in range(2)]
    assert (await there.called(server.body_of(server.value_of(LEA, *pair)))).status == 200
    assert [one.text for one in there.said] == ["1"]


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b'{"a": ' * 100_000, b"\xff\xfe"])
async def test_what_cannot_be_read_is_not_asked_for_again(there: OnWhatsapp, body: bytes) -> None:
    """Signed as it is: it would be no better the next time."""
    assert (await there.called(body)).status == 200


KINDS: list[tuple[str, dict[str, Any], str, list[tuple[str, str, str]]]] = [
    ("image", {"id": "9", "mime_type": "image/png", "caption": "My cat"}, "My cat",
     [(NoteKind.PHOTO, "", "image/png")]),
    ("document", {"id": "9", "filename": "a.pdf", "mime_type": "application/pdf"}, "",
     [(NoteKind.DOCUMENT, "a.pdf", "application/pdf")]),
    ("audio", {"id": "9", "voice": True}, "", [(NoteKind.VOICE, "", "audio/ogg")]),
    ("audio", {"id": "9"}, "", [(NoteKind.AUDIO, "", "audio/ogg")]),
    ("sticker", {"id": "9", "mime_type": "image/webp"}, "",
     [(NoteKind.STICKER, "", "image/webp")]),
    ("video", {"id": "9"}, "", [(NoteKind.VIDEO, "", "video/mp4")]),
    ("order", {"text": "Two, please.", "catalog_id": "1"}, "Two, please.", []),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "part", "words", "files"), KINDS, ids=range(len(KINDS)))
async def test_each_kind_is_read_by_its_words_and_names(
    server: WhatsappServer,
    there: OnWhatsapp,
    kind: str,
    part: dict[str, Any],
    words: str,
    files: list[tuple[str, str, str]],
) -> None:
    """Files by what they are, their name and type; captions are words of their author."""
    message = server.message_of(LEA, kind, at=NOW, **{kind: part}, context={"id": "wamid.before"})
    await there.called(server.body_of(server.value_of(LEA, message)))
    (said,) = there.said
    assert (said.text, said.reply_to) == (words, "wamid.before")
    assert [(one.kind, one.name, one.media_type) for one in said.attachments] == files


async def test_a_place_is_a_note_and_no_words(server: WhatsappServer, there: OnWhatsapp) -> None:
    """By its name and its point on the map."""
    place = {"latitude": 48.85, "longitude": 0, "name": "Hacker Way", "address": "Menlo Park, CA"}
    message = server.message_of(LEA, "location", at=NOW, location=place)
    await there.called(server.body_of(server.value_of(LEA, message)))
    (said,) = there.said
    text = "Hacker Way, Menlo Park, CA (48.85000, 0.00000)"
    assert said.text == ""
    assert said.parts == (Part(source=PartSource.NOTE, text=text, note=NoteKind.PLACE),)


@pytest.mark.parametrize("sign", ["forwarded", "frequently_forwarded"])
async def test_forwarded_words_are_somebodys_whom_whatsapp_does_not_name(
    server: WhatsappServer, there: OnWhatsapp, sign: str
) -> None:
    """Whoever forwards them has typed nothing: neither words, nor a caption, nor a command."""
    messages = [
        server.message_of(LEA, "text", at=NOW, text={"body": body}, context={sign: True})
        for body in ("I live in Perth.", "/forget all")
    ]
    photo = {"id": "9", "caption": "My flat"}
    messages.append(server.message_of(LEA, "image", at=NOW, image=photo, context={sign: True}))
    await there.called(server.body_of(server.value_of(LEA, *messages)))
    assert [one.text for one in there.said] == ["", "", ""]
    assert [one.parts for one in there.said] == [
        (Part(source=PartSource.FORWARDED, text=text),)
        for text in ("I live in Perth.", "/forget all", "My flat")
    ]


async def test_contacts_are_told_by_name(server: WhatsappServer, there: OnWhatsapp) -> None:
    """Several of them, a note each, whatever they leave out."""
    shared = [
        {"name": {"formatted_name": "Ada"}, "phones": [{"phone": "+33 1"}], "emails": [{}]},
        {"name": 7, "phones": "x"},
        {"name": {"formatted_name": "Ben"}},
    ]
    message = server.message_of(LEA, "contacts", at=NOW, contacts=shared)
    await there.called(server.body_of(server.value_of(LEA, message)))
    (said,) = there.said
    assert said.text == ""
    assert [(one.note, one.text) for one in said.parts] == [
        (NoteKind.CONTACT, "Ada, +33 1"),
        (NoteKind.CONTACT, "Ben"),
    ]


async def test_reactions_edits_and_revocations_follow_their_message(
    server: WhatsappServer, there: OnWhatsapp
) -> None:
    """An empty emoji takes a reaction away."""
    now = {"type": "text", "text": {"body": "better"}}
    messages = [
        server.message_of(LEA, "reaction", at=NOW, reaction={"message_id": "a", "emoji": "👍"}),
        server.message_of(LEA, "reaction", at=NOW, reaction={"message_id": "a", "emoji": ""}),
        server.message_of(LEA, "edit", at=NOW, edit={"original_message_id": "b", "message": now}),
        server.message_of(LEA, "revoke", at=NOW, revoke={"original_message_id": "c"}),
    ]
    await there.called(server.body_of(server.value_of(LEA, *messages)))
    put, gone, edited, deleted = there.inbox.events
    assert isinstance(put, ReactionsChanged)
    assert isinstance(gone, ReactionsChanged)
    assert (put.emoji, gone.emoji, gone.external_id) == (("👍",), (), "a")
    assert isinstance(edited, Edited)
    assert (edited.external_id, edited.text) == ("b", "better")
    assert deleted == Deleted(platform="whatsapp", external_id="c")


async def test_of_an_unknown_kind_it_is_noted_that_it_came(
    server: WhatsappServer, there: OnWhatsapp
) -> None:
    """Its sender waits for a word, as after any other message."""
    messages = [
        server.message_of(LEA, "unsupported", at=NOW, errors=[{"code": 131051}]),
        server.message_of(LEA, "hologram", at=NOW, hologram={"id": "9"}),
    ]
    await there.called(server.body_of(server.value_of(LEA, *messages)))
    assert [(one.text, one.parts[0].note, one.parts[0].text) for one in there.said] == [
        ("", NoteKind.OTHER, "unsupported"),
        ("", NoteKind.OTHER, "hologram"),
    ]


async def test_system_messages_and_groups_are_left_alone(
    server: WhatsappServer, there: OnWhatsapp
) -> None:
    """A group is no direct room: what is said in one must not be answered as if it were."""
    messages = [
        server.message_of(LEA, "system", at=NOW, system={"type": "user_changed_user_id"}),
        {**text(server, LEA, "to the group"), "group_id": "Y2FwaV9ncm91cA"},
        {**text(server, LEA, "no id"), "id": None},
        text(server, LEA, " "),
        {"type": "text", "text": {"body": "from no one"}, "id": "wamid.x"},
    ]
    value = {**server.value_of(LEA, *messages), "contacts": []}
    assert (await there.called(server.body_of(value))).status == 200
    assert there.inbox.events == []


async def test_a_person_without_a_user_id_is_known_by_no_number(
    server: WhatsappServer, there: OnWhatsapp
) -> None:
    """Their account is a keyed hash; who was there before the start is answered once they write."""
    message = text(server, OLD, "hello")
    body = server.body_of(server.value_of(OLD, message))
    await there.called(body)
    (said,) = there.said
    account = said.author.external_id
    assert account.startswith("nr.")
    assert OLD.phone not in repr(there.inbox.events)
    assert there.arrived == [account]
    sent = await there.sends(account, "hello", answers=message["id"])
    assert next(one for one in server.sent if one.id == sent).body["to"] == OLD.phone
    async with on_cloud(server.url) as again:
        with pytest.raises(ChannelAway, match="until they write again"):
            await again.sends(account, "hello again")
        await again.called(body)
        assert again.said[0].author.external_id == account
        assert await again.sends(account, "hello again")
    async with on_cloud(server.url, app_secret="another") as other:
        await other.called(body, x_hub_signature_256=signature_of(body, "another"))
        assert other.said[0].author.external_id != account


async def test_who_is_not_allowed_leaves_nothing_and_is_told_of_once(
    server: WhatsappServer,
) -> None:
    """The operator can copy the account into the settings; numbers are taken as they come."""
    bodies = [
        server.body_of(server.value_of(who, text(server, who, "hello"))) for who in (LEA, TOM, OLD)
    ]
    for allowed, heard in (
        ((), []),
        ((TOM.user_id,), [TOM.user_id]),
        (("+33 6 12 34 56 78",), [LEA.user_id]),
    ):
        async with on_cloud(server.url, allowed=allowed) as there:
            for body in bodies * 2:
                assert (await there.called(body)).status == 200
            assert [one.author.external_id for one in there.said] == heard * 2
            stranger = there.channel.webhook.last_stranger
            assert stranger is not None
            assert stranger.startswith("nr.")
    async with on_cloud(server.url, allowed=()) as there:
        there.admins.add(f"whatsapp:{TOM.user_id}")
        for body in bodies:
            await there.called(body)
        assert [one.author.external_id for one in there.said] == [TOM.user_id]


async def test_what_was_missed_is_late_and_what_is_too_old_is_a_replay(
    server: WhatsappServer, there: OnWhatsapp
) -> None:
    """Meta hands over for seven days what it could not; no later than that."""
    days = [text(server, LEA, f"{day} days", ago_s=day * 86_400) for day in (0, 1, 7, 9, 400)]
    await there.called(server.body_of(server.value_of(LEA, *days)))
    assert [one.text for one in there.said] == ["7 days", "1 days", "0 days"]
    assert there.inbox.missed == [days[2]["id"], days[1]["id"]]


async def test_a_moment_that_is_none_is_now(server: WhatsappServer, there: OnWhatsapp) -> None:
    """Neither the future nor a word is a time."""
    times = [str(NOW + 9e9), "soon", None, -1, True, 1e400, "٣"]
    messages = [{**text(server, LEA, "x"), "timestamp": one} for one in times[:5]]
    await there.called(server.body_of(server.value_of(LEA, *messages)))
    assert [one.sent_at for one in there.said] == [NOON] * 5


async def test_a_status_may_come_before_its_message_and_twice(
    server: WhatsappServer, there: OnWhatsapp
) -> None:
    """One of a message that nobody sent changes nothing; one that failed is told."""
    known = {"id": "wamid.unknown", "status": "read", "timestamp": "1"}
    failed = {**known, "status": "failed", "errors": [{"code": 131047}, "x"]}
    strange = [{"id": 1, "status": []}, {"status": "read"}, {**known, "status": "eaten"}, 7]
    value = {"statuses": [known, known, failed, *strange]}
    assert (await there.called(server.body_of(value))).status == 200
    ((about, reason),) = there.notices.of(NoticeKind.DELIVERY_FAILED)
    assert (about, "131047" in reason) == ("whatsapp", True)


async def test_outside_the_24_hours_nothing_is_asked(
    server: WhatsappServer, there: OnWhatsapp
) -> None:
    """Where it is certain; a message opens them again."""
    hello = text(server, LEA, "hello")
    await there.called(server.body_of(server.value_of(LEA, hello)))
    there.clock.advance(timedelta(hours=25))
    with pytest.raises(WindowClosed, match="24 hours"):
        await there.sends(LEA.user_id, "late")
    assert [one.text for one in server.sent].count("late") == 0
    again = {**text(server, LEA, "hello"), "timestamp": str(NOW + 25 * 3600)}
    await there.called(server.body_of(server.value_of(LEA, again)))
    assert await there.sends(LEA.user_id, "late")


async def test_of_who_has_not_written_since_the_start_meta_knows_more() -> None:
    """Until the start is a day ago; and where more were seen than are kept in mind."""
    windows = ServiceWindows()
    assert not windows.is_closed("a", NOON)
    windows.begin(NOON)
    assert not windows.is_closed("a", NOON + timedelta(hours=24))
    assert windows.is_closed("a", NOON + timedelta(hours=25))
    for number in range(MOST_KEPT + 1):
        windows.wrote(str(number), NOON, "x")
    assert not windows.is_closed("0", NOON + timedelta(hours=25))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["id", "from", "type", "text", "body", "emoji", "name", "code", "x"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)
KIND = st.sampled_from([*(one[0] for one in KINDS), "text", "reaction", "edit", "interactive",
                        "button", "contacts", "system", "?"])  # fmt: skip
MESSAGE = st.fixed_dictionaries(
    {},
    optional={
        "id": JSON | st.just("wamid.y"),
        "from": JSON | st.just("336"),
        "from_user_id": JSON | st.just("FR.1"),
        "timestamp": JSON | st.just("1780000000"),
        "type": KIND,
        "context": JSON,
        **dict.fromkeys(("text", "image", "reaction", "edit", "interactive", "button"), JSON),
        **dict.fromkeys(("contacts", "location", "order", "revoke", "errors"), JSON),
    },
)
VALUE = st.fixed_dictionaries(
    {},
    optional={
        "messages": st.lists(MESSAGE | JSON, max_size=3) | JSON,
        "contacts": st.lists(JSON, max_size=2) | JSON,
        "statuses": st.lists(JSON, max_size=2) | JSON,
    },
)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def always(server: WhatsappServer) -> AsyncIterator[OnWhatsapp]:
    """One channel for all that hypothesis thinks of."""
    async with on_cloud(server.url) as found:
        yield found


@given(values=st.lists(VALUE, max_size=3), whole=JSON)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
async def test_no_body_does_any_harm(
    server: WhatsappServer, always: OnWhatsapp, values: list[dict[str, Any]], whole: object
) -> None:
    """Whatever is signed is answered by 200, and what is stored can be stored."""
    for body in (server.body_of(*values), json.dumps(whole).encode()):
        assert (await always.called(body)).status == 200
    for one in always.said:
        (one.external_id + one.author.external_id + one.author.name + one.text).encode()
    always.inbox.events.clear()
