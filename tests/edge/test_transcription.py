"""The transcriber against a strict server on loopback: what it hears, and what goes wrong there."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from bot.errors import BotError, ModelAccessDenied, ModelRefused, ModelTooSlow, ModelUnavailable
from bot.llm.service.options import ServiceOptions
from bot.llm.transcription.openai_audio import OpenAiTranscriber
from bot.model.sounds import Sound
from memory.model.voices import SpeechTranscript
from tests.edge.loopback import Answer
from tests.edge.strict_server import fails
from tests.edge.transcription_server import (
    KEY,
    GivenSound,
    TranscriptionServer,
    heard,
    sound,
    transcription_server,
)
from tests.patience import PATIENCE_S


@asynccontextmanager
async def ears(url: str, **options: Any) -> AsyncIterator[OpenAiTranscriber]:
    """A transcriber of a server."""
    given = {"api_key": KEY, "model": "whisper-1", "timeout_s": PATIENCE_S, "retries": 0, **options}
    transcriber = OpenAiTranscriber(ServiceOptions(base_url=url, **given))
    try:
        yield transcriber
    finally:
        await transcriber.close()


async def hears(
    server: TranscriptionServer, words: str = "hello", **options: Any
) -> SpeechTranscript:
    """What is made of a sound that says these words."""
    async with ears(server.url, **options) as transcriber:
        given = Sound(content=sound(words), media_type="audio/ogg; codecs=opus", seconds=2)
        return await transcriber.transcript(given)


async def test_it_hears_words_with_their_language_and_length() -> None:
    """Of a file by a name and a type that servers know."""
    async with transcription_server() as server:
        assert await hears(server, "I live in Perth.") == SpeechTranscript(
            words="I live in Perth.", language="english", seconds=2.0
        )
    (given,) = server.sounds
    assert (given.file_name, given.media_type) == ("voice.ogg", "audio/ogg")
    assert given.fields == {"model": "whisper-1", "response_format": "verbose_json"}
    assert given.content == sound("I live in Perth.")


@pytest.mark.parametrize(
    "answer",
    [
        heard(""),
        heard("  "),
        heard("[Music]"),
        heard("(soft music) ♪ [Applause]"),
        heard("*coughs*"),
        heard("..."),
        heard("Merci.", no_speech_prob=0.9),
        heard("la la la la la la la la", compression_ratio=8.0),
        heard("Sous-titres réalisés par la communauté d'Amara.org"),
        heard(" Thanks for watching!"),
        heard("Sous-titrage Société Radio-Canada"),
        heard("Merci d’avoir regardé cette vidéo !"),
        Answer(body=b'{"text": "[BLANK_AUDIO]"}'),
    ],
)
async def test_silence_and_music_are_no_words(answer: Answer) -> None:
    """Nor what a model makes up for them."""
    async with transcription_server() as server:
        server.answering = lambda _: answer
        assert (await hears(server)).words == ""


async def test_words_between_noises_are_kept() -> None:
    """Of several segments those in which a person speaks."""
    body = (
        b'{"text": "all", "language": "french", "duration": 3.5, "segments": ['
        b'{"text": " [rires] Salut !", "no_speech_prob": 0.1},'
        b'{"text": " Merci.", "no_speech_prob": 0.8},'
        b'{"text": " Thanks to you for watching my cat."}]}'
    )
    async with transcription_server() as server:
        server.answering = lambda _: Answer(body=body)
        said = await hears(server)
    assert said == SpeechTranscript(
        words="Salut ! Thanks to you for watching my cat.", language="french", seconds=3.5
    )


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (Answer(status=500), ModelUnavailable),
        (Answer(status=503, body=b"busy"), ModelUnavailable),
        (fails(429, "rate_limit_error"), ModelUnavailable),
        (Answer(body=b"<html>busy</html>"), ModelUnavailable),
        (Answer(body=b"[]"), ModelUnavailable),
        (Answer(body=b'{"text": 7}'), ModelUnavailable),
        (Answer(body=b'{"text": "' + b"a" * 2_000_000 + b'"}'), ModelRefused),
        (Answer(body=b'{"text": "half', cut=True), ModelUnavailable),
        (Answer(reset=True), ModelUnavailable),
        (fails(401, "invalid_request_error", message=f"no such key: {KEY}"), ModelAccessDenied),
        (Answer(status=404), ModelAccessDenied),
        (Answer(status=413), ModelRefused),
        (fails(400, "invalid_request_error"), ModelRefused),
        (Answer(never=True), ModelTooSlow),
    ],
)
async def test_what_goes_wrong_is_an_error_of_ours(answer: Answer, error: type[BotError]) -> None:
    """With a sentence that has neither the key nor the body in it."""
    async with transcription_server() as server:
        server.answering = lambda _: answer
        with pytest.raises(error) as failed:
            await hears(server, timeout_s=0.5 if answer.never else PATIENCE_S)
    assert type(failed.value) is error
    assert "transcription server" in str(failed.value)
    assert KEY not in str(failed.value)


async def test_where_nothing_listens_that_is_said() -> None:
    """A port that is closed."""
    async with transcription_server() as server:
        url = server.url
    server.url = url
    with pytest.raises(ModelUnavailable):
        await hears(server)


async def test_a_call_that_is_given_up_ends_at_once() -> None:
    """As at the end of the process."""
    async with transcription_server() as server:
        asked = asyncio.Event()

        def hang(_given: GivenSound) -> Answer:
            asked.set()
            return Answer(never=True)

        server.answering = hang
        calling = asyncio.create_task(hears(server, timeout_s=60))
        await asked.wait()
        calling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await calling
