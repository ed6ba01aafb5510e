"""A Discord server that others wrote (npm `discord-digital-twin`), completed by our launcher.

A test has a server of its own: two guilds with people, a bot account, an address for its REST
interface (`EKO_DISCORD__API_URL`), deeds of people, `troubles` of the platform, and what was
`seen`.
"""

import base64
import json
import os
import shutil
import subprocess
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.peers.discord_control import (
    Burst,
    Channel,
    Control,
    File,
    Gate,
    Guild,
    Interaction,
    Person,
)
from tests.peers.discord_sights import Seen
from tests.peers.discord_troubles import Troubles

_LAUNCHER = Path(__file__).parent / "discord_twin" / "launcher.mjs"


@dataclass(frozen=True)
class DiscordServer:
    """A running server: its places and people, and what these do."""

    control: Control
    api_url: str
    gateway_url: str
    token: str
    bot: Person
    guilds: Mapping[str, Guild]
    people: Mapping[str, Person]
    troubles: Troubles = field(init=False)
    seen: Seen = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "troubles", Troubles(self.control))
        object.__setattr__(self, "seen", Seen(self.control, self.bot))

    @property
    def settings(self) -> dict[str, str]:
        """The environment that sends a daemon here, which then speaks to nobody unasked."""
        where = {"EKO_DISCORD__TOKEN": self.token, "EKO_DISCORD__API_URL": self.api_url}
        return {**where, "EKO_DISCORD__GREETING": "false"}

    async def says(
        self,
        channel: Channel,
        person: Person,
        text: str,
        *,
        mentions: Sequence[Person] = (),
        reply_to: str | None = None,
        kind: int = 0,
        attachments: Sequence[File] = (),
    ) -> str:
        """A message, after these mentions, of the ordinary or another kind; its id."""
        words = " ".join([*(each.mention for each in mentions), text])
        files = [_carried(each) for each in attachments]
        about = {"channel": channel.id, "user": person.id, "kind": kind, "reply_to": reply_to}
        said = await self.control.tell("says", text=words, attachments=files, **about)
        return str(said["id"])

    async def webhook_says(self, channel: Channel, name: str, text: str) -> str:
        """A message of a webhook; its id."""
        said = await self.control.tell("webhook_says", channel=channel.id, name=name, text=text)
        return str(said["id"])

    async def edits(self, message: str, text: str) -> None:
        """Somebody changes what they said."""
        await self.control.tell("edits", message=message, text=text)

    async def deletes(self, *messages: str) -> None:
        """A message is deleted; several at once as one event."""
        if len(messages) == 1:
            await self.control.tell("deletes", message=messages[0])
        else:
            await self.control.tell("bulk_deletes", messages=list(messages))

    async def types(self, channel: Channel, person: Person) -> None:
        """Somebody starts to type."""
        await self.control.tell("types", channel=channel.id, user=person.id)

    async def reacts(self, message: str, person: Person, emoji: str) -> None:
        """Somebody reacts to a message."""
        await self.control.tell("reacts", message=message, user=person.id, emoji=emoji)

    async def direct(self, person: Person) -> Channel:
        """The direct channel of this person and the bot."""
        return Channel(**await self.control.tell("direct", user=person.id))

    async def opens(
        self, guild: Guild, name: str, *, hidden: bool = False, muted: bool = False
    ) -> Channel:
        """A new channel: open, hidden from @everyone, or without a right to write."""
        about = {"guild": guild.id, "name": name, "hidden": hidden, "muted": muted}
        return Channel(**await self.control.tell("opens", **about))

    async def closes(self, channel: Channel) -> None:
        """A channel is deleted."""
        await self.control.tell("closes", channel=channel.id)

    async def thread(
        self, channel: Channel, person: Person, name: str, *, hidden: bool = False
    ) -> Channel:
        """A new thread, public or private."""
        about = {"channel": channel.id, "user": person.id, "name": name, "hidden": hidden}
        return Channel(**await self.control.tell("threads", **about))

    async def joins(
        self,
        name: str,
        channels: Sequence[str],
        *,
        system: str | None = None,
        locale: str = "en-US",
        gate: Gate | None = None,
    ) -> Guild:
        """The bot joins a new guild, which may have a channel for system messages, and a gate."""
        about = {"name": name, "channels": list(channels), "system": system, "locale": locale}
        if gate is not None:
            users = [one.id for one in gate.members]
            opened = {"role": gate.role, "users": users, "hides": list(gate.hides)}
            return _guild(await self.control.tell("joins", gate=opened, **about))
        return _guild(await self.control.tell("joins", **about))

    async def leaves(self, guild: Guild) -> None:
        """The bot is taken out of a guild."""
        await self.control.tell("leaves", guild=guild.id)

    async def appoints(self, guild: Guild, person: Person) -> None:
        """Somebody may manage a guild from now on, by a role."""
        await self.control.tell("appoints", guild=guild.id, user=person.id)

    async def arrives(self, name: str, *guilds: Guild) -> Person:
        """Somebody new, who is in these guilds and in no other."""
        ids = [guild.id for guild in guilds]
        return Person(**await self.control.tell("arrives", name=name, guilds=ids))

    async def slash(
        self,
        channel: Channel,
        person: Person,
        words: str,
        options: Mapping[str, Any] | None = None,
        *,
        permissions: int | None = None,
        locale: str = "en-US",
    ) -> Interaction:
        """A slash command ("settings get"), as far as it was synced and is offered there."""
        about = _asked(channel, person, permissions, locale)
        about |= {"words": words, "values": dict(options or {})}
        return Interaction(self.control, (await self.control.tell("slash", **about))["id"])

    async def complete(
        self,
        channel: Channel,
        person: Person,
        words: str,
        options: Mapping[str, Any],
        *,
        focused: str,
        locale: str = "en-US",
    ) -> list[dict[str, Any]]:
        """The choices that are offered while the focused option is typed."""
        about = _asked(channel, person, None, locale)
        about |= {"words": words, "values": dict(options), "focused": focused}
        asked = Interaction(self.control, (await self.control.tell("complete", **about))["id"])
        choices: list[dict[str, Any]] = (await asked.callbacks())[0]["data"]["choices"]
        return choices

    async def clicks(
        self,
        message: str,
        what: str,
        person: Person,
        *,
        values: Sequence[str] | None = None,
        permissions: int | None = None,
        locale: str = "en-US",
    ) -> Interaction:
        """A click on the button (or a choice of a menu) with this label or custom id."""
        about = {"message": message, "component": what, "user": person.id, "locale": locale}
        chosen = None if values is None else list(values)
        may = _text(permissions)
        clicked = await self.control.tell("clicks", values=chosen, permissions=may, **about)
        return Interaction(self.control, clicked["id"])

    async def burst(
        self, guild: Guild, *, messages: int, channels: int, text: str = "burst {n}"
    ) -> Burst:
        """Many messages over many channels (opened as needed), as fast as they go."""
        people = [each.id for each in self.people.values() if not each.bot]
        about = {"guild": guild.id, "users": people, "text": text}
        made = await self.control.tell("burst", messages=messages, channels=channels, **about)
        places = tuple(Channel(**each) for each in made["channels"])
        return Burst(ids=made["ids"], channels=places, took_ms=made["took_ms"])


