"""Listens to what waits for it, beside the talk: fetched, sent to a server, written down."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol
from weakref import WeakValueDictionary

import structlog

from bot.agent.circuit_breaker import CircuitBreaker
from bot.agent.metered_voice import Transcriber
from bot.conversation.placement import addressed
from bot.conversation.unread_notes import UnreadNotices
from bot.conversation.voice.rules import TRIED_FOR, VoiceRules, why_unheard
from bot.errors import BotError, BudgetExhausted
from bot.model.sounds import Sound, seconds_of
from bot.ports import FileStore
from memory.model.messages import Handling, MessageId
from memory.model.parts import NoteKind
from memory.model.people import PersonId
from memory.model.voices import SpeechTranscript, VoiceState
from memory.ports import Clock
from memory.storage.conversations.voices import UNHEARD, SettledVoice, VoiceNotes, WaitingVoice
from memory.tasks import Boundary

log = structlog.get_logger()

MOST_AT_ONCE = 3
"""Voice notes that are listened to at a time, each of another person."""

FETCHED_AGAIN_S = (1, 5, 15, None)
"""The waits between tries to fetch one: its platform may not be connected yet, or be slow."""


class Listened(Protocol):
    """Goes on with messages that were listened to."""

    async def listened(self, message: MessageId, said: SettledVoice, state: VoiceState) -> None:
        """Take what a message says now, or that it says nothing."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Ears:
    """Where sounds are fetched from by platform, and what writes down what is said in them."""

    stores: Mapping[str, FileStore]
    transcriber: Transcriber


class VoiceListening:
    """Makes words of voice notes, those of one person in order.

    What waits stands in the database: an end of the process loses none. `shown` is told of each
    message that has its words now.
    """

    def __init__(
        self, notes: VoiceNotes, ears: Ears, follower: Listened, rules: VoiceRules, clock: Clock
    ) -> None:
        self.shown: list[Callable[[WaitingVoice], Awaitable[None]]] = []
        self._notes = notes
        self._ears = ears
        self._follower = follower
        self._rules = rules
        self._clock = clock
        self._breaker = CircuitBreaker(clock)
        self._told = UnreadNotices({NoteKind.VOICE})
        self._begun: set[MessageId] = set()
        self._free = asyncio.Semaphore(MOST_AT_ONCE)
        self._turns: WeakValueDictionary[PersonId, asyncio.Lock] = WeakValueDictionary()

    async def run(self, came: asyncio.Event) -> None:
        """Listen to what waits, and from then on to what comes, until cancelled."""
        async with asyncio.TaskGroup() as group:
            while True:
                came.clear()
                for message, person in await self._notes.waiting(TRIED_FOR, self._ears.stores):
                    if message not in self._begun:
                        self._begun.add(message)
                        turn = self._turns.setdefault(person, asyncio.Lock())
                        group.create_task(self._serve(message, turn), name=f"voice-{message}")
                await came.wait()

    async def _serve(self, message: MessageId, turn: asyncio.Lock) -> None:
        async with turn, self._free:
            with Boundary("voice.broken", message=message) as boundary:
                await self._listen(message)
            if boundary.failed:
                with Boundary("voice.abandoned", message=message):
                    if (said := await self._notes.settle(message, VoiceState.FAILED)) is not None:
                        await self._follower.listened(message, said, VoiceState.FAILED)
        self._begun.discard(message)

    async def _listen(self, message: MessageId) -> None:
        one = await self._notes.begin(message)
        if one is None:
            return
        heard = await self._heard(one)
        state, words = (
            (heard, UNHEARD) if isinstance(heard, VoiceState) else (VoiceState.HEARD, heard)
        )
        is_called = addressed(words.words, self._rules.names)
        overheard = Handling.PENDING if is_called else Handling.OBSERVED
        said = await self._notes.settle(message, state, words, overheard)
        log.info("voice.heard", message=message, room=one.room, outcome=str(state))
        if said is None:
            return
        if state not in {VoiceState.HEARD, VoiceState.SILENT} and not self._is_due(one):
            await self._notes.leave(message)
            said = replace(said, text="")
        await self._follower.listened(message, said, state)
        for show in self.shown if state is VoiceState.HEARD else ():
            await show(one)

    async def _heard(self, one: WaitingVoice) -> SpeechTranscript | VoiceState:
        """The words of a voice note, or why it has none."""
        if (refused := why_unheard(one, self._rules)) is not None:
            return refused
        if not (content := await self._fetched(one)):
            return VoiceState.FAILED
        # Where the file does not say how long it is, it may be as long as is allowed.
        seconds = seconds_of(content) or self._rules.most_seconds
        if self._rules.is_too_long(seconds):
            return VoiceState.TOO_LONG
        return await self._written_down(one, content, seconds)

    async def _written_down(
        self, one: WaitingVoice, content: bytes, seconds: float
    ) -> SpeechTranscript | VoiceState:
        sound = Sound(
            content=content,
            media_type=one.file.media_type,
            seconds=seconds,
            person=one.person,
            space=one.space,
            room=one.room,
        )
        try:
            with self._breaker.attempt():
                heard = await self._ears.transcriber.transcript(sound)
        except BudgetExhausted:
            return VoiceState.SPENT
        except BotError as error:
            log.warning("voice.missed", message=one.message, reason=str(error))
            return VoiceState.FAILED
        if self._rules.is_too_long(heard.seconds):
            return VoiceState.TOO_LONG
        return heard if heard.words else VoiceState.SILENT

    async def _fetched(self, one: WaitingVoice) -> bytes | None:
        for wait_s in FETCHED_AGAIN_S:
            store = self._ears.stores[one.platform]
            content = await store.fetch(one.file.url, self._rules.most_bytes)
            if content or wait_s is None:
                return content
            await asyncio.sleep(wait_s)
        return None

    def _is_due(self, one: WaitingVoice) -> bool:
        """Whether its author is told why it is unheard; of the same only once in a while."""
        return self._told.answers(one.text, one.person, one.room, self._clock.now())
