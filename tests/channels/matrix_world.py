"""Matrix as a world: a real server with Léa, Tom and Olga on it; Léa talks behind encryption."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote
from uuid import uuid4

from nio import AsyncClient, AsyncClientConfig, MessageDirection, RoomMessagesResponse
from nio.api import RoomPreset
from nio.responses import LoginResponse, RoomCreateResponse, RoomSendResponse

from tests.channels.matrix_gate import Gate, Refusal, open_gate
from tests.channels.world import Abilities, PetMessage, Where, Who
from tests.patience import PATIENCE_S
from tests.peers.synapse import Synapse, running_synapse

PET, PASSWORD = "eko", "a-password-of-the-trial"

_ENCRYPTION = {
    "type": "m.room.encryption",
    "state_key": "",
    "content": {"algorithm": "m.megolm.v1.aes-sha2"},
}
_OWNERS = {
    Where.LEA_DIRECT: Who.LEA,
    Where.TOM_DIRECT: Who.TOM,
    Where.OWNER_DIRECT: Who.OWNER,
    Where.LOBBY: Who.OWNER,
}
_TRUSTED, _PRIVATE = RoomPreset.trusted_private_chat, RoomPreset.private_chat
_NAMES = count(1)


@dataclass
class Person:
    """An account that a person looks after with a client that encrypts."""

    client: AsyncClient
    reactions: dict[str, str] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """The account's whole name."""
        return str(self.client.user_id)

    async def runs(self) -> None:
        """Follow what happens, until cancelled."""
        await self.client.sync_forever(timeout=10_000, full_state=True)

    async def makes_room(self, *, encrypted: bool = False, **about: Any) -> str:
        """Make a room; its id, once the client knows of it."""
        state = [*about.pop("initial_state", ()), *([_ENCRYPTION] if encrypted else ())]
        made = await self.client.room_create(initial_state=state, **about)
        assert isinstance(made, RoomCreateResponse), made
        await self._comes(lambda: made.room_id in self.client.rooms)
        return str(made.room_id)

    async def comes_to(self, room: str) -> None:
        """Join a room, and wait until the client knows of it."""
        await self.client.join(room)
        await self._comes(lambda: room in self.client.rooms)

    async def meets(self, other: str, room: str) -> None:
        """Wait until another account has come into a room."""

        def is_in() -> bool:
            users = self.client.rooms[room].users
            return other in users and not users[other].invited

        await self._comes(is_in)

    async def sends(
        self, room: str, content: Mapping[str, Any], kind: str = "m.room.message"
    ) -> str:
        """Send an event; its id."""
        sent = await self.client.room_send(
            room, kind, dict(content), ignore_unverified_devices=True
        )
        assert isinstance(sent, RoomSendResponse), sent
        return str(sent.event_id)

    async def holds_back_keys(self, room: str) -> list[Mapping[str, Any]]:
        """Begin to encrypt with a new key, and keep what would hand it out."""
        client = self.client
        if client.should_query_keys:
            await client.keys_query()
        missing = client.get_missing_sessions(room)
        if missing:
            await client.keys_claim(missing)
        users = list(client.rooms[room].users)
        shared = client.olm.share_group_session_parallel(
            room, users, ignore_unverified_devices=True
        )
        held = [to_devices for _, to_devices in shared]
        client.olm.outbound_group_sessions[room].shared = True
        return held

    async def hands_out(self, held: Sequence[Mapping[str, Any]]) -> None:
        """Send what was kept."""
        for one in held:
            path = f"/_matrix/client/v3/sendToDevice/m.room.encrypted/{uuid4()}"
            headers = {"Authorization": f"Bearer {self.client.access_token}"}
            await self.client.send("PUT", path, json.dumps(one), headers)

    async def sees(self, room: str, limit: int = 200) -> list[Mapping[str, Any]]:
        """The events of a room as the client reads them, the oldest first."""
        page = await self.client.room_messages(
            room, start=None, limit=limit, direction=MessageDirection.back
        )
        assert isinstance(page, RoomMessagesResponse), page
        return [one.source for one in reversed(page.chunk)]

    async def _comes(self, held: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not held():  # noqa: ASYNC110 - the client tells of nothing that is awaited
                await asyncio.sleep(0.02)


@dataclass
class MatrixWorld:
    """The ChannelWorld port over the server."""

    synapse: Synapse
    gate: Gate
    pet: str
    people: Mapping[Who, Person]
    rooms: dict[Where, str] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)
    """The rooms of messages, by their ids."""

    @property
    def name(self) -> str:
        """The channel's name."""
        return "matrix"

    @property
    def abilities(self) -> Abilities:
        """What Matrix can do: there are no buttons."""
        return Abilities(
            groups=True,
            edits=True,
            told_deletions=True,
            reactions=True,
            history=True,
            buttons=False,
            idempotent=True,
            text_limit=4000,
        )

    @property
    def settings(self) -> Mapping[str, str]:
        """The environment of a pet there, which Olga looks after."""
        return {
            "EKO_MATRIX__HOMESERVER": self.gate.url,
            "EKO_MATRIX__USER_ID": self.pet,
            "EKO_MATRIX__PASSWORD": PASSWORD,
            "EKO_MATRIX__ALLOWED": json.dumps([one.id for one in self.people.values()]),
            "EKO_MATRIX__GREETING": "false",
            "EKO_MATRIX__EXPRESSION": "none",
            "EKO_ADMINS__IDENTITIES": json.dumps([f"matrix:{self.people[Who.OWNER].id}"]),
        }

    @property
    def connected(self) -> str:
        """What the log says when the pet is there."""
        return "matrix.connected"

    async def pet_is(self, base_url: str | None) -> None:
        """The pet asks its server and is not called."""

    async def says(self, who: Who, where: Where, text: str, *, answers: str | None = None) -> str:
        """Say something."""
        content: dict[str, Any] = {"msgtype": "m.text", "body": text, "m.mentions": {}}
        if answers is not None:
            content["m.relates_to"] = {"m.in_reply_to": {"event_id": answers}}
        return await self._sent(who, where, content)

    async def calls(self, who: Who, where: Where, text: str) -> str:
        """Say something that mentions the pet's account."""
        mentions = {"user_ids": [self.pet]}
        return await self._sent(
            who, where, {"msgtype": "m.text", "body": text, "m.mentions": mentions}
        )

    async def edits(self, who: Who, message: str, text: str) -> None:
        """Put other words in place of a message's."""
        content = {
            "msgtype": "m.text",
            "body": f"* {text}",
            "m.new_content": {"msgtype": "m.text", "body": text, "m.mentions": {}},
            "m.relates_to": {"rel_type": "m.replace", "event_id": message},
        }
        await self.people[who].sends(self.places[message], content)

    async def deletes(self, who: Who, message: str) -> None:
        """Take a message back."""
        await self.people[who].client.room_redact(self.places[message], message)

    async def reacts(self, who: Who, message: str, emoji: str | None) -> None:
        """Have one emoji at a message."""
        person, room = self.people[who], self.places[message]
        before = person.reactions.pop(message, None)
        if before is not None:
            await person.client.room_redact(room, before)
        if emoji is not None:
            relation = {"rel_type": "m.annotation", "event_id": message, "key": emoji}
            person.reactions[message] = await person.sends(
                room, {"m.relates_to": relation}, "m.reaction"
            )

    async def presses(self, who: Who, message: str, label: str) -> None:
        """There are no buttons."""
        raise NotImplementedError

    async def pet_said(self, where: Where) -> Sequence[PetMessage]:
        """The pet's messages, as the client of who made the room reads them."""
        room = self.rooms[where]
        events = await self.people[_OWNERS[where]].sees(room)
        said = [one for one in events if one["sender"] == self.pet and _has_words(one)]
        for one in said:
            self.places[one["event_id"]] = room
        return [_message(one) for one in said]

    async def drops(self) -> None:
        """Cut every connection to the server."""
        self.gate.drops()

    async def refuses(self, status: int, times: int, *, retry_after_s: float | None = None) -> None:
        """Refuse what the pet sends next."""
        self.gate.refusal = Refusal(status, times, retry_after_s)

    async def redelivers(self) -> None:
        """Tell everything again from the first place the pet went on from."""
        self.gate.rewinds = True

    async def pours(self, text: str, messages: int, rooms: int) -> Mapping[str, Sequence[str]]:
        """So many messages over rooms of Olga's and the pet's, as fast as they go."""
        owner = self.people[Who.OWNER]
        made = [await owner.makes_room(name=f"Room {n}", invite=[self.pet]) for n in range(rooms)]
        for room in made:
            await owner.meets(self.pet, room)
        poured: dict[str, list[str]] = {room: [] for room in made}

        async def pour(at: int) -> None:
            for number in range(at, messages, rooms):
                said = text.replace("{n}", str(number))
                poured[made[at]].append(said)
                await owner.sends(made[at], {"msgtype": "m.text", "body": said, "m.mentions": {}})

        async with asyncio.TaskGroup() as group:
            for at in range(rooms):
                group.create_task(pour(at))
        return poured

    async def upgrades(self, who: Who, room: str) -> str:
        """Let a room go on in a new version; the new room, once its maker's client knows it."""
        client = self.people[who].client
        path = f"/_matrix/client/v3/rooms/{quote(room)}/upgrade"
        headers = {"Authorization": f"Bearer {client.access_token}"}
        answer = await client.send("POST", path, json.dumps({"new_version": "10"}), headers)
        new = str((await answer.json())["replacement_room"])
        await self.people[who].comes_to(new)
        return new

    async def raw(self, who: Who, room: str, event: str) -> Mapping[str, Any]:
        """An event as the server has it."""
        client = self.people[who].client
        path = f"/_matrix/client/v3/rooms/{quote(room)}/event/{quote(event)}"
        headers = {"Authorization": f"Bearer {client.access_token}"}
        answer = await client.send("GET", path, headers=headers)
        said: Mapping[str, Any] = await answer.json()
        return said

    async def _sent(self, who: Who, where: Where, content: Mapping[str, Any]) -> str:
        room = self.rooms[where]
        await self.people[who].meets(self.pet, room)
        said = await self.people[who].sends(room, content)
        self.places[said] = room
        return said


