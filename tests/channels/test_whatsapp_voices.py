"""Voice notes on WhatsApp's Cloud API, with the daemon as a process."""

from collections.abc import Mapping
from pathlib import Path

from bot.texts.catalogue import say
from tests.channels.whatsapp_stage import on_whatsapp
from tests.channels.whatsapp_world import CUSTOMERS, open_whatsapp_world
from tests.channels.world import Who
from tests.edge.transcription_server import KEY, sound, transcription_server

LEA = CUSTOMERS[Who.LEA]


async def test_a_voice_note_is_fetched_by_its_id_heard_and_answered(tmp_path: Path) -> None:
    """One that is forwarded is not; a recording that is no voice note is only noted."""
    async with open_whatsapp_world() as world, transcription_server() as listener:
        given = {"EKO_VOICE__URL": listener.url, "EKO_VOICE__API_KEY": KEY}
        async with on_whatsapp(world, tmp_path / "data", given) as stage:
            server = world.server
            server.files["4711"] = ("audio/ogg", sound("My cat is called Mistigri."))
            told = {"id": "4711", "mime_type": "audio/ogg; codecs=opus"}

            async def heard(audio: Mapping[str, object], **context: bool) -> str:
                message = server.message_of(LEA, "audio", audio=audio, context=context)
                server.hand(server.body_of(server.value_of(LEA, message)))
                answer = await server.answer_to(message["id"])
                return answer.text.partition("\n\n")[0]

            assert await heard({**told, "voice": True}) != say("wordless.voice", "en")
            assert stage.kept("SELECT text FROM messages WHERE author_kind = 'person'") == [
                ("⟦spoken⟧\nMy cat is called Mistigri.",)
            ]
            unasked = await heard({**told, "voice": True}, forwarded=True)
            assert unasked == say("voice.forwarded", "en")
            assert await heard(told) == say("wordless.audio", "en")
        assert len(listener.sounds) == 1
