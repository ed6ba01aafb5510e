from typing import Any

import discord
import pytest

from bot.channels.discord.inbound.events import (
    EventReader,
    deleted_of,
    edited_of,
    inbound_of,
    is_said,
)
from bot.channels.discord.inbound.rooms import space_of
from bot.model.events import Attachment, Inbound
from memory.model.parts import NoteKind
from memory.model.rooms import SpaceId
from tests.cast import NOON
from tests.discord_world import (
    ADA,
    BEN,
    MODERATORS,
    PET,
    PETS,
    account,
    knowing,
    membership,
    message,
    said,
)
from tests.edge.discord_guild import GUILD

READING = EventReader(pet_id=PET, pet_name="Eko")
ELSEWHERE = frozenset({SpaceId("discord:88")})


def inbound(payload: dict[str, Any], spaces: frozenset[SpaceId] = ELSEWHERE) -> Inbound:
    """A payload as the inbox is told of it."""
    read = said(knowing(), payload)
    return inbound_of(read, read.channel, spaces, READING)


def edited(payload: dict[str, Any], reading: EventReader = READING) -> Any:
    """A payload of a changed message as the inbox is told of it."""
    event = discord.RawMessageUpdateEvent(payload, said(knowing(), payload))  # type: ignore[arg-type]
    return edited_of(event, reading)


def replying_to(who: int, **fields: Any) -> dict[str, Any]:
    """A message that answers somebody's."""
    answered = message("before", who=who, id="50")
    reference = {"type": 0, "message_id": "50", "channel_id": answered["channel_id"]}
    about: dict[str, Any] = {
        "type": 19,
        "message_reference": reference,
        "referenced_message": answered,
    }
    return message("yes", **about, **fields)


def test_a_message_of_a_guild_is_heard_in_its_space() -> None:
    """Being there is all the membership that is needed, whatever else is said of the author."""
    heard = inbound(message("je pars en Grèce"))
    assert (heard.text, heard.author.external_id, heard.author.name) == (
        "je pars en Grèce",
        str(ADA),
        "ada",
    )
    assert heard.sent_at == NOON
    assert heard.spaces == {space_of(GUILD)}
    assert not heard.mentions_pet
    assert heard.reply_to is None
    assert not heard.manages_space


def test_a_direct_message_is_heard_in_the_spaces_that_are_shared() -> None:
    """And whoever writes it manages nothing there."""
    heard = inbound(message("hi", channel=55, guild_id=None))
    assert heard.spaces == ELSEWHERE
    assert not heard.manages_space


def test_in_a_guild_that_it_has_left_nobody_is_vouched_for() -> None:
    """Whatever is still on its way from there."""
    assert inbound(message("hi", guild_id="12345"), frozenset()).spaces == frozenset()


@pytest.mark.parametrize(
    ("payload", "called"),
    [
        (message(f"<@{PET}> hi", mentions=[account(PET, bot=True)]), True),
        (message(f"<@{BEN}> hi", mentions=[account(BEN)]), False),
        (message(f"<@&{PETS}> hi", mention_roles=[str(PETS)]), True),
        (message(f"<@&{MODERATORS}> hi", mention_roles=[str(MODERATORS)]), False),
        (message("@everyone hi", mention_everyone=True), False),
        (replying_to(PET), True),
        (replying_to(BEN), False),
    ],
)
def test_the_pet_is_called_by_a_mention_its_role_or_an_answer(
    payload: dict[str, Any], *, called: bool
) -> None:
    """Not by a mention of others, or of all."""
    assert inbound(payload).mentions_pet is called


def test_an_answer_says_to_what_and_forwarding_answers_nothing() -> None:
    """Both refer to another message."""
    assert inbound(replying_to(BEN)).reply_to == "50"
    reference = {"type": 1, "message_id": "50", "channel_id": "3"}
    assert inbound(message("look", message_reference=reference)).reply_to is None


def test_an_answer_to_what_is_gone_is_an_answer() -> None:
    """Discord says that it is not there any more."""
    gone = {"type": 0, "message_id": "50", "channel_id": "101"}
    heard = inbound(message("yes", type=19, message_reference=gone, referenced_message=None))
    assert (heard.reply_to, heard.mentions_pet) == ("50", False)


def test_who_may_manage_the_server_manages_the_space() -> None:
    """By a role, as the guild has it now."""
    manager = membership(roles=[str(MODERATORS)])
    assert inbound(message("hi", member=manager)).manages_space


def test_files_stickers_and_voice_messages_come_along() -> None:
    """By name, type, size and address."""
    file = {"id": "1", "filename": "cat.png", "size": 9, "url": "https://cdn/cat.png"}
    voice = {"id": "2", "filename": "voice-message.ogg", "size": 5, "url": "https://cdn/v.ogg"}
    wave = {"duration_secs": 1.0, "waveform": "AAAA"}
    payload = message(
        "",
        attachments=[
            {**file, "proxy_url": "x", "content_type": "image/png"},
            {**voice, "proxy_url": "x", "content_type": "audio/ogg", **wave},
        ],
        sticker_items=[{"id": "3", "name": "Wave", "format_type": 1}],
    )
    cat, spoken, sticker = inbound(payload).attachments
    assert cat == Attachment(
        name="cat.png", media_type="image/png", size=9, url="https://cdn/cat.png"
    )
    assert (spoken.kind, spoken.media_type, spoken.seconds) == (NoteKind.VOICE, "audio/ogg", 1.0)
    assert (sticker.kind, sticker.name, sticker.media_type) == (
        NoteKind.STICKER,
        "Wave",
        "image/png",
    )


@pytest.mark.parametrize(
    ("fields", "heard"),
    [
        ({}, True),
        ({"type": 19}, True),
        ({"type": 7}, False),
        ({"type": 6}, False),
        ({"type": 8}, False),
        ({"webhook_id": "5"}, False),
        ({"author": account(PET, bot=True)}, False),
    ],
)
def test_only_what_people_write_is_heard(fields: dict[str, Any], *, heard: bool) -> None:
    """Neither bots and webhooks, nor Discord about who joined, pinned or paid."""
    assert is_said(said(knowing(), message("x", **fields))) is heard


def test_an_edit_brings_the_new_words_and_files() -> None:
    """With names in place of numbers, as the first time."""
    change = edited(message(f"<@{PET}> hello", edited_timestamp=NOON.isoformat()))
    assert change is not None
    assert change.text == "@Eko hello"


@pytest.mark.parametrize(
    "payload",
    [
        message("a link unfolds"),
        message("x", edited_timestamp=NOON.isoformat(), webhook_id="5"),
        message("x", edited_timestamp=NOON.isoformat(), author=account(3, bot=True)),
    ],
)
def test_what_nobody_edited_is_no_edit(payload: dict[str, Any]) -> None:
    """Discord tells of unfolded links and pins in the same way."""
    assert edited(payload) is None


def test_an_edit_without_words_takes_back_only_where_words_are_shown() -> None:
    """Without the content intent every message looks empty."""
    emptied = message("", edited_timestamp=NOON.isoformat())
    change = edited(emptied)
    assert change is not None
    assert change.text == ""
    blind = EventReader(pet_id=PET, pet_name="Eko", content=False)
    assert edited(emptied, blind) is None


def test_a_deletion_names_the_message() -> None:
    """By its id, which is all that Discord says."""
    assert deleted_of(50).external_id == "50"
