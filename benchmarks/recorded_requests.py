"""Prints requests as a provider receives them: `python -m benchmarks.recorded_requests [FOLDER]`.

A pet of its own, in a folder that is thrown away, is spoken to in a lobby, in a thread and alone.
Its model is a small server on loopback that writes down what it is sent and answers with one
sentence. Each request is printed (or written as a text file into FOLDER), then how much of each of
twenty turns is, byte for byte, what the turn before had sent: that a provider has in its cache.
Last, what of twenty turns in a room is sent to a model whose window is 4,096 tokens.
"""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.prefix import cached_shares, sent_text
from benchmarks.settings import bench_settings, prepare_process
from bot.model.events import AuthorRef, Inbound, RoomRef
from bot.transfer.seeds import plant, read_seed
from bot.wiring.app import App, open_app
from config.sections.conversation import CoalescingSettings
from config.sections.model import ModelSettings, ToolSettings
from memory.clock import FrozenClock
from memory.model.authority import Actor, Mandate
from memory.model.people import PersonId
from memory.model.rooms import HOME, RoomKind, RoomRole
from memory.tokens import tokens_in

Body = dict[str, Any]

BEGIN = datetime(2026, 11, 23, 13, 27, tzinfo=UTC)
"""A Monday."""

PLATFORM = "local"

TALK = (
    "salut Eko, tu vas bien ?",
    "je prépare un voyage en Grèce en mai",
    "on sera quatre, avec Nora et les enfants",
    "tu connais Athènes ?",
    "Nora préfère les îles, moi la montagne",
    "on hésite entre Naxos et les Météores",
    "les enfants ont 6 et 9 ans",
    "tu te souviens de ce que Nora préfère ?",
    "il faut que je réserve les billets avant vendredi",
    "je crois que le bateau part du Pirée",
)
"""Said twice over in twenty turns, the second time in other words."""


@dataclass
class RecordingServer:
    """A model's service that keeps the bodies it was sent."""

    bodies: list[Body] = field(default_factory=list)

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer requests of one connection until it is closed."""
        while head := await _head(reader):
            length = next(
                int(line.partition(":")[2])
                for line in head.splitlines()
                if line.lower().startswith("content-length:")
            )
            self.bodies.append(json.loads(await reader.readexactly(length)))
            said = json.dumps(_ANSWER).encode()
            writer.write(_HEAD % len(said) + said)
            await writer.drain()
        writer.close()


_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"

_ANSWER: Body = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "recorded",
    "stop_reason": "tool_use",
    "stop_sequence": None,
    "content": [
        {
            "type": "tool_use",
            "id": "toolu_1",
            "name": "respond",
            "input": {"expression": "happy", "message": "D'accord, je m'en souviendrai."},
        }
    ],
    "usage": {"input_tokens": 1, "output_tokens": 1},
}


async def _head(reader: asyncio.StreamReader) -> str:
    try:
        return (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except asyncio.IncompleteReadError:
        return ""


@dataclass
class Recorder:
    """A pet, its clock, and the requests it makes."""

    app: App
    clock: FrozenClock
    server: RecordingServer
    heard: int = 0

    async def hears(self, text: str, who: str, where: RoomRef) -> str:
        """Let a person say something; the platform's id of it."""
        self.heard += 1
        inbound = Inbound(
            external_id=f"m{self.heard}",
            room=where,
            author=AuthorRef(platform=PLATFORM, external_id=who.lower(), name=who),
            text=text,
            sent_at=self.clock.now(),
            spaces=frozenset({HOME}),
        )
        await self.app.inbox.receive(inbound)
        await self.app.conversations.quiet()
        await self.app.services.indexer.settle()
        self.clock.advance(timedelta(minutes=1))
        return inbound.external_id

    async def asked(self, text: str, who: str, where: RoomRef) -> Body:
        """The request that a person's words made."""
        await self.hears(text, who, where)
        return self.turns[-1]

    @property
    def turns(self) -> Sequence[Body]:
        """The requests of turns; others are for what the pet learns beside them."""
        return [body for body in self.server.bodies if _is_turn(body)]


@asynccontextmanager
async def recording(tools: str = "full", window: int | None = None) -> AsyncIterator[Recorder]:
    """A pet whose model is written down, until the body ends; `window` are the model's tokens."""
    server, clock = RecordingServer(), FrozenClock(BEGIN)
    listening = await asyncio.start_server(server.answer, "127.0.0.1", 0)
    port = listening.sockets[0].getsockname()[1]
    with TemporaryDirectory() as folder:
        settings = bench_settings(Path(folder)).model_copy(
            update={
                "model": ModelSettings(
                    base_url=f"http://127.0.0.1:{port}", retries=0, context_tokens=window
                ),
                "tools": ToolSettings.model_validate({"set": tools}),
                "coalescing": CoalescingSettings(debounce_s=0, max_wait_s=0),
            }
        )
        async with listening, open_app(settings, clock) as app:
            yield Recorder(app, clock, server)


def group(name: str, **more: Any) -> RoomRef:
    """A room of several people."""
    return RoomRef(
        platform=PLATFORM,
        external_id=name,
        name=name,
        kind=RoomKind.GROUP,
        role=RoomRole.LOBBY,
        community="Les Lecteurs",
        **more,
    )


