"""What Telegram tells is read whatever it is, and means the same as it does there."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from bot.channels.telegram.inbound.files import attachments_of
from bot.channels.telegram.inbound.objects import TelegramMessage, Update
from bot.channels.telegram.inbound.reader import (
    VouchedStanding,
    edited_of,
    inbound_of,
    is_read,
    reacted_of,
)
from bot.channels.telegram.inbound.rooms import (
    ChatPlace,
    GroupRules,
    author_of,
    named_topics,
    number_in,
    place_of,
    room_of,
    thread_of,
)
from bot.channels.telegram.inbound.words import BotAccount, calls
from bot.model.events import Inbound
from memory.model.parts import NoteKind, Part, PartSource
from memory.model.rooms import RoomKind, RoomRole
from tests.channels.telegram_rules import detected

PET = BotAccount(id=7, username="eko_pet_bot", name="Eko")
NUMBER = -1_001_000_000_001
GROUP = {"id": NUMBER, "type": "supergroup", "title": "Lobby"}
LEA = {"id": 1, "is_bot": False, "first_name": "Léa", "last_name": "Roy"}


def message(**more: Any) -> TelegramMessage:
    """A message of Léa's in the lobby, with what is said of it besides."""
    about = {"message_id": 5, "date": 1_700_000_000, "chat": GROUP, "from": more.pop("from_", LEA)}
    return TelegramMessage.model_validate(about | more)


def read(rules: GroupRules | None = None, **more: Any) -> Inbound:
    """The same as the inbox has it."""
    found, known = message(**more), rules or GroupRules()
    author = author_of(found, known)
    assert author is not None
    return inbound_of(found, author, VouchedStanding(), PET, known)


def test_a_group_is_a_community_and_a_topic_hangs_under_it() -> None:
    """A message in a topic answers the one that opened it, which is no reply, and names it."""
    opened = {"message_id": 3, "chat": GROUP, "forum_topic_created": {"name": "Garden"}}
    said = message(message_thread_id=3, is_topic_message=True, reply_to_message=opened, text="hi")
    rules = GroupRules(topics=dict(named_topics(said)))
    room = room_of(said.chat, thread_of(said), rules)
    assert (room.external_id, room.parent, room.name, room.community) == (
        "-1001000000001:3",
        "-1001000000001",
        "Garden",
        "Lobby",
    )
    assert (room.space, room.kind, room.role) == (
        "telegram:-1001000000001",
        RoomKind.GROUP,
        RoomRole.LOBBY,
    )
    assert inbound_of(said, _author(said), VouchedStanding(), PET, rules).reply_to is None
    assert not calls(said, PET)


def test_threads_of_replies_are_no_rooms() -> None:
    """A group that is no forum numbers them too."""
    assert read(message_thread_id=3, text="hi").room.external_id == "-1001000000001"


def test_a_group_with_a_public_name_is_read_by_strangers() -> None:
    """What is said there goes nowhere else."""
    assert read(text="hi", chat=GROUP | {"username": "lobby"}).room.public
    assert not read(text="hi").room.public


def test_a_group_keeps_its_room_when_its_number_changes() -> None:
    """Also after it changed twice, and what is said goes to where it is now."""
    rules = GroupRules()
    rules.moves.moved(-40, NUMBER)
    assert read(rules, text="hi").room.external_id == "-40"
    assert place_of("-40", rules).chat == NUMBER
    rules.moves.moved(NUMBER, -1_001_000_000_002)
    assert place_of("-40:9", rules).chat == -1_001_000_000_002
    assert rules.moves.first_of(-1_001_000_000_002) == -40


def test_the_pet_is_called_by_its_username_a_reply_or_its_profile() -> None:
    """Its username is read as its name; places count UTF-16 units."""
    text = "🦊🦊 @eko_pet_bot, 🐳 ?"
    said = read(text=text, entities=[{"type": "mention", "offset": 5, "length": 12}])
    assert (said.text, said.mentions_pet) == ("🦊🦊 @Eko, 🐳 ?", True)
    answered = {"message_id": 4, "chat": GROUP, "from": {"id": 7, "is_bot": True}}
    replied = read(text="and you?", reply_to_message=answered)
    assert (replied.mentions_pet, replied.reply_to) == (True, "-1001000000001:4")
    linked = {"type": "text_mention", "offset": 0, "length": 3, "user": {"id": 7}}
    assert read(text="you there", entities=[linked]).mentions_pet
    other = [{"type": "mention", "offset": 0, "length": 15}]
    assert not read(text="@eko_other_bots", entities=other).mentions_pet


