"""Voice notes in the whole pet, beside a server that listens: caps, edits, ends and starts."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any

from bot.channels.local.hub import direct_room
from bot.channels.local.ports import Changed, LocalEvent, Shown
from bot.model.events import Attachment, AuthorRef, Deleted, Edited, Inbound, RoomRef
from bot.texts.catalogue import say
from bot.wiring.app import App, open_app
from config.sections.conversation import CoalescingSettings
from config.sections.vectors import EmbedderSettings
from config.sections.voice import VoiceSettings
from config.settings import Settings
from memory.clock import FrozenClock
from memory.model.parts import NoteKind
from memory.model.rooms import RoomKind, RoomRole
from tests.cast import NOON
from tests.edge.loopback import Answer
from tests.edge.transcription_server import (
    KEY,
    GivenSound,
    TranscriptionServer,
    hears,
    sound,
    transcription_server,
)
from tests.harness.stage import DISCORD, ROOMS, QuietPlatform
from tests.patience import PATIENCE_S

_numbers = count(1)

_WAITING = "SELECT 1 FROM voice_notes WHERE state = 'waiting'"


@dataclass
class Shelf:
    """The FileStore port over what was put on it."""

    files: dict[str, bytes] = field(default_factory=dict)

    async def fetch(self, url: str, most_bytes: int) -> bytes | None:
        """A file, unless it is too large."""
        content = self.files.get(url)
        return content if content is not None and len(content) <= most_bytes else None


@dataclass
class VoicePet:
    """The pet with its platform, and what was said there."""

    app: App
    platform: QuietPlatform
    shelf: Shelf

    def note(self, words: str, seconds: float = 2.0) -> Attachment:
        """A voice note that says these words."""
        url = f"https://cdn.invalid/{next(_numbers)}"
        self.shelf.files[url] = sound(words, seconds)
        return Attachment(
            name="voice-message.ogg",
            media_type="audio/ogg",
            size=100,
            url=url,
            kind=NoteKind.VOICE,
            seconds=seconds,
        )

    async def says(
        self,
        who: str,
        words: str = "",
        *,
        text: str = "",
        seconds: float = 2.0,
        file: Attachment | None = None,
        where: RoomRef | None = None,
    ) -> str:
        """Say words, or what is in a file, by voice, in private unless said; the message's id."""
        external_id = f"v{next(_numbers)}"
        await self.app.inbox.receive(
            Inbound(
                external_id=external_id,
                room=where or _direct(who),
                author=_author(who),
                text=text,
                sent_at=self.app.clock.now(),
                attachments=(file or self.note(words, seconds),),
            )
        )
        return external_id

    async def asked(self, who: str, words: str = "", **fields: Any) -> str:
        """What the pet says to a voice note, without its introduction."""
        before = len(self.platform.sent)
        await self.says(who, words, **fields)
        await until(lambda: len(self.platform.sent) > before)
        return self.platform.sent[before].text.partition("\n\n")[0]

    async def rows(self, query: str) -> list[tuple[Any, ...]]:
        """Rows of the database."""
        return [tuple(row) for row in await self.app.storage.database.all(query)]

    async def listened(self) -> None:
        """Wait until nothing waits to be listened to."""
        async with asyncio.timeout(PATIENCE_S):
            while await self.rows(_WAITING):  # noqa: ASYNC110 - what is waited for is stored
                await asyncio.sleep(0.01)


async def until(held: Callable[[], object]) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(PATIENCE_S):
        while not held():  # noqa: ASYNC110 - what is waited for is in other tasks
            await asyncio.sleep(0.01)


def _author(who: str) -> AuthorRef:
    return AuthorRef(platform=DISCORD, external_id=who.lower(), name=who)


def _direct(who: str) -> RoomRef:
    return RoomRef(
        platform=DISCORD,
        external_id=f"dm-{who.lower()}",
        name=who,
        kind=RoomKind.DIRECT,
        role=RoomRole.PET,
    )


