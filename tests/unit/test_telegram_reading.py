"""What Telegram tells is read whatever it is, and means the same as it does there."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from bot.channels.telegram.inbound.files import attachments_of
from bot.channels.telegram.inbound.objects import TelegramMessage, Update
from bot.channels.telegram.inbound.reader import (
    BotAccount,
    VouchedStanding,
    calls,
    edited_of,
    inbound_of,
    is_read,
    reacted_of,
)
from bot.channels.telegram.inbound.rooms import (
    GroupRules,
    author_of,
    named_topics,
    number_in,
    place_of,
    room_of,
    thread_of,
)
from bot.model.events import Inbound
from memory.model.rooms import RoomKind, RoomRole

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
    assert not is_read(message(new_chat_members=[LEA]))
    assert not is_read(message(pinned_message={"message_id": 1, "chat": GROUP}))


def test_things_are_read_as_words_and_files_by_name() -> None:
    """A number of a telephone is never read; brackets in a name forge nothing."""
    contact = {"phone_number": "+33600000000", "first_name": "Ada]", "last_name": "B"}
    assert read(contact=contact).text == "[Ada) B]"
    assert read(location={"latitude": 48.85, "longitude": 2.35}).text == "[48.85000, 2.35000]"
    poll = {"question": "Tea?", "options": [{"text": "yes"}, {"text": "no"}]}
    assert read(poll=poll).text == "[Tea? yes / no]"
    small = {"file_id": "s", "width": 90, "height": 90, "file_size": 900}
    large = {"file_id": "l", "width": 900, "height": 900, "file_size": 90_000}
    huge = {"file_id": "h", "width": 9000, "height": 9000, "file_size": 9_000_000}
    (photo,) = attachments_of(message(photo=[small, large, huge], caption="look"))
    assert (photo.url, photo.media_type) == ("telegram-file:l", "image/jpeg")
    voice = {"file_id": "v", "mime_type": "audio/ogg", "file_size": 1}
    assert attachments_of(message(voice=voice))[0].name == "voice"
    both = {"animation": {"file_id": "a"}, "document": {"file_id": "d"}}
    assert [one.url for one in attachments_of(message(**both))] == ["telegram-file:a"]


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
    if (said := update.message) is not None and is_read(said):
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
