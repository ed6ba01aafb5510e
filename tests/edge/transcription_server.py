"""A transcription server on loopback, strict about the request, that answers by what it is sent."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from email import policy
from email.parser import BytesParser

from tests.edge.loopback import Answer, Asked, LoopbackServer
from tests.edge.strict_server import fails

KEY = "key-of-the-ears"

FIELDS = {"file", "model", "response_format"}


@dataclass(frozen=True, slots=True)
class GivenSound:
    """A request as the server understood it."""

    fields: Mapping[str, str]
    file_name: str
    media_type: str
    content: bytes


def heard(
    words: str, *, seconds: float = 2.0, language: str = "english", **segment: float
) -> Answer:
    """An answer in `verbose_json`, of one segment."""
    told = {"id": 0, "start": 0.0, "end": seconds, "no_speech_prob": 0.01, "avg_logprob": -0.2}
    body = {
        "task": "transcribe",
        "language": language,
        "duration": seconds,
        "text": words,
        "segments": [{**told, "text": words, **segment}] if words else [],
    }
    return Answer(body=json.dumps(body).encode())


def sound(words: str, seconds: float = 2.0) -> bytes:
    """A sound as the stub hears it: an Ogg file with Opus so long, and its words in plain text."""
    first = b"OggS\0\2" + bytes(8) + b"OpusHead"
    last = b"OggS\0\4" + round(seconds * 48_000).to_bytes(8, "little") + bytes(12)
    return first + b"<" + words.encode() + b">" + last


def said_in(content: bytes) -> str:
    """The words of such a sound."""
    return content.partition(b"<")[2].rpartition(b">")[0].decode()


def hears(given: GivenSound) -> Answer:
    """The answer to such a sound: its words, and how long it is."""
    last = given.content.rfind(b"OggS")
    samples = int.from_bytes(given.content[last + 6 : last + 14], "little")
    return heard(said_in(given.content), seconds=samples / 48_000)


@dataclass
class TranscriptionServer:
    """What was asked of it; it hears what `sound` made, or answers as `answering` says.

    `delays` are seconds that some words take.
    """

    url: str = ""
    sounds: list[GivenSound] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    delays: dict[str, float] = field(default_factory=dict)
    answering: Callable[[GivenSound], Answer] = hears

    async def answer(self, asked: Asked) -> Answer:
        """Answer one request, a 400 where it breaks a rule."""
        given, broken = _read(asked)
        self.sounds.append(given)
        self.broken += broken
        if broken:
            return fails(400, "invalid_request_error", message="; ".join(broken))
        await asyncio.sleep(self.delays.get(said_in(given.content), 0))
        return self.answering(given)


def _read(asked: Asked) -> tuple[GivenSound, list[str]]:
    head = f"content-type: {asked.headers.get('content-type', '')}\r\n\r\n".encode()
    message = BytesParser(policy=policy.HTTP).parsebytes(head + asked.body)
    parts = {
        str(one.get_param("name", header="content-disposition")): one
        for one in message.iter_parts()
    }
    texts = {name: one.get_content().strip() for name, one in parts.items() if name != "file"}
    file = parts.get("file")
    given = GivenSound(
        fields=texts,
        file_name="" if file is None else file.get_filename() or "",
        media_type="" if file is None else file.get_content_type(),
        content=b"" if file is None else file.get_content(),
    )
    rules = {
        "POST /v1/audio/transcriptions": (asked.method, asked.path)
        == ("POST", "/v1/audio/transcriptions"),
        "the key": asked.headers.get("authorization") == f"Bearer {KEY}",
        "its fields": set(parts) == FIELDS,
        "a file with a name and a sound": bool(given.file_name and given.content),
        "a form it knows": texts.get("response_format") == "verbose_json",
    }
    return given, [f"no: {rule}" for rule, holds in rules.items() if not holds]


@asynccontextmanager
async def transcription_server() -> AsyncIterator[TranscriptionServer]:
    """A running server; leaving the context checks that no rule was broken."""
    served = TranscriptionServer()
    async with LoopbackServer(served.answer) as server:
        served.url = f"{server.url}/v1"
        yield served
    assert served.broken == []
