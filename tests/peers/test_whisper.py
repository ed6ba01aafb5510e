"""Voice notes heard by a real model (Whisper, tiny.en), from the sound to the memory."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.model.events import Attachment
from bot.texts.catalogue import say
from memory.model.parts import NoteKind
from tests.flow.test_voices import VoicePet, awake
from tests.patience import PATIENCE_S
from tests.peers.aimock import absent
from tests.web.browsing import free_port

SOUNDS = Path(__file__).parents[1] / "data" / "voices"
PROGRAM = Path(__file__).parent / "whisper_program.py"


@asynccontextmanager
async def whisper() -> AsyncIterator[str]:
    """The address of a server that listens; skips where there is none."""
    python = Path(os.environ.get("EKO_PEERS") or "/nowhere") / "whisper" / "bin" / "python"
    if not python.exists():
        absent("Whisper is not installed; see tests/peers/install.sh")
    port = free_port()
    process = await asyncio.create_subprocess_exec(
        python,
        PROGRAM,
        str(port),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        assert process.stdout is not None
        async with asyncio.timeout(2 * PATIENCE_S):
            assert await process.stdout.readline() == b"ready\n"
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.kill()
        await process.wait()


def _note(pet: VoicePet, name: str) -> Attachment:
    content = (SOUNDS / f"{name}.ogg").read_bytes()
    pet.shelf.files[name] = content
    return Attachment(
        name="",
        media_type="audio/ogg; codecs=opus",
        size=len(content),
        url=name,
        kind=NoteKind.VOICE,
    )


async def test_a_real_model_hears_words_and_no_words_in_silence_and_music(tmp_path: Path) -> None:
    """What was said is known; for the rest it makes up a word, which is not kept."""
    async with whisper() as url, awake(tmp_path, url, timeout_s=60) as pet:
        await pet.asked("Ada", file=_note(pet, "paris"))
        (kept,) = await pet.rows("SELECT text FROM messages WHERE author = 'Ada'")
        assert kept == ("⟦spoken⟧\nI live in Paris with my brother and two cats.",)
        ((language, seconds),) = await pet.rows("SELECT language, seconds FROM voice_notes")
        assert (language, round(seconds)) == ("en", 3)
        for who, name in (("Bob", "silence"), ("Cleo", "music")):
            assert await pet.asked(who, file=_note(pet, name)) == say("voice.silent", "en")
        used = await pet.rows("SELECT sum(audio_ms) FROM llm_usage WHERE purpose = 'voice'")
        assert 10_000 < used[0][0] < 11_000