def test_an_admin_who_stays_unnamed_is_the_group() -> None:
    """A channel that a person writes as is itself; what a linked channel posts is a copy."""
    anonymous = {"id": 1_087_968_824, "is_bot": True, "first_name": "Group"}
    channel = {"id": -1_009, "type": "channel", "title": "News"}
    as_group = read(text="hi", from_=anonymous, sender_chat=GROUP)
    assert (as_group.author.external_id, as_group.author.is_bot) == ("-1001000000001", False)
    as_channel = read(text="hi", from_=anonymous, sender_chat=channel)
    assert (as_channel.author.name, as_channel.author.is_bot) == ("News", False)
    assert read(text="hi", sender_chat=channel, is_automatic_forward=True).author.is_bot


def test_what_a_chat_says_of_itself_is_nothing_to_read() -> None:
    """Joins, pins, new names."""
    pinned = message(pinned_message={"message_id": 1, "chat": GROUP})
    assert not is_read(message(new_chat_members=[LEA]), PET, GroupRules())
    assert not is_read(pinned, PET, GroupRules())


NADIA = {"id": 9, "is_bot": False, "first_name": "Nadia", "last_name": "Kahn"}
NEWS = {"id": -1_009, "type": "channel", "title": "City News"}


@pytest.mark.parametrize(
    ("origin", "author"),
    [
        ({"type": "user", "sender_user": NADIA}, "Nadia Kahn"),
        ({"type": "hidden_user", "sender_user_name": "Nadia\nK"}, "Nadia K"),
        ({"type": "chat", "sender_chat": GROUP, "author_signature": "A"}, "Lobby"),
        ({"type": "channel", "chat": NEWS, "message_id": 3}, "City News"),
        ({"type": "user", "sender_user": {"id": 7, "is_bot": True, "first_name": "X"}}, "Eko"),
        ({"type": "hidden_user", "sender_user_name": "Eko"}, "~Eko"),
        ({"type": "of a later year"}, ""),
    ],
)
def test_forwarded_words_are_of_whom_telegram_says(origin: dict[str, Any], author: str) -> None:
    """Whoever forwards them has typed nothing, and nobody passes for the pet."""
    said = read(text="I live in Perth.", forward_origin={"date": 1, **origin})
    assert said.text == ""
    assert said.parts == (
        Part(source=PartSource.FORWARDED, text="I live in Perth.", author=author),
    )


def test_the_caption_of_a_forwarded_picture_is_forwarded_too() -> None:
    """The picture itself is noted as one that somebody sends."""
    photo = [{"file_id": "s", "width": 90, "height": 90}]
    origin = {"type": "user", "sender_user": NADIA}
    said = read(photo=photo, caption="My new flat", forward_origin=origin)
    assert (said.text, said.parts[0].text, said.parts[0].author) == (
        "",
        "My new flat",
        "Nadia Kahn",
    )
    assert [one.kind for one in said.attachments] == [NoteKind.PHOTO]


def test_a_mention_in_forwarded_words_calls_nobody_here() -> None:
    """It was said to the pet elsewhere, if at all."""
    text = "@eko_pet_bot hello"
    entities = [{"type": "mention", "offset": 0, "length": 12}]
    origin = {"type": "user", "sender_user": NADIA}
    assert read(text=text, entities=entities).mentions_pet
    assert not read(text=text, entities=entities, forward_origin=origin).mentions_pet


@pytest.mark.parametrize(
    ("about", "author"),
    [
        ({"reply_to_message": {"message_id": 4, "chat": GROUP, "from": NADIA}}, "Nadia Kahn"),
        ({"reply_to_message": {"message_id": 4, "chat": GROUP, "from": {"id": 7}}}, "Eko"),
        (
            {
                "reply_to_message": {
                    "message_id": 4,
                    "chat": GROUP,
                    "from": LEA,
                    "forward_origin": {"type": "hidden_user", "sender_user_name": "Ann"},
                }
            },
            "Ann",
        ),
        ({"external_reply": {"origin": {"type": "channel", "chat": NEWS}}}, "City News"),
        ({}, ""),
    ],
)
def test_what_a_reply_quotes_is_of_who_said_it(about: dict[str, Any], author: str) -> None:
    """Also of another chat, and where what is answered was itself forwarded."""
    said = read(text="really?", quote={"text": "I sold my car", "position": 0}, **about)
    assert said.text == "really?"
    assert said.parts == (Part(source=PartSource.QUOTED, text="I sold my car", author=author),)


