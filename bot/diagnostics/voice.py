"""Looks at what listens to voice notes, by a second of silence: it costs a sixtieth of a minute."""

import io
import wave
from time import perf_counter

from bot.agent.metered_voice import Transcriber
from bot.diagnostics.findings import Finding, fail, note, ok
from bot.errors import BotError, BudgetExhausted
from bot.model.sounds import Sound

RATE = 16_000
"""Samples a second, which every such server takes."""


class VoiceCheck:
    """Looks at the transcription server of one pet; None where it has none."""

    def __init__(self, transcriber: Transcriber | None, address: str) -> None:
        self._transcriber = transcriber
        self._address = address

    async def look(self) -> Finding:
        """How the server is now."""
        if self._transcriber is None:
            return ok("voice notes", "voice_unused")
        values = {"name": self._transcriber.name, "address": self._address}
        started = perf_counter()
        try:
            await self._transcriber.transcript(silence())
        except BudgetExhausted as spent:
            return note("voice notes", "voice_spent", "wait_voice", error=spent)
        except BotError as error:
            return fail("voice notes", "voice_failed", "check_voice", **values, error=error)
        took = round((perf_counter() - started) * 1000)
        return ok("voice notes", "voice", **values, took=took)


def silence() -> Sound:
    """A second of it, as a WAV file."""
    file = io.BytesIO()
    with wave.open(file, "wb") as written:
        written.setparams((1, 2, RATE, RATE, "NONE", ""))
        written.writeframes(bytes(2 * RATE))
    return Sound(content=file.getvalue(), media_type="audio/wav", seconds=1)
