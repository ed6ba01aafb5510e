"""The daemon, as a process, on WhatsApp's Cloud API."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.channels.whatsapp_stage import Stage, on_whatsapp
from tests.channels.whatsapp_world import CUSTOMERS, open_whatsapp_world
from tests.channels.world import Where, Who

LEA, TOM = CUSTOMERS[Who.LEA], CUSTOMERS[Who.TOM]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    """One world and one daemon for the tests of this file that kill none."""
    async with (
        open_whatsapp_world() as world,
        on_whatsapp(world, tmp_path_factory.mktemp("wa") / "data") as found,
    ):
        yield found


@pytest.mark.asyncio(loop_scope="module")
async def test_what_is_said_is_answered_as_a_reply(stage: Stage) -> None:
    """To a person whose number is known, and to one whose number never comes."""
    assert await stage.hears(Who.LEA, Where.LEA_DIRECT, "Remember that my cat is called Mistigri.")
    assert "Mistigri" in await stage.hears(Who.LEA, Where.LEA_DIRECT, "What is my cat called?")
    assert await stage.hears(Who.TOM, Where.TOM_DIRECT, "Hello!")
    assert {one["recipient"] for one in (sent.body for sent in stage.server.sent)} == {
        LEA.user_id,
        TOM.user_id,
    }


@pytest.mark.asyncio(loop_scope="module")
async def test_it_is_seen_to_have_read_and_to_write(stage: Stage) -> None:
    """In one call for a message, before the answer."""
    said = await stage.world.says(Who.LEA, Where.LEA_DIRECT, "Are you there?")
    await stage.server.answer_to(said)
    assert {
        "messaging_product": "whatsapp",
        "status": "read",
        "message_id": said,
        "typing_indicator": {"type": "text"},
    } in stage.server.signals


@pytest.mark.asyncio(loop_scope="module")
async def test_a_command_is_shown_with_buttons_that_do_what_they_say(stage: Stage) -> None:
    """A preview first; the button forgets, and pressed again by a redelivery it does nothing."""
    await stage.hears(Who.TOM, Where.TOM_DIRECT, "Remember that my boat is called Pequod.")
    said = await stage.world.says(Who.TOM, Where.TOM_DIRECT, "/forget Pequod")
    preview = await stage.server.answer_to(said)
    assert preview.body["type"] == "interactive"
    assert "Pequod" in preview.text
    before = len(stage.server.sent)
    await stage.world.presses(Who.TOM, preview.id, next(iter(preview.buttons)))
    await stage.server.has_sent(before + 1)
    pressed = stage.server.sent[before]
    await stage.server.all_taken()
    stage.server.hand(stage.server.handed[-2])
    stage.server.hand(stage.server.handed[-1])
    await stage.server.all_taken()
    assert "Pequod" not in await stage.hears(Who.TOM, Where.TOM_DIRECT, "What is my boat called?")
    texts = [one.text for one in stage.server.sent[before:] if one.address == TOM.user_id]
    assert texts.count(pressed.text) == 1


@pytest.mark.asyncio(loop_scope="module")
async def test_a_reaction_is_kept_at_what_it_stands_at(stage: Stage) -> None:
    """At the person's message and at the pet's; with no emoji it is gone again."""
    said = await stage.world.says(Who.LEA, Where.LEA_DIRECT, "The kettle is on.")
    answer = await stage.server.answer_to(said)
    for message in (said, answer.id):
        await stage.world.reacts(Who.LEA, message, "👍")
    await stage.world.reacts(Who.LEA, said, None)
    await stage.hears(Who.LEA, Where.LEA_DIRECT, "Bye!")
    assert stage.kept("SELECT emoji FROM reactions") == [("👍",)]


@pytest.mark.asyncio(loop_scope="module")
async def test_an_export_comes_as_a_document(stage: Stage) -> None:
    """Uploaded first, then sent under its name."""
    before = len(stage.server.sent)
    await stage.world.says(Who.LEA, Where.LEA_DIRECT, "/export")
    sent = await stage.server.has_sent(before + 2)
    document = next(one for one in sent[before:] if one.body["type"] == "document")
    assert b"Mistigri" in stage.server.files[document.body["document"]["id"]][1]


@pytest.mark.asyncio(loop_scope="module")
async def test_no_number_and_no_secret_is_written_anywhere(stage: Stage) -> None:
    """Neither in the log nor in the database, where the ids of messages alone hold what they do."""
    await stage.hears(Who.LEA, Where.LEA_DIRECT, "Do you know my number?")
    for secret in (LEA.phone, "EAAtrialtoken", "app-secret-of-the-trial", "Mistigri"):
        assert secret not in stage.daemon.output
    stored = stage.kept("SELECT group_concat(external_id) FROM identities")
    assert LEA.phone not in str(stored)
    assert LEA.user_id in str(stored)


@pytest.mark.asyncio(loop_scope="module")
async def test_a_call_may_be_as_large_as_meta_makes_them(stage: Stage) -> None:
    """Three megabytes are taken, as its documentation says."""
    message = stage.server.message_of(LEA, "text", text={"body": "x" * 3_000_000})
    body = stage.server.body_of(stage.server.value_of(LEA, message))
    assert await stage.server.posted(body) == 200


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    "body",
    [
        b"content-length: 5000000\r\n\r\n",
        b"transfer-encoding: chunked\r\n\r\n" + (b"186A0\r\n" + b" " * 100_000 + b"\r\n") * 43,
    ],
)
async def test_five_megabytes_are_refused_and_no_worse(stage: Stage, body: bytes) -> None:
    """Before they are read where their length is told, else where it is too much."""
    assert stage.server.pet is not None
    port = int(stage.server.pet.rpartition(":")[2])
    answer, request = await asyncio.open_connection("127.0.0.1", port)
    request.write(b"POST /webhooks/whatsapp HTTP/1.1\r\nhost: localhost\r\n" + body)
    assert b" 413 " in await answer.readline()
    request.close()


@pytest.mark.asyncio(loop_scope="module")
async def test_what_becomes_of_a_reply_is_kept_with_it(stage: Stage) -> None:
    """The furthest that is said of it, in whatever order."""
    said = await stage.world.says(Who.LEA, Where.LEA_DIRECT, "Did this arrive?")
    answer = await stage.server.answer_to(said)
    for status in ("read", "delivered", "sent"):
        stage.server.report(answer, status)
    await stage.hears(Who.LEA, Where.LEA_DIRECT, "Thanks!")
    query = "SELECT fate FROM turn_parts WHERE external_id = ?"
    assert stage.kept(query, answer.id) == [("read",)]
