"""A guild that invites the pet is told once who it is, where the guild reads it."""

from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import discord
import pytest

from bot.channels.discord.findings import TEXTS
from bot.channels.discord.greeting import Greeting, GreetingRules
from bot.channels.discord.inbound.rooms import GuildRules
from bot.channels.discord.newcomer_gate import NewcomerGates
from bot.channels.discord.service.markup import TEXT_LIMIT
from bot.conversation.member_roles import MemberRoleChoices
from bot.conversation.rooms import RoomRegistryRules, RoomRule
from bot.errors import DeliveryFailed, DeliveryRefused
from bot.model.turns import Outgoing
from bot.platforms.introductions import SpaceIntroductions
from bot.texts.catalogue import texts_in
from memory.model.people import PET_ACTOR, Signature
from memory.model.rooms import RoomRole, SpaceId
from memory.storage.community.done_once import GreetedSpaces
from memory.storage.community.member_roles import MemberRoles
from tests.cast import NOON
from tests.edge.discord_guild import (
    GUILD,
    HISTORY,
    SEND,
    VIEW,
    Archive,
    guild_of,
    joined,
    pet_since,
    text_channel,
)
from tests.edge.discord_rest import logged_in
from tests.flow.calling import register_on
from tests.storage import StorageParts, open_truth
from tests.unit.test_discord_gate import role

LOBBY, RULES, STAFF, SYSTEM = 10, 11, 9, 12
CHANNELS = [
    text_channel(STAFF, "staff", everyone_may_not=VIEW),
    text_channel(LOBBY, "lobby"),
    text_channel(RULES, "rules", everyone_may_not=SEND),
    text_channel(SYSTEM, "system"),
]


@dataclass
class Guests:
    """What greets, and what it said where; the first `refuses` messages are not taken."""

    storage: StorageParts
    client: discord.Client
    refuses: int = 0
    failure: type[DeliveryFailed] = DeliveryRefused
    people: Sequence[Collection[int]] = ()
    """The roles of those whom Discord shows of the guild."""
    sent: list[Outgoing] = field(default_factory=list)
    rooms: tuple[RoomRule, ...] = ()
    offers_past: bool = False

    def __post_init__(self) -> None:
        roles = MemberRoles(self.storage.database, self.storage.clock)
        self.choices = MemberRoleChoices(roles)

    async def joined(self, *, days: int = 0, **fields: Any) -> list[str]:
        """Let the pet be invited so many days after the first time; where it has greeted by now."""
        me = fields.pop("me", pet_since(NOON + timedelta(days=days)))
        channels = fields.pop("channels", CHANNELS)
        guild = joined(self.client, guild_of(channels, members=[me], **fields))
        register = register_on(
            self.storage,
            RoomRegistryRules(names=("Eko",), rooms=self.rooms),
        )
        rules = GreetingRules(
            pet_name="Eko", locale="fr", guilds=GuildRules(), offers_past=self.offers_past
        )
        greeted = GreetedSpaces(self.storage.database, self.storage.clock)
        introductions = SpaceIntroductions(greeted, register)
        await self.choices.load()
        choose = partial(self.choices.choose, by=PET_ACTOR)
        gates = NewcomerGates(GuildRules(chosen=self.choices.of), choose, self._shown)
        await Greeting(introductions, self.send, rules, gates).joined(guild)
        return [one.room.external_id for one in self.sent]

    async def _shown(self, guild: discord.Guild) -> Sequence[Collection[int]]:
        del guild
        return self.people

    async def send(self, message: Outgoing) -> str | None:
        """Take a message, or refuse it."""
        if self.refuses:
            self.refuses -= 1
            raise self.failure("No.")
        self.sent.append(message)
        return "1"


@pytest.fixture
async def guests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Guests]:
    """Empty tables, and a client that is in no guild yet."""
    async with open_truth(tmp_path) as storage, logged_in(monkeypatch, Archive().answer) as client:
        yield Guests(storage, client)


