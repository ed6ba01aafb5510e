"""OpenAI's audio transcriptions, or any server that speaks them (speaches, LocalAI, Groq)."""

import asyncio
from typing import Literal

import httpx2
import openai
import structlog
from pydantic import ValidationError

from bot.errors import ModelRefused, ModelTooSlow, ModelUnavailable
from bot.llm.service.options import CONNECT_S, NO_KEY, ServiceOptions
from bot.llm.service.refusals import refusal
from bot.llm.transcription.speech import HeardAnswer, words_of
from bot.model.sounds import Sound
from memory.model.voices import SpeechTranscript

log = structlog.get_logger(__name__)

LONGEST_ANSWER = 2_000_000
"""Bytes of an answer that are read: an hour of talk, with all that is told of it, has less."""

LONGEST_LANGUAGE = 40
"""Characters of the name of a language that are kept."""


class OpenAiTranscriber:
    """The Transcriber port behind `POST /audio/transcriptions`, asked for `verbose_json`.

    That tells how likely it is that anybody speaks. Retries happen in the SDK only.
    """

    def __init__(self, options: ServiceOptions) -> None:
        self._options = options
        self._client = openai.AsyncOpenAI(
            api_key=options.api_key or NO_KEY,
            base_url=options.base_url,
            timeout=httpx2.Timeout(options.timeout_s, connect=CONNECT_S),
            max_retries=options.retries,
        )
        # The SDK loads this part when it is first used, which would hold up everything else then.
        self._transcriptions = self._client.audio.transcriptions.with_raw_response

    @property
    def name(self) -> str:
        """The model's name, as the ledger records it."""
        return self._options.model

    async def transcript(self, sound: Sound) -> SpeechTranscript:
        """What is said in a sound, or an error within the time limit; see Transcriber."""
        limit_s = self._options.timeout_s
        try:
            # The SDK sleeps for as long as any Retry-After says, so the limit is ours.
            async with asyncio.timeout(limit_s) as limit:
                answer = await self._posted(sound)
        except TimeoutError:
            if not limit.expired():
                raise
            sentence = f"The transcription server did not answer within {limit_s:g} seconds."
            raise ModelTooSlow(sentence) from None
        return await asyncio.to_thread(_read, answer)

    async def close(self) -> None:
        """Release the connections."""
        await self._client.close()

    async def _posted(self, sound: Sound) -> bytes:
        """The bytes of a successful answer; the vendor's errors end here."""
        file = (sound.file_name, sound.content, sound.kind)
        form: Literal["verbose_json"] = "verbose_json"
        ask = self._transcriptions.create
        try:
            raw = await ask(file=file, model=self._options.model, response_format=form)
        except openai.APIStatusError as error:
            reason = self._options.without_key(error.message)
            log.debug("voice.refused", status=error.status_code, reason=reason)
            told = refusal(error.status_code, error.type)
            sentence = str(told).replace("The model's service", "The transcription server")
            raise type(told)(sentence) from None
        except openai.APIConnectionError as error:
            raise ModelUnavailable("The transcription server cannot be reached.") from error
        content: bytes = raw.http_response.content
        return content


def _read(answer: bytes) -> SpeechTranscript:
    """What an answer says was heard.

    Raises:
        ModelUnavailable: it cannot be read.
        ModelRefused: it is longer than any talk.

    """
    if len(answer) > LONGEST_ANSWER:
        raise ModelRefused("The transcription server sent more than anybody can have said.")
    try:
        heard = HeardAnswer.model_validate_json(answer)
    except ValidationError:
        # Not chained: it quotes what was said.
        raise ModelUnavailable("The transcription server sent an unreadable answer.") from None
    return SpeechTranscript(
        words=words_of(heard),
        language=(heard.language or "")[:LONGEST_LANGUAGE],
        seconds=max(0.0, heard.duration or 0.0),
    )