@asynccontextmanager
async def awake(folder: Path, url: str, **voice: Any) -> AsyncIterator[VoicePet]:
    """The pet with ears."""
    given = {"url": url, "api_key": KEY, "dollars_per_minute": 0.006, "retries": 0, **voice}
    settings = Settings(
        data_dir=folder,
        embedder=EmbedderSettings(kind="none"),
        coalescing=CoalescingSettings(debounce_s=0),
        voice=VoiceSettings.model_validate(given),
    )
    shelf = Shelf()
    platform = QuietPlatform(files=shelf)
    opened = open_app(settings, FrozenClock(NOON), resuming=True, platforms=[platform])
    async with opened as app:
        yield VoicePet(app, platform, shelf)


@asynccontextmanager
async def with_ears(
    folder: Path, **voice: Any
) -> AsyncIterator[tuple[VoicePet, TranscriptionServer]]:
    """The pet, and a server that listens for it."""
    async with transcription_server() as server, awake(folder, server.url, **voice) as pet:
        yield pet, server


async def test_past_a_days_money_nothing_is_sent(tmp_path: Path) -> None:
    """The first note fits, the second does not; what it took is what the cap counts."""
    async with with_ears(tmp_path, daily_dollars=0.006) as (pet, server):
        await pet.asked("Ada", "Good morning, dear Eko.", seconds=50)
        assert await pet.asked("Bob", "Me too.", seconds=20) == say("voice.spent", "en")
        assert len(server.sounds) == 1
        used = await pet.rows("SELECT audio_ms, cost, outcome FROM llm_usage WHERE purpose='voice'")
        assert used == [(50_000, 5_000_000, "end")]


async def test_one_person_does_not_use_up_the_minutes_of_all(tmp_path: Path) -> None:
    """Past their own they are told; the others are listened to."""
    async with with_ears(tmp_path, per_person_minutes=1) as (pet, server):
        await pet.asked("Ada", "Good morning, dear Eko.", seconds=50)
        assert await pet.asked("Ada", "And again.", seconds=20) == say("voice.spent", "en")
        assert await pet.asked("Bob", "Me too.", seconds=20) != say("voice.spent", "en")
        assert len(server.sounds) == 2


async def test_a_restart_does_not_give_the_day_back(tmp_path: Path) -> None:
    """The book is begun from what was written down."""
    async with with_ears(tmp_path, daily_minutes=1) as (pet, _):
        await pet.asked("Ada", "Good morning, dear Eko.", seconds=50)
    async with with_ears(tmp_path, daily_minutes=1) as (pet, server):
        assert await pet.asked("Ada", "Me again.", seconds=20) == say("voice.spent", "en")
        assert server.sounds == []


async def test_the_sound_is_nowhere_on_the_disk(tmp_path: Path) -> None:
    """Neither while it is listened to nor afterwards."""
    async with with_ears(tmp_path) as (pet, server):
        seen: list[str] = []

        def look(given: GivenSound) -> Answer:
            seen.extend(_files_with_sound(tmp_path))
            return hears(given)

        server.answering = look
        await pet.asked("Ada", "Good morning, dear Eko.")
        assert server.sounds
        seen.extend(_files_with_sound(tmp_path))
        assert seen == []


async def test_a_note_that_is_taken_back_meanwhile_leaves_nothing(tmp_path: Path) -> None:
    """What was heard of it is dropped, and nothing is answered."""
    async with with_ears(tmp_path) as (pet, server):
        server.delays["my secret"] = 0.5
        message = await pet.says("Ada", "my secret")
        await until(lambda: server.sounds)
        await pet.app.inbox.receive(Deleted(platform=DISCORD, external_id=message))
        await pet.asked("Bob", "Good morning, dear Eko.", seconds=1)
        await asyncio.sleep(0.6)
        assert await pet.rows("SELECT text FROM messages WHERE author = 'Ada' AND text <> ''") == []
        assert await pet.rows("SELECT 1 FROM voice_notes WHERE state <> 'heard'") == []
        assert await pet.rows("SELECT 1 FROM turns WHERE speaker = 'Ada'") == []