def direct(who: str) -> RoomRef:
    """The room where a person is alone with the pet."""
    return RoomRef(
        platform=PLATFORM,
        external_id=f"dm-{who.lower()}",
        name=who,
        kind=RoomKind.DIRECT,
        role=RoomRole.PET,
    )


LOBBY = group("lobby")


async def requests() -> Mapping[str, Body]:
    """The requests that are shown, by a name."""
    shown: dict[str, Body] = {}
    async with recording() as pet:
        operator = Actor(person=PersonId("operator"), mandate=Mandate.PET)
        await plant(pet.app.services.writer, read_seed(None, pet.app.settings.locale), operator)
        for who, text in (
            ("David", "vim est bien plus rapide"),
            ("Mickael", "n'importe quoi, emacs fait tout"),
            ("David", "emacs met dix secondes à s'ouvrir"),
        ):
            await pet.hears(text, who, LOBBY)
        shown["vim-and-emacs"] = await pet.asked("Eko, which one do you agree with?", "Nora", LOBBY)
        shown["what-day"] = await pet.asked("what day is it?", "Nora", direct("Nora"))
        shown["who-are-you"] = await pet.asked("Tu es qui ?", "David", direct("David"))
        starter = await pet.hears("on part où cet été ?", "David", LOBBY)
        thread = group("thread", parent="lobby", starter=starter)
        await pet.hears("moi je vote Corse", "Mickael", thread)
        shown["thread"] = await pet.asked("Eko, tu proposes quoi ?", "Nora", thread)
        shown["direct-after-lobby"] = await pet.asked(
            "tu as vu ce que Mickael pense d'emacs ?", "Sami", direct("Sami")
        )
    return shown


async def twenty_turns(tools: str) -> Sequence[Body]:
    """The requests of twenty turns of one conversation, alone with the pet."""
    async with recording(tools) as pet:
        operator = Actor(person=PersonId("operator"), mandate=Mandate.PET)
        await plant(pet.app.services.writer, read_seed(None, pet.app.settings.locale), operator)
        for text in (*TALK, *(f"et encore : {one}" for one in TALK)):
            await pet.asked(text, "David", direct("David"))
        return pet.turns


async def in_small_window() -> Sequence[str]:
    """What is sent of each of twenty turns in a lobby where others talk, as rows of words."""
    async with recording("compact", SMALL_WINDOW) as pet:
        for text in (*TALK, *(f"et encore : {one}" for one in TALK)):
            await pet.hears(f"moi je pense toujours à ça : {text}", "Mickael", LOBBY)
            await pet.asked(f"Eko, {text}", "David", LOBBY)
        return [_shown_sizes(turn, body) for turn, body in enumerate(pet.turns, start=1)]


SMALL_WINDOW = 4096


def _shown_sizes(turn: int, body: Body) -> str:
    said = [block["text"] for one in body["messages"] for block in one["content"]]
    room = [text for text in said if "[Room -" in text]
    found = [text for text in said if "[Memory -" in text or "[Live context -" in text]
    sent = sum(_sizes(body).values())
    earlier = sum(one["role"] == "assistant" for one in body["messages"])
    return (
        f"turn {turn:2}: {sent} tokens and {body['max_tokens']} for the answer, {earlier} earlier"
        f" exchanges, {_bullets(room)} lines of the room, {_bullets(found)} recalled"
    )


def _sizes(body: Body) -> Mapping[str, int]:
    """About how many tokens the parts of a request are: its tools as JSON, the rest as words."""
    rules = "".join(block["text"] for block in body["system"])
    said = "".join(block["text"] for one in body["messages"] for block in one["content"])
    tools = json.dumps(body["tools"], ensure_ascii=False)
    return {"tools": tokens_in(tools), "system": tokens_in(rules), "messages": tokens_in(said)}


def _bullets(blocks: Sequence[str]) -> int:
    return sum(block.count("\n• ") for block in blocks)


def _is_turn(body: Body) -> bool:
    return any(tool["name"] == "respond" for tool in body.get("tools", ()))


async def _report() -> AsyncIterator[tuple[str, str]]:
    for name, body in (await requests()).items():
        yield name, sent_text(body)
    for tools in ("full", "compact"):
        bodies = await twenty_turns(tools)
        first = bodies[0]
        sizes = _sizes(first)
        rows = [f"first turn, about tokens: {sizes}, together {sum(sizes.values())}"]
        shares = cached_shares(bodies)
        rows += [f"turn {turn:2}: {share:6.1%}" for turn, share in enumerate(shares, start=2)]
        rows.append(f"least {min(shares):.1%}, together {sum(shares) / len(shares):.1%}")
        yield f"twenty-turns-{tools}", "\n".join(rows)
    yield f"window-of-{SMALL_WINDOW}", "\n".join(await in_small_window())


async def _printed() -> Mapping[str, str]:
    return {name: text async for name, text in _report()}


def _main(folder: Path | None) -> None:
    for name, text in asyncio.run(_printed()).items():
        if folder is None:
            sys.stdout.write(f"===== {name}\n{text}\n\n")
        else:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{name}.txt").write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    prepare_process()
    _main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
