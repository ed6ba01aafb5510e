"""The metered gateway of sounds: each that a server listens to is written down, within the caps."""

import asyncio
from time import perf_counter
from typing import Protocol

import structlog

from bot.agent.budget import Amount
from bot.agent.daily_budget import DailyBudget
from bot.errors import BotError
from bot.model.requests import Purpose
from bot.model.sounds import Sound
from memory.model.errors import StorageFailed
from memory.model.ledger import DOLLAR, ModelCall
from memory.model.voices import SpeechTranscript
from memory.storage.conversations.ledger import Ledger

log = structlog.get_logger()


class Transcriber(Protocol):
    """Writes down what is said in a sound."""

    @property
    def name(self) -> str:
        """The model's name, as the ledger records it."""
        ...

    async def transcript(self, sound: Sound) -> SpeechTranscript:
        """What is said in a sound; no words where nothing is.

        Raises:
            ModelUnavailable: the server cannot be reached, is too slow, or not to be understood.
            ModelRefused: the server refuses the sound, or the key.

        """
        ...


class MeteredTranscriber:
    """A transcriber whose calls are counted; the only way the rest of the pet reaches one.

    `per_minute` is what a minute of sound costs, in dollars.
    """

    def __init__(
        self, transcriber: Transcriber, ledger: Ledger, budget: DailyBudget, per_minute: float
    ) -> None:
        self._transcriber = transcriber
        self._ledger = ledger
        self._budget = budget
        self._per_minute = per_minute

    @property
    def name(self) -> str:
        """The model's name, as the ledger records it."""
        return self._transcriber.name

    async def transcript(self, sound: Sound) -> SpeechTranscript:
        """What is said in a sound, within the caps and written down whatever comes of it.

        A call that is cancelled was sent and is paid for.

        Raises:
            BudgetExhausted: it does not fit into a cap of today any more.
            ModelUnavailable: see Transcriber.
            ModelRefused: see Transcriber.

        """
        most, taken, outcome = self._amount(sound.seconds), Amount(), "end"
        reserved = await self._budget.keep(most, Purpose.VOICE, sound.person, sound.space)
        started = perf_counter()
        try:
            heard = await self._transcriber.transcript(sound)
            taken = self._amount(heard.seconds) if heard.seconds > 0 else most
        except BotError as error:
            outcome = type(error).__name__
            raise
        except asyncio.CancelledError:
            taken, outcome = most, "cancelled"
            raise
        finally:
            await self._record(sound, taken, outcome, started)
            self._budget.count(reserved, taken)
        return heard

    def _amount(self, seconds: float) -> Amount:
        cost = round(seconds / 60 * self._per_minute * DOLLAR)
        return Amount(cost=cost, audio_ms=round(seconds * 1000))

    async def _record(self, sound: Sound, taken: Amount, outcome: str, started: float) -> None:
        call = ModelCall(
            purpose=Purpose.VOICE,
            model=self.name,
            outcome=outcome,
            person=sound.person,
            space=sound.space,
            room=sound.room,
            cost=taken.cost,
            audio_ms=taken.audio_ms,
            took_ms=(perf_counter() - started) * 1000,
        )
        try:
            await self._ledger.record(call)
        except StorageFailed as error:  # it must not take the place of what came of the call
            log.warning("usage.missed", reason=str(error))