async def test_a_caption_that_is_changed_keeps_the_words(tmp_path: Path) -> None:
    """Before they are known, and after."""
    async with with_ears(tmp_path) as (pet, server):
        server.delays["I live in Perth."] = 0.3
        message = await pet.says("Ada", "I live in Perth.", text="listn")
        await until(lambda: server.sounds)
        for caption in ("listen", "listen to this"):
            file = pet.note("unused")
            await pet.app.inbox.receive(
                Edited(platform=DISCORD, external_id=message, text=caption, attachments=(file,))
            )
            await pet.listened()
            kept = await pet.rows("SELECT text FROM messages WHERE author = 'Ada' LIMIT 1")
            assert kept == [(f"{caption}\n⟦spoken⟧\nI live in Perth.",)]


async def test_who_opts_out_meanwhile_is_not_sent_anywhere(tmp_path: Path) -> None:
    """The first note is with the server already; the second has not left."""
    async with with_ears(tmp_path) as (pet, server):
        server.delays["the first"] = 0.5
        await pet.says("Ada", "the first")
        await until(lambda: server.sounds)
        await pet.says("Ada", "the second")
        person = await pet.app.storage.people.known(DISCORD, "ada")
        assert person is not None
        await pet.app.storage.database.run("UPDATE people SET observed = 0")
        await pet.listened()
        assert len(server.sounds) == 1
        states = await pet.rows("SELECT state FROM voice_notes ORDER BY message_id")
        assert states == [("heard",), ("unobserved",)]


async def test_of_who_opts_out_of_a_lobby_meanwhile_no_words_are_kept(tmp_path: Path) -> None:
    """The server has heard them already; the pet has not."""
    lobby = replace(ROOMS["hall"], external_id="7")
    async with with_ears(tmp_path) as (pet, server):
        server.delays["I live in Perth."] = 0.5
        await pet.says("Ada", "I live in Perth.", where=lobby)
        await until(lambda: server.sounds)
        await pet.app.storage.database.run("UPDATE people SET observed = 0")
        await pet.listened()
        (kept,) = await pet.rows("SELECT text, handling FROM messages")
        assert kept == ("⟦voice: voice-message.ogg⟧", "kept")
        assert await pet.rows("SELECT 1 FROM live_messages") == []


async def test_what_is_gone_after_a_restart_is_said_to_be_unheard(tmp_path: Path) -> None:
    """Its platform does not have it any more: its author hears so, once."""
    async with with_ears(tmp_path) as (pet, server):
        server.delays["hello"] = 60
        await pet.says("Ada", "hello")
        await until(lambda: server.sounds)
        pet.app.conversations.close()
        await pet.app.storage.database.run("UPDATE voice_notes SET attempts = 3")
    async with with_ears(tmp_path) as (pet, server):
        await until(lambda: pet.platform.sent)
        assert pet.platform.sent[0].text.startswith(say("voice.failed", "en"))
        assert server.sounds == []


async def test_on_the_page_the_words_appear_in_place_of_the_note(tmp_path: Path) -> None:
    """For whoever reads along; the sound is in memory only until it is fetched."""
    async with with_ears(tmp_path) as (pet, _):
        zoe = AuthorRef(platform="web", external_id="zoe", name="Zoé")
        talk = pet.app.hub.talk(zoe, direct_room(zoe))
        file = pet.app.uploads.keep_voice(sound("Good morning, dear Eko."))
        async with talk.events() as events, asyncio.timeout(PATIENCE_S):
            await talk.say("", attachments=(file,))
            told = [one async for one in _until_changed(events)]
        first = next(one for one in told if isinstance(one, Shown))
        (changed,) = [one for one in told if isinstance(one, Changed)]
        assert first.text == "⟦voice⟧"
        assert changed.shown.text == "⟦spoken⟧\nGood morning, dear Eko."
        assert (changed.shown.mine, changed.shown.edited) == (True, False)
        assert await pet.app.uploads.fetch(file.url, 1000) is None


async def _until_changed(events: AsyncIterator[LocalEvent]) -> AsyncIterator[LocalEvent]:
    async for event in events:
        yield event
        if isinstance(event, Changed):
            return


def _files_with_sound(folder: Path) -> list[str]:
    found = (one for one in folder.rglob("*") if one.is_file())
    return [one.name for one in found if b"OpusHead" in one.read_bytes()]