def test_a_reply_to_another_chat_is_read_with_what_it_is_about() -> None:
    """A thing that has words is quoted by them; what the pet said elsewhere calls it here."""
    poll = {"question": "Tea?", "options": [{"text": "yes"}, {"text": "no"}]}
    origin = {"type": "user", "date": 1, "sender_user": NADIA}
    said = read(text="let us", external_reply={"origin": origin, "message_id": 3, "poll": poll})
    quoted = Part(source=PartSource.QUOTED, text="Tea? (yes / no)", author="Nadia Kahn")
    assert (said.text, said.parts, said.mentions_pet) == ("let us", (quoted,), False)
    pets = {"type": "user", "date": 1, "sender_user": {"id": 7, "is_bot": True}}
    quote = {"text": "It rains.", "position": 0, "is_manual": True}
    replied = read(text="does it?", external_reply={"origin": pets}, quote=quote)
    assert replied.parts == (Part(source=PartSource.QUOTED, text="It rains.", author="Eko"),)
    assert replied.mentions_pet


@pytest.mark.parametrize(
    ("text", "more", "is_heard"),
    [
        ("/help@other_bot", {}, False),
        ("/help@OTHER_BOT now", {}, False),
        ("/help@eko_pet_bot", {}, True),
        ("/help@Eko_Pet_Bot", {}, True),
        ("/help", {}, True),
        ("say /help@other_bot", {}, True),
        ("/help@other_bot", {"chat": {"id": 1, "type": "private"}}, True),
        ("/help@other_bot", {"forward_origin": {"type": "user", "sender_user": NADIA}}, True),
        ("/ask@other_bot and you, @eko_pet_bot ?", {}, True),
    ],
)
def test_a_command_of_another_bot_is_for_that_one(
    text: str, more: dict[str, Any], *, is_heard: bool
) -> None:
    """In a group; alone with the pet, within a line or forwarded it is words as any others."""
    assert is_read(message(text=text, entities=detected(text), **more), PET, GroupRules()) is (
        is_heard
    )


WHISPER: dict[str, Any] = {"message_id": 0, "receiver_user": {"id": 7, "is_bot": True}}


def test_ephemeral_messages_are_said_between_one_member_and_the_pet() -> None:
    """All have the number 0: each is another, in a direct room of the member's in that group."""
    first, second = (read(text="hi", **WHISPER, ephemeral_message_id=at) for at in (3, 4))
    toms = read(text="hi", from_=NADIA, **WHISPER, ephemeral_message_id=3)
    ids = [one.external_id for one in (first, second, toms)]
    assert ids == [f"{NUMBER}:~1:3", f"{NUMBER}:~1:4", f"{NUMBER}:~9:3"]
    assert (first.room.external_id, first.room.kind, first.room.role) == (
        f"{NUMBER}~1",
        RoomKind.DIRECT,
        RoomRole.PET,
    )
    assert first.room != toms.room
    assert first.room.space == read(text="hi", chat={"id": 1, "type": "private"}).room.space
    assert place_of(f"{NUMBER}:42~1", GroupRules()) == ChatPlace(chat=NUMBER, thread=42, reader=1)
    assert [number_in(one, NUMBER) for one in ids] == [3, 4, 3]


def test_an_answer_to_what_the_pet_said_to_one_alone_is_theirs_too() -> None:
    """The pet's own ephemeral message names the member as whom it is for."""
    said = {"message_id": 0, "ephemeral_message_id": 8, "from": {"id": 7, "is_bot": True}}
    answered = {**said, "chat": GROUP, "receiver_user": LEA}
    replied = read(text="yes", **WHISPER, ephemeral_message_id=9, reply_to_message=answered)
    assert (replied.reply_to, replied.mentions_pet) == (f"{NUMBER}:~1:8", True)