async def test_it_greets_where_the_guild_hears_of_who_joins(guests: Guests) -> None:
    """In its own channel for that."""
    assert await guests.joined(system_channel_id=str(SYSTEM)) == [str(SYSTEM)]
    (message,) = guests.sent
    assert message.room.space == "discord:9"
    assert message.answers is None


@pytest.mark.parametrize("system", [None, str(RULES), str(STAFF)])
async def test_else_in_the_first_channel_that_everybody_sees(
    guests: Guests, system: str | None
) -> None:
    """Where there is no channel for it, or the pet may not write there."""
    assert await guests.joined(system_channel_id=system) == [str(LOBBY)]


async def test_the_past_is_offered_where_it_may_be_read(guests: Guests) -> None:
    """With what it means, in one message that Discord takes; not where the settings say no."""
    await guests.joined()
    guests.offers_past = True
    guests.storage.clock.advance(timedelta(days=3))
    await guests.joined(days=3)
    plain, offering = (one.text for one in guests.sent)
    assert "/read-back" not in plain
    assert "`/read-back 7`" in offering
    assert "une heure" in offering
    assert offering.startswith(plain)
    assert len(offering) <= TEXT_LIMIT


async def test_once_for_an_invitation(guests: Guests) -> None:
    """Also after a restart, and when the guild is told of again after an outage."""
    await guests.joined()
    guests.storage.clock.advance(timedelta(days=30))
    assert len(await guests.joined()) == 1
    assert len({one.nonce for one in guests.sent}) == 1


async def test_anew_when_it_is_invited_anew_a_day_later(guests: Guests) -> None:
    """Nobody is greeted twice a day, whoever throws it out and in."""
    await guests.joined()
    guests.storage.clock.advance(timedelta(hours=2))
    assert len(await guests.joined(days=1)) == 1
    guests.storage.clock.advance(timedelta(days=2))
    assert len(await guests.joined(days=2)) == 2


@pytest.mark.parametrize("failure", [DeliveryFailed, DeliveryRefused])
async def test_another_channel_is_tried_where_one_refuses(
    guests: Guests, failure: type[DeliveryFailed]
) -> None:
    """Where none takes it, the next invitation is a new chance."""
    guests.refuses, guests.failure = 1, failure
    assert await guests.joined() == [str(SYSTEM)]


async def test_what_nobody_took_was_not_said(guests: Guests) -> None:
    """It is not taken for greeted."""
    guests.refuses = 5
    assert await guests.joined() == []
    guests.refuses = 0
    assert len(await guests.joined()) == 1


async def test_not_where_nobody_wants_it(guests: Guests) -> None:
    """A channel that the settings ignore."""
    ignored = RoomRule(platform="discord", external_id=str(LOBBY), role=RoomRole.IGNORED)
    guests.rooms = (ignored, replace(ignored, external_id=str(SYSTEM)))
    assert await guests.joined() == []


async def test_a_guild_without_a_channel_to_write_in_is_no_fault(guests: Guests) -> None:
    """There is nobody to tell."""
    assert await guests.joined(channels=[CHANNELS[2]]) == []


@pytest.mark.parametrize(
    ("fields", "locale"),
    [
        ({}, "fr"),
        ({"features": ["COMMUNITY"]}, "en"),
        ({"features": ["COMMUNITY"], "preferred_locale": "fr"}, "fr"),
        ({"features": ["COMMUNITY"], "preferred_locale": "en-GB"}, "en"),
        ({"features": ["COMMUNITY"], "preferred_locale": "de"}, "en"),
    ],
)
async def test_it_speaks_the_guild_s_language(
    guests: Guests, fields: dict[str, Any], locale: str
) -> None:
    """The one a community has chosen; what a guild is given by default says nothing."""
    await guests.joined(**fields)
    assert guests.sent[0].text == texts_in(locale, TEXTS).say("greeting", name="Eko")


