"""Discord as a world: the server that others wrote, with Ana, Ben and Cleo as its people."""

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from tests.channels.world import Abilities, PetMessage, Poured, Where, Who
from tests.peers.discord_control import Channel, Person
from tests.peers.discord_server import DiscordServer, Launcher, fresh_discord, running_launcher
from tests.peers.discord_stage import answered_by

_PEOPLE = {Who.LEA: "ana", Who.TOM: "ben", Who.OWNER: "cleo"}
_ALONE = {Where.LEA_DIRECT: "ana", Where.TOM_DIRECT: "ben", Where.OWNER_DIRECT: "cleo"}
_SUBCOMMANDS = frozenset({1, 2})
_FLAG = 5
_NO_PERMISSION = 0


@dataclass
class DiscordWorld:
    """The ChannelWorld port over the server: lines that begin with `/` are slash commands."""

    twin: DiscordServer
    said: list[str] = field(default_factory=list)
    used: dict[str, list[str]] = field(default_factory=dict)
    """The commands of each channel, in their order."""

    @property
    def name(self) -> str:
        """The channel's name."""
        return "discord"

    @property
    def abilities(self) -> Abilities:
        """What Discord can do; the pet does not ask to be told of reactions there."""
        return Abilities(
            groups=True,
            edits=True,
            told_deletions=True,
            reactions=False,
            history=True,
            buttons=True,
            idempotent=True,
            text_limit=2000,
        )

    @property
    def settings(self) -> Mapping[str, str]:
        """The environment of a pet there, which Cleo looks after."""
        owner = self.twin.people[_PEOPLE[Who.OWNER]]
        admins = {"EKO_ADMINS__IDENTITIES": json.dumps([f"discord:{owner.id}"])}
        return {**self.twin.settings, **admins, "EKO_DISCORD__EXPRESSION": "none"}

    @property
    def connected(self) -> str:
        """What the log says when the pet is there."""
        return "discord.connected"

    async def pet_is(self, base_url: str | None) -> None:
        """The pet connects to Discord and is not called; only its coming is waited for."""

    async def says(self, who: Who, where: Where, text: str, *, answers: str | None = None) -> str:
        """Say something, or use the command that the text begins with."""
        channel = await self._channel(where)
        if text.startswith("/"):
            with suppress(ValueError):  # it is not offered there, and typed as any words are
                return await self._uses(channel, self._person(who), text)
        said = await self.twin.says(channel, self._person(who), text, reply_to=answers)
        self.said.append(said)
        return said

    async def calls(self, who: Who, where: Where, text: str) -> str:
        """Say something behind a mention of the pet."""
        channel = await self._channel(where)
        said = await self.twin.says(channel, self._person(who), text, mentions=[self.twin.bot])
        self.said.append(said)
        return said

    async def edits(self, who: Who, message: str, text: str) -> None:
        """Change a message, which Discord knows the author of."""
        del who
        await self.twin.edits(message, text)

    async def deletes(self, who: Who, message: str) -> None:
        """Delete a message."""
        del who
        await self.twin.deletes(message)

    async def reacts(self, who: Who, message: str, emoji: str | None) -> None:
        """Add a reaction; the server of the tests takes none away."""
        assert emoji is not None
        await self.twin.reacts(message, self._person(who), emoji)

    async def presses(self, who: Who, message: str, label: str) -> None:
        """Click a button."""
        await self.twin.clicks(message, label, self._person(who), permissions=_NO_PERMISSION)

    async def pet_said(self, where: Where) -> Sequence[PetMessage]:
        """The pet's messages in a channel, those that one person alone sees included."""
        channel = await self._channel(where)
        about = {"channel": channel.id, "author": self.twin.bot.id, "ephemeral": True}
        said = await self.twin.control.tell("messages", **about)
        asked = await self._asked_by(channel)
        return [_message(one, asked) for one in said]

    async def drops(self) -> None:
        """Cut the connection to the gateway, whose session can be gone on with."""
        await self.twin.troubles.resumes()
        await self.twin.troubles.drops()

    async def refuses(self, status: int, times: int, *, retry_after_s: float | None = None) -> None:
        """Refuse the next messages of the pet."""
        await self.twin.troubles.fails(
            "POST", "/messages$", status=status, times=times, retry_after_s=retry_after_s
        )

    async def redelivers(self) -> None:
        """Tell of every message and of every use of a command once more."""
        for one in [*self.said, *(use for uses in self.used.values() for use in uses)]:
            await self.twin.troubles.repeats(one)

    async def pours(self, text: str, messages: int, rooms: int) -> Poured:
        """As many messages over channels of another guild, as fast as they go."""
        guild = self.twin.guilds["Workshop"]
        burst = await self.twin.burst(guild, messages=messages, channels=rooms, text=text)
        texts = [text.replace("{n}", str(number)) for number in range(messages)]
        return {one.id: texts[at::rooms] for at, one in enumerate(burst.channels)}

    def _person(self, who: Who) -> Person:
        return self.twin.people[_PEOPLE[who]]

    async def _channel(self, where: Where) -> Channel:
        if where is Where.LOBBY:
            return self.twin.guilds["Lounge"]["lobby"]
        return await self.twin.direct(self.twin.people[_ALONE[where]])

    async def _uses(self, channel: Channel, person: Person, line: str) -> str:
        """Use a command as it was synced: words of subcommands, then one option with the rest."""
        words, options = _invoked(await self.twin.seen.commands(count=1), line)
        used = await self.twin.slash(
            channel, person, words, options, permissions=_NO_PERMISSION, locale="en-US"
        )
        self.used.setdefault(channel.id, []).append(used.id)
        return used.id

    async def _asked_by(self, channel: Channel) -> Mapping[str, str]:
        """Which command a message answers, by the ids of both."""
        asked: dict[str, str] = {}
        for use in self.used.get(channel.id, ()):
            seen = await self.twin.control.tell("interaction", id=use)
            asked |= {str(one["id"]): use for one in seen["messages"]}
        return asked