def test_quotes_and_code_that_are_marked_beside_the_text_are_marked_in_it() -> None:
    """Telegram shows them by entities, whose places count UTF-16 units."""
    text = "🦊 look\nI moved to Oslo\nlast year\nhm, `x` x = 1"
    entities = [
        {"type": "blockquote", "offset": 8, "length": 25},
        {"type": "code", "offset": 42, "length": 5},
    ]
    assert read(text=text, entities=entities).text == (
        "🦊 look\n> I moved to Oslo\n> last year\nhm, `x` `x = 1`"
    )


def test_a_quote_within_a_line_gets_lines_of_its_own() -> None:
    """Whatever stands before and after it is the author's, a mention of the pet too."""
    text = "so @eko_pet_bot I moved ok"
    entities = [
        {"type": "mention", "offset": 3, "length": 12},
        {"type": "expandable_blockquote", "offset": 16, "length": 7},
        {"type": "pre", "offset": 24, "length": 900},
        {"type": "blockquote", "offset": -4, "length": 3},
    ]
    assert read(text=text, entities=entities).text == "so @Eko \n> I moved\n ok"


def test_things_are_notes_and_no_words_of_their_author() -> None:
    """A number of a telephone is never read."""
    card = {"phone_number": "+33600000000", "first_name": "Ada", "last_name": "B"}
    place = {"latitude": 48.85, "longitude": 2.35}
    venue = {"title": "Hacker Way", "address": "Menlo Park, CA", "location": place}
    poll = {"question": "Tea?", "options": [{"text": "yes"}, {"text": "no"}]}
    noted = [
        (read(**about).text, *((one.note, one.text) for one in read(**about).parts))
        for about in (
            {"contact": card},
            {"location": place},
            {"venue": venue, "location": place},
            {"poll": poll},
            {"dice": {"emoji": "🎲", "value": 4}},
            {"story": {"chat": GROUP, "id": 1}},
        )
    ]
    assert noted == [
        ("", (NoteKind.CONTACT, "Ada B")),
        ("", (NoteKind.PLACE, "(48.85000, 2.35000)")),
        ("", (NoteKind.PLACE, "Hacker Way, Menlo Park, CA (48.85000, 2.35000)")),
        ("", (NoteKind.POLL, "Tea? (yes / no)")),
        ("", (NoteKind.DICE, "🎲 4")),
        ("", (NoteKind.OTHER, "story")),
    ]


@pytest.mark.parametrize(
    ("about", "kind", "name"),
    [
        ({"voice": {"file_id": "f", "mime_type": "audio/ogg"}}, NoteKind.VOICE, ""),
        ({"audio": {"file_id": "f", "file_name": "song.mp3"}}, NoteKind.AUDIO, "song.mp3"),
        ({"video": {"file_id": "f"}}, NoteKind.VIDEO, ""),
        ({"video_note": {"file_id": "f"}}, NoteKind.VIDEO_NOTE, ""),
        ({"document": {"file_id": "f", "file_name": "a.pdf"}}, NoteKind.DOCUMENT, "a.pdf"),
        ({"sticker": {"file_id": "f", "emoji": "😂"}}, NoteKind.STICKER, "😂"),
        ({"animation": {"file_id": "f"}, "document": {"file_id": "d"}}, NoteKind.ANIMATION, ""),
    ],
)
def test_a_file_is_called_what_it_is(about: dict[str, Any], kind: NoteKind, name: str) -> None:
    """A program that knows no animations is told of a document as well."""
    (file,) = attachments_of(message(**about))
    assert (file.kind, file.name, file.url) == (kind, name, "telegram-file:f")


def test_a_voice_note_says_how_long_it_is() -> None:
    """And how large, where Telegram says so."""
    voice = {"file_id": "f", "duration": 7, "file_size": 9, "mime_type": "audio/ogg"}
    (file,) = attachments_of(message(voice=voice))
    assert (file.seconds, file.size) == (7, 9)


def test_of_several_sizes_of_a_picture_the_largest_that_can_be_seen_is_taken() -> None:
    """A model takes so much and no more."""
    small = {"file_id": "s", "width": 90, "height": 90, "file_size": 900}
    large = {"file_id": "l", "width": 900, "height": 900, "file_size": 90_000}
    huge = {"file_id": "h", "width": 9000, "height": 9000, "file_size": 9_000_000}
    (photo,) = attachments_of(message(photo=[small, large, huge], caption="look"))
    assert (photo.url, photo.media_type) == ("telegram-file:l", "image/jpeg")