@dataclass(frozen=True, kw_only=True)
class Launcher:
    """A running process; one server after the other comes from it."""

    control: str
    api: str
    gateway: str


@contextmanager
def running_launcher() -> Iterator[Launcher]:
    """A process for as long as the context lasts; skips the test where it is not installed."""
    command = ["node", str(_LAUNCHER)]
    environment = {"PATH": os.environ["PATH"], "EKO_PEERS": _installed()}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, text=True) as process:
        try:
            yield _launched(process)
        finally:
            process.kill()


@asynccontextmanager
async def fresh_discord(launcher: Launcher) -> AsyncIterator[DiscordServer]:
    """A server at its beginning, in place of the one before."""
    control = Control(launcher.control)
    await control.tell("renews")
    yield await _server(launcher, control)


@asynccontextmanager
async def running_discord() -> AsyncIterator[DiscordServer]:
    """A server with a process of its own; skips the test where it is not installed."""
    with running_launcher() as launcher:
        yield await _server(launcher, Control(launcher.control))


def _launched(process: "subprocess.Popen[str]") -> Launcher:
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line, "the launcher ended before it listened"
    return Launcher(**json.loads(line)["listening"])


async def _server(launcher: Launcher, control: Control) -> DiscordServer:
    places = await control.tell("places")
    return DiscordServer(
        control=control,
        api_url=launcher.api,
        gateway_url=launcher.gateway,
        token=places["token"],
        bot=Person(id=places["bot"], name="Eko", bot=True),
        guilds={each["name"]: _guild(each) for each in places["guilds"]},
        people={each["name"]: Person(**each) for each in places["users"]},
    )


def _guild(found: Mapping[str, Any]) -> Guild:
    channels = {each["name"]: Channel(**each) for each in found["channels"]}
    return Guild(id=found["id"], name=found["name"], channels=channels)


def _asked(
    channel: Channel, person: Person, permissions: int | None, locale: str
) -> dict[str, Any]:
    about = {"channel": channel.id, "user": person.id, "locale": locale}
    return about if permissions is None else {**about, "permissions": _text(permissions)}


def _text(permissions: int | None) -> str | None:
    """Permissions travel as text, as they outgrow JavaScript's numbers."""
    return None if permissions is None else str(permissions)


def _carried(file: File) -> dict[str, str]:
    content = base64.b64encode(file.content).decode()
    return {"name": file.name, "content_type": file.content_type, "base64": content}


def _installed() -> str:
    folder = os.environ.get("EKO_PEERS")
    if folder is None:
        _absent("EKO_PEERS is not set; see tests/peers/install.sh")
    if shutil.which("node") is None:
        _absent("node is not installed")
    if not (Path(str(folder)) / "node_modules" / "discord-digital-twin").is_dir():
        _absent(f"the Discord server is not installed in {folder}; run tests/peers/install.sh")
    return str(folder)


def _absent(reason: str) -> None:
    """Skip the test, or fail it where the peers were promised."""
    if os.environ.get("EKO_PEERS_REQUIRED") == "1":
        pytest.fail(reason)
    pytest.skip(reason)
