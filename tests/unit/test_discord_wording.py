from typing import Any

import discord
import pytest

from bot.channels.discord.inbound.mentions import Names, readable, text_of
from bot.channels.discord.inbound.parts import attachments_of, parts_of
from bot.channels.discord.inbound.rooms import GuildRules
from memory.model.parts import NoteKind, Part, PartSource
from tests.cast import NOON
from tests.discord_world import (
    ADA,
    BEN,
    LOBBY,
    MODERATORS,
    PET,
    STAFF,
    account,
    knowing,
    message,
    said,
)

NAMES = Names(
    pet=(PET, "Eko"), users={ADA: "ada", BEN: "Eko"}, roles={5: "mods"}, channels={6: "lobby"}
)


def words_of(payload: dict[str, Any]) -> str:
    """What a message says to the pet."""
    return text_of(said(knowing(), payload), (PET, "Eko"), GuildRules())


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        ("hi <@7>, and <@!1>", "hi @Eko, and @ada"),
        ("<@2> is not the pet", "@~Eko is not the pet"),
        ("<@404> left", "@someone left"),
        ("<@&5> <@&6>", "@mods @someone"),
        ("in <#6> or <#9>", "in #lobby or #9"),
        ("<:blob:123><a:wave:456>", ":blob::wave:"),
        ("try </settings get:99>", "try /settings get"),
        ("at <t:1768651200:R>", "at 2026-01-17 12:00 UTC"),
        ("<t:999999999999>", "<t:999999999999>"),
        ("a < b > c <@x> <3 @everyone", "a < b > c <@x> <3 @everyone"),
    ],
)
def test_numbers_become_names(content: str, shown: str) -> None:
    """As Discord shows them; only a mention of the pet reads as its name."""
    assert readable(content, NAMES) == shown


def test_a_message_brings_the_names_of_those_it_mentions() -> None:
    """By their nickname in the guild, also of people whom the library does not know."""
    payload = message(
        f"<@{BEN}> and <@&{MODERATORS}> in <#{LOBBY}>",
        mentions=[account(BEN, member={"nick": "Benny", "roles": [], "flags": 0})],
        mention_roles=[str(MODERATORS)],
    )
    assert words_of(payload) == "@Benny and @mods in #lobby"


def test_a_channel_that_not_everybody_can_see_is_not_named() -> None:
    """Discord shows its name to those alone who can; the words may be told to all."""
    payload = message(f"see <#{STAFF}> and <#{LOBBY}>")
    assert words_of(payload) == f"see #{STAFF} and #lobby"


def test_a_quote_that_goes_on_to_the_end_is_one_in_each_of_its_lines() -> None:
    """Discord shows all that follows the sign as a quote."""
    assert words_of(message("look\n>>> I moved\nto Oslo")) == "look\n> I moved\n> to Oslo"
    assert words_of(message("> one line\nmine >>> yours")) == "> one line\nmine >>> yours"


def snapshot(content: str, **more: Any) -> dict[str, Any]:
    """A forwarded message as Discord tells of it: without its author."""
    told = {
        "type": 0,
        "content": content,
        "embeds": [],
        "attachments": [],
        "timestamp": NOON.isoformat(),
        "edited_timestamp": None,
        "flags": 0,
    }
    return {"message": {**told, **more}}


def forwarding(*snapshots: dict[str, Any], content: str = "") -> discord.Message:
    """A message that forwards others."""
    reference = {"type": 1, "channel_id": "1", "message_id": "2"}
    payload = message(content, message_snapshots=list(snapshots), message_reference=reference)
    return said(knowing(), payload)


def test_what_is_forwarded_is_kept_as_somebodys_whom_discord_does_not_name() -> None:
    """Whoever forwards it has typed nothing; numbers in it are nobody's here."""
    forwarded = forwarding(snapshot("The race is on 12 May, <@404>"))
    assert text_of(forwarded, (PET, "Eko"), GuildRules()) == ""
    assert parts_of(forwarded, (PET, "Eko")) == (
        Part(source=PartSource.FORWARDED, text="The race is on 12 May, @someone"),
    )


def test_files_of_what_is_forwarded_come_along() -> None:
    """As those of the message itself do."""
    file = {"id": "1", "filename": "map.png", "size": 9, "url": "u", "proxy_url": "x"}
    forwarded = forwarding(snapshot("", attachments=[file], sticker_items=[_STICKER]))
    named = [(one.name, one.kind) for one in attachments_of(forwarded)]
    assert named == [("map.png", None), ("Wave", NoteKind.STICKER)]


_STICKER = {"id": "3", "name": "Wave", "format_type": 1}


def test_a_poll_is_noted_with_what_can_be_chosen() -> None:
    """It is no speech of its author's."""
    poll = {
        "question": {"text": "Pizza?"},
        "answers": [{"answer_id": 1, "poll_media": {"text": "yes"}}],
        "expiry": "2026-01-18T12:00:00+00:00",
        "allow_multiselect": False,
        "layout_type": 1,
    }
    asking = said(knowing(), message("", poll=poll))
    assert text_of(asking, (PET, "Eko"), GuildRules()) == ""
    assert parts_of(asking, (PET, "Eko")) == (
        Part(source=PartSource.NOTE, text="Pizza? (yes)", note=NoteKind.POLL),
    )
