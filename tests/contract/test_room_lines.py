"""What was said in a room as those in it read it, from the real tables."""

import sqlite3
from datetime import UTC, datetime
from pathlib import Path

from bot.channels.local.history import StoredTranscript
from bot.channels.local.hub import LOBBY, direct_room
from bot.channels.local.own_messages import OwnMessages
from bot.errors import NotYourMessage
from bot.model.events import AuthorRef
from bot.model.turns import Expression
from memory.model.messages import AuthorKind
from memory.storage.sqlite.rows import queries
from tests.flow.owning import owned, typed

NOON = datetime(2026, 1, 17, 12, tzinfo=UTC)
LEA = AuthorRef(platform="web", external_id="lea-1", name="Léa")
TOM = AuthorRef(platform="web", external_id="tom-1", name="Tom")
SCHEMA = Path(__file__).parents[2] / "memory/storage/migrations/0001_first.sql"
OWN_ROOM = direct_room(LEA)


async def test_a_room_tells_what_was_said_with_faces_and_accounts(tmp_path: Path) -> None:
    """In order; the pet's look is on its answer and on the last message that it answers."""
    async with owned(tmp_path, "en") as pet:
        transcript = StoredTranscript(pet.app.storage.room_lines)
        assert await transcript.recent(OWN_ROOM.external_id, 10) == []
        await typed(pet.app, "thank you, you are wonderful!", LEA, OWN_ROOM)
        await pet.app.conversations.quiet()
        asked, answered = await transcript.recent(OWN_ROOM.external_id, 10)
        assert (asked.shown.author, asked.account) == ("Léa", LEA.account)
        assert answered.shown.kind is AuthorKind.PET
        assert answered.account is None, "nobody else's words"
        assert answered.shown.expression in set(Expression)
        assert asked.shown.reaction == answered.shown.expression
        assert answered.shown.reaction is None
        assert await transcript.recent(OWN_ROOM.external_id, 1) == [answered]
        assert await transcript.line(OWN_ROOM.external_id, asked.shown.key) is not None
        assert await transcript.line(LOBBY.external_id, asked.shown.key) is None


async def test_what_is_told_live_has_the_keys_of_what_is_stored(tmp_path: Path) -> None:
    """A page that read a line already knows it again when it is told."""
    async with owned(tmp_path, "en") as pet:
        hub = pet.app.hub
        with hub.follow([OWN_ROOM], LEA, hub.position) as events:
            await typed(pet.app, "hello", LEA, OWN_ROOM)
            told = [(await events.told()).event for _ in range(3)]
        await pet.app.conversations.quiet()
        lines = await StoredTranscript(pet.app.storage.room_lines).recent(OWN_ROOM.external_id, 9)
        keys = {getattr(one, "key", None) for one in told}
        assert {one.shown.key for one in lines} <= keys


async def test_a_reply_is_known_with_what_it_is_to(tmp_path: Path) -> None:
    """Also one to the pet, whose words the pet is told of."""
    async with owned(tmp_path, "en") as pet:
        app = pet.app
        transcript = StoredTranscript(app.storage.room_lines)
        await typed(app, "hello", LEA, OWN_ROOM)
        await app.conversations.quiet()
        *_, answer = await transcript.recent(OWN_ROOM.external_id, 9)
        quoted = await transcript.line(OWN_ROOM.external_id, answer.shown.key)
        assert quoted is not None
        found = await app.storage.messages.by_external_id("web", answer.shown.key)
        assert found is not None
        assert found.text == answer.shown.text


async def test_words_are_changed_and_taken_back_by_their_account_alone(tmp_path: Path) -> None:
    """In the table, in live and for everybody who reads; another account changes nothing."""
    async with owned(tmp_path, "en") as pet:
        app = pet.app
        transcript = StoredTranscript(app.storage.room_lines)
        own = OwnMessages(app.hub, transcript)
        await app.hub.say(LOBBY, LEA, "I live in Lyon")
        (line,) = await transcript.recent(LOBBY.external_id, 9)
        key = line.shown.key
        for author in (TOM, AuthorRef(platform="console", external_id="lea-1", name="Léa")):
            try:
                await own.change(LOBBY, author, key, "I live in Paris")
            except NotYourMessage:
                continue
            raise AssertionError(author)
        await own.change(LOBBY, LEA, key, "I live in Nice")
        (line,) = await transcript.recent(LOBBY.external_id, 9)
        assert (line.shown.text, line.shown.edited) == ("I live in Nice", True)
        await own.change(LOBBY, LEA, key, "")
        assert await transcript.recent(LOBBY.external_id, 9) == []
        try:
            await own.change(LOBBY, LEA, key, "again")
        except NotYourMessage:
            return
        raise AssertionError("it was taken back")


def test_lines_are_found_however_long_a_room_is() -> None:
    """By its time, and by their ids; no plan goes through all that was said in it."""
    database = sqlite3.connect(":memory:")
    database.executescript(SCHEMA.read_text("utf-8"))
    given = {"room": "r", "limit": 1, "platforms": "[]", "quoted_limit": 9, "key": "k"}
    plans = {
        name: [row[3] for row in database.execute(f"EXPLAIN QUERY PLAN {query}", given)]
        for name, query in queries("conversations/room_lines").items()
    }
    searched = [
        one for steps in plans.values() for one in steps if " messages" in one or " q " in one
    ]
    assert all(
        "(platform=? AND external_id=?)" in one or "messages_room" in one for one in searched
    )
    assert all("platform=?" in one for steps in plans.values() for one in steps if " q " in one)
    assert "platform=?" in plans["line"][0]