def test_an_edit_that_was_missed_has_no_author() -> None:
    """That it comes late is no hurry of theirs."""
    edited = message(text="new", edit_date=1_700_000_100)
    now = edited_of(edited, PET, GroupRules(), is_missed=False)
    late = edited_of(edited, PET, GroupRules(), is_missed=True)
    assert now is not None
    assert late is not None
    assert (now.text, now.author is None, late.author) == ("new", False, None)


def test_ids_of_messages_are_of_one_chat() -> None:
    """A number of another chat is none to answer there."""
    assert number_in("-5:12", -5) == 12
    assert number_in("-6:12", -5) is None
    assert number_in("nothing", -5) is None


def _author(said: TelegramMessage) -> Any:
    return author_of(said, GroupRules())


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)
_CHATS = st.fixed_dictionaries(
    {"id": st.integers(), "type": st.sampled_from(["private", "group", "supergroup", "channel"])},
    optional={"title": st.text(), "username": st.text(), "first_name": st.text()},
)
_USERS = st.fixed_dictionaries(
    {"id": st.integers()}, optional={"is_bot": st.booleans(), "first_name": st.text()}
)
_ENTITIES = st.lists(
    st.fixed_dictionaries(
        {
            "type": st.sampled_from(["mention", "bot_command", "text_mention", "bold", "new"]),
            "offset": st.integers(-9, 99),
            "length": st.integers(-9, 99),
        },
        optional={"user": _USERS},
    ),
    max_size=3,
)
_REST = {
    "from": _USERS,
    "sender_chat": _CHATS,
    "text": st.text(st.characters(), max_size=30) | st.just("@eko_pet_bot \ud83d"),
    "caption": st.text(max_size=9),
    "entities": _ENTITIES,
    "message_thread_id": st.integers(),
    "ephemeral_message_id": st.integers(),
    "receiver_user": _USERS,
    "external_reply": st.fixed_dictionaries({}, optional={"contact": st.just({"first_name": "a"})}),
    "is_topic_message": st.booleans(),
    "contact": st.fixed_dictionaries({}, optional={"first_name": st.text()}),
    "location": st.fixed_dictionaries({"latitude": st.floats(), "longitude": st.floats()}),
    "sticker": st.fixed_dictionaries({"file_id": st.text()}, optional={"emoji": st.text()}),
    "document": st.fixed_dictionaries({"file_id": st.text()}, optional={"file_name": st.text()}),
    "new_field": _JSON,
}
_SAID = {"message_id": st.integers(), "date": st.integers(), "chat": _CHATS}
_MESSAGES = st.fixed_dictionaries(
    _SAID, optional=_REST | {"reply_to_message": st.fixed_dictionaries(_SAID, optional=_REST)}
)


@given(st.one_of(_JSON, _MESSAGES))
def test_nothing_that_is_told_breaks_the_reader(told: Any) -> None:
    """It is refused as a whole, or read to an event or to nothing."""
    try:
        update = Update.model_validate({"update_id": 1, "message": told, "edited_message": told})
    except ValidationError:
        return
    rules = GroupRules()
    if (said := update.message) is not None and is_read(said, PET, rules):
        author = author_of(said, rules)
        if author is not None:
            inbound_of(said, author, VouchedStanding(), PET, rules)
    if update.edited_message is not None:
        edited_of(update.edited_message, PET, rules, is_missed=False)


@given(_CHATS, st.integers(), st.none() | _USERS, st.lists(st.text(max_size=3), max_size=3))
def test_no_reaction_breaks_the_reader(
    chat: dict[str, Any], number: int, user: dict[str, Any] | None, emoji: list[str]
) -> None:
    """Those without an emoji are left away."""
    new = [{"type": "emoji", "emoji": one} for one in emoji] + [{"type": "paid"}]
    told = {"chat": chat, "message_id": number, "date": 1, "user": user, "new_reaction": new}
    update = Update.model_validate({"update_id": 1, "message_reaction": told})
    assert update.message_reaction is not None
    found = reacted_of(update.message_reaction, GroupRules())
    assert (found is None) == (user is None)
    assert found is None or list(found.emoji) == [one for one in emoji if one]