def _has_words(event: Mapping[str, Any]) -> bool:
    content = event.get("content", {})
    return event.get("type") == "m.room.message" and "body" in content


def _message(event: Mapping[str, Any]) -> PetMessage:
    content = event["content"]
    relation = content.get("m.relates_to", {})
    return PetMessage(
        id=event["event_id"],
        text=content["body"],
        answers=relation.get("m.in_reply_to", {}).get("event_id"),
    )


@asynccontextmanager
async def person_on(synapse: Synapse, name: str, shown: str) -> AsyncIterator[Person]:
    """A person with an account of that name and a client of their own."""
    user = synapse.registers(name, PASSWORD)
    with TemporaryDirectory() as folder:
        client = AsyncClient(
            synapse.url, user, store_path=folder, config=AsyncClientConfig(request_timeout=300)
        )
        logged_in = await client.login(PASSWORD)
        assert isinstance(logged_in, LoginResponse), logged_in
        await client.set_displayname(shown)
        person = Person(client)
        running = asyncio.create_task(person.runs())
        try:
            yield person
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
            await client.close()
            client.store.database.close()


@asynccontextmanager
async def on_synapse(synapse: Synapse) -> AsyncIterator[MatrixWorld]:
    """A world on a server that runs already, with accounts and rooms of its own."""
    at = next(_NAMES)
    async with AsyncExitStack() as stack:
        people = {
            who: await stack.enter_async_context(
                person_on(synapse, f"{who.name.lower()}{at}", who.value)
            )
            for who in Who
        }
        gate = await stack.enter_async_context(open_gate(synapse.url))
        pet = synapse.registers(f"{PET}{at}", PASSWORD)
        world = MatrixWorld(synapse, gate, pet, people)
        for where, who in _OWNERS.items():
            world.rooms[where] = await _room(world, where, who)
        yield world


async def _room(world: MatrixWorld, where: Where, who: Who) -> str:
    owner = world.people[who]
    if where is not Where.LOBBY:
        is_hidden = where is Where.LEA_DIRECT
        return await owner.makes_room(
            encrypted=is_hidden, is_direct=True, invite=[world.pet], preset=_TRUSTED
        )
    others = [one for one in world.people.values() if one is not owner]
    room = await owner.makes_room(
        name="Lobby", invite=[world.pet, *(one.id for one in others)], preset=_PRIVATE
    )
    for one in others:
        await one.comes_to(room)
    return room


@asynccontextmanager
async def open_matrix_world() -> AsyncIterator[MatrixWorld]:
    """A world with a server of its own; skips the test where it is not installed."""
    with running_synapse() as synapse:
        async with on_synapse(synapse) as world:
            yield world
