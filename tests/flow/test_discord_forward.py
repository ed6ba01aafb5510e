"""What Discord forwards, in the gateway's own form, from the event to the answer."""

from pathlib import Path
from typing import Any

import pytest

from bot.channels.discord.inbound.events import EventReader, inbound_of
from bot.model.events import Inbound
from memory.clock import FrozenClock
from memory.model.parts import PartSource
from tests.cast import NOON, author, direct
from tests.discord_world import PET, knowing, message, said
from tests.flow.pet import awake
from tests.flow.ruled import RuledModel

BOB = author("Bob")
FORWARD: dict[str, Any] = {
    "message_reference": {"type": 1, "message_id": "5", "channel_id": "6", "guild_id": "9"},
    "message_snapshots": [
        {
            "message": {
                "type": 0,
                "content": "The race is on 12 May, and I live in Perth",
                "mentions": [],
                "mention_roles": [],
                "attachments": [],
                "embeds": [],
                "timestamp": NOON.isoformat(),
                "edited_timestamp": None,
                "flags": 0,
                "components": [],
            }
        }
    ],
}
"""As the gateway tells it: the words are in a snapshot, the message itself has none."""


def read() -> Inbound:
    """The forward as the inbox takes it."""
    client = knowing()
    told = said(client, message("", **FORWARD))
    reading = EventReader(pet_id=PET, pet_name="Eko")
    return inbound_of(told, told.channel, frozenset(), reading)


def test_a_snapshot_is_forwarded_words_and_no_own_ones() -> None:
    """Nor an answer to the message that is forwarded: it is elsewhere."""
    heard = read()
    (part,) = heard.parts
    assert (part.source, part.author) == (PartSource.FORWARDED, "")
    assert part.text == "The race is on 12 May, and I live in Perth"
    assert (heard.text, heard.reply_to, heard.mentions_pet) == ("", None, False)


@pytest.mark.parametrize(
    ("asked", "answers", "never"),
    [
        ("When is the race?", ("12 May", "You forwarded this"), "you live"),
        ("Where do I live?", (), "Perth"),
    ],
)
async def test_it_answers_as_forwarded_and_is_never_a_fact_about_who_forwards(
    tmp_path: Path, asked: str, answers: tuple[str, ...], never: str
) -> None:
    """Discord does not say whose words they are."""
    clock, heard = FrozenClock(NOON), read()
    async with awake(tmp_path, model=RuledModel(clock), clock=clock) as pet:
        await pet.asked(heard.text, BOB, direct(BOB), parts=heard.parts)
        await pet.asked(asked, BOB, direct(BOB))
        answer = pet.channel.texts[-1]
        assert all(one in answer for one in answers)
        assert never not in answer
        await pet.learns()
        assert await pet.storage.count("active_memories") == 0
        assert await pet.storage.count("core_facts") == 0