@pytest.mark.parametrize(
    ("locale", "ways"),
    [
        ("en", ("/privacy off", "/forget-me", "/observe role")),
        ("fr", ("/confidentialité off", "/oublie-moi", "/observe role")),
    ],
)
def test_it_says_how_to_opt_out(locale: str, ways: tuple[str, ...]) -> None:
    """In one message, by the names that commands have in its language."""
    text = texts_in(locale, TEXTS).say("greeting", name="Eko")
    assert all(command in text for command in ways)
    assert len(text) <= TEXT_LIMIT


VERIFIED, LEVEL = 51, 52
OPENED = [
    {"id": str(GUILD), "type": 0, "allow": "0", "deny": str(VIEW)},
    {"id": str(VERIFIED), "type": 0, "allow": str(VIEW), "deny": "0"},
]


def gated(*, opened_too: bool = False) -> dict[str, Any]:
    """A guild where those who are verified see the hall, and the others the rules alone."""
    more = [{"id": str(LEVEL), "type": 0, "allow": str(VIEW), "deny": "0"}] if opened_too else []
    names = {VERIFIED: "Verified", LEVEL: "Level 5"}
    roles = [role(GUILD, "@everyone", VIEW | SEND | HISTORY)]
    roles += [role(number, name, 0) for number, name in names.items()]
    hall = {**text_channel(LOBBY, "hall"), "permission_overwrites": [*OPENED, *more]}
    rules = text_channel(RULES, "rules", everyone_may_not=SEND)
    me = {**pet_since(NOON), "roles": [str(VERIFIED)]}
    return {"channels": [rules, hall], "roles": roles, "me": me}


async def test_a_gate_is_recognised_and_said(guests: Guests) -> None:
    """To the members, with how it is changed; kept as a manager's choice, audited as the pet's."""
    guests.people = [{VERIFIED}] * 4 + [set()]
    assert await guests.joined(**gated()) == [str(LOBBY)]
    (message,) = guests.sent
    assert "le rôle Verified pour tout le monde" in message.text
    assert "/observe everyone-role" in message.text
    assert len(message.text) <= TEXT_LIMIT
    assert guests.choices.of(SpaceId(f"discord:{GUILD}")) == str(VERIFIED)
    assert message.room.visibility == "space"
    assert await guests.storage.count("audit_log", "actor = 'pet'") == 1


async def test_a_doubtful_gate_is_said_and_nothing_is_opened(guests: Guests) -> None:
    """Two roles that most have: their names, and whose word is waited for."""
    guests.people = [{VERIFIED, LEVEL}] * 5
    await guests.joined(**gated(opened_too=True))
    (message,) = guests.sent
    assert "(Level 5, Verified)" in message.text
    assert "/observe everyone-role" in message.text
    assert guests.choices.of(SpaceId(f"discord:{GUILD}")) is None
    assert message.room.visibility == "room"


async def test_what_could_not_be_said_is_not_taken_for_a_gate(guests: Guests) -> None:
    """Nobody could object to what they were not told."""
    guests.people, guests.refuses = [{VERIFIED}] * 5, 9
    assert await guests.joined(**gated()) == []
    assert guests.choices.of(SpaceId(f"discord:{GUILD}")) is None


async def test_who_was_said_to_be_everybody_stays_so(guests: Guests) -> None:
    """What a manager chose before the pet was invited anew is not chosen again."""
    guests.people = [{VERIFIED}] * 5
    chosen = MemberRoles(guests.storage.database, guests.storage.clock)
    space = SpaceId(f"discord:{GUILD}")
    await chosen.choose(space, str(LEVEL), by=Signature("discord:1"))
    await guests.joined(**gated())
    (message,) = guests.sent
    assert "Verified" not in message.text
    assert await chosen.chosen() == {space: str(LEVEL)}


async def test_an_open_guild_is_told_nothing_of_gates(guests: Guests) -> None:
    """The greeting is what it always was."""
    guests.people = [{VERIFIED}] * 5
    await guests.joined()
    assert "everyone-role" not in guests.sent[0].text