def _message(said: Mapping[str, Any], asked: Mapping[str, str]) -> PetMessage:
    rows = said.get("components", ())
    labels = [str(one["label"]) for row in rows for one in row["components"] if "label" in one]
    return PetMessage(
        id=str(said["id"]),
        text=str(said["content"]),
        answers=asked.get(str(said["id"])) or answered_by(said),
        buttons=tuple(labels),
    )


def _invoked(synced: Sequence[Mapping[str, Any]], line: str) -> tuple[str, Mapping[str, Any]]:
    """The words of a command and its options, read by the forms that were synced."""
    first, *rest = line.removeprefix("/").split()
    form: Mapping[str, Any] = next(one for one in synced if one["name"] == first)
    words = [first]
    while rest and (inner := _sub(form, rest[0])) is not None:
        words.append(rest.pop(0))
        form = inner
    if not rest:
        return " ".join(words), {}
    option = next(one for one in form["options"] if one["type"] != _FLAG)
    return " ".join(words), {option["name"]: " ".join(rest)}


def _sub(form: Mapping[str, Any], name: str) -> Mapping[str, Any] | None:
    options = form.get("options", ())
    return next((o for o in options if o["type"] in _SUBCOMMANDS and o["name"] == name), None)


@asynccontextmanager
async def on_launcher(launcher: Launcher) -> AsyncIterator[DiscordWorld]:
    """A fresh server of a launcher that runs already."""
    async with fresh_discord(launcher) as twin:
        yield DiscordWorld(twin)


@asynccontextmanager
async def open_discord_world() -> AsyncIterator[DiscordWorld]:
    """A server with a process of its own; skips the test where it is not installed."""
    with running_launcher() as launcher:
        async with on_launcher(launcher) as world:
            yield world
