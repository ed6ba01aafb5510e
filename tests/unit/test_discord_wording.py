from typing import Any

import pytest

from bot.channels.discord.inbound.mentions import FORWARDED, Names, readable, text_of
from bot.channels.discord.inbound.rooms import GuildRules
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


def test_what_is_forwarded_is_noted_without_its_words() -> None:
    """Somebody else said them, perhaps in a room that others must not hear of."""
    snapshot = {
        "type": 0,
        "content": "the secret",
        "embeds": [],
        "attachments": [],
        "timestamp": NOON.isoformat(),
        "edited_timestamp": None,
        "flags": 0,
    }
    reference = {"type": 1, "channel_id": "1", "message_id": "2"}
    payload = message("", message_snapshots=[{"message": snapshot}], message_reference=reference)
    assert words_of(payload) == FORWARDED


def test_a_poll_says_what_it_asks() -> None:
    """Its author wrote that."""
    poll = {
        "question": {"text": "Pizza?"},
        "answers": [{"answer_id": 1, "poll_media": {"text": "yes"}}],
        "expiry": "2026-01-18T12:00:00+00:00",
        "allow_multiselect": False,
        "layout_type": 1,
    }
    assert words_of(message("", poll=poll)) == "[poll] Pizza?"
