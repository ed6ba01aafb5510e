"""A voice note on a real Matrix server, encrypted, with the pet as a process."""

import asyncio
import io
from pathlib import Path

from nio import UploadResponse

from tests.channels.matrix_world import open_matrix_world
from tests.channels.world import Where, Who
from tests.edge.transcription_server import KEY, sound, transcription_server
from tests.patience import PATIENCE_S
from tests.peers.daemon import awake
from tests.peers.discord_stage import rows

SETTINGS = {
    "EKO_EMBEDDER__KIND": "none",
    "EKO_COALESCING__DEBOUNCE_S": "0",
    "EKO_VOICE__API_KEY": KEY,
}


async def test_an_encrypted_voice_note_is_opened_heard_and_answered(tmp_path: Path) -> None:
    """Its key is kept no longer than it takes, and its sound not at all."""
    content = sound("My cat is called Mistigri.")
    async with open_matrix_world() as world, transcription_server() as server:
        given = {**SETTINGS, **world.settings, "EKO_VOICE__URL": server.url}
        async with awake(tmp_path / "data", given) as daemon:
            await daemon.has_written(world.connected)
            lea, room = world.people[Who.LEA], world.rooms[Where.LEA_DIRECT]
            await lea.meets(world.pet, room)
            sent, keys = await lea.client.upload(
                io.BytesIO(content), "audio/ogg", encrypt=True, filesize=len(content)
            )
            assert isinstance(sent, UploadResponse)
            told = {"duration": 2000, "mimetype": "audio/ogg", "size": len(content)}
            note = {"msgtype": "m.audio", "body": "voice.ogg", "info": told}
            note |= {"org.matrix.msc3245.voice": {}, "file": {**keys, "url": sent.content_uri}}
            await lea.sends(room, note)
            async with asyncio.timeout(PATIENCE_S):
                while not await world.pet_said(Where.LEA_DIRECT):  # noqa: ASYNC110 - on a server
                    await asyncio.sleep(0.05)
        (heard,) = rows(tmp_path / "data", "SELECT text FROM messages WHERE author_kind = 'person'")
        assert heard == ("⟦spoken⟧\nMy cat is called Mistigri.",)
        assert rows(tmp_path / "data", "SELECT url, seconds FROM voice_notes") == [("", 2.0)]
        (one,) = server.sounds
        assert one.content == content
