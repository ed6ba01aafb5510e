"""What people put to messages: kept once an account, gone with the message or the person."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.channels.local.history import StoredTranscript
from bot.channels.local.hub import LOBBY, PLATFORM
from bot.channels.local.own_messages import OwnMessages
from bot.channels.local.ports import Reacted
from bot.channels.local.reactions import EMOJI, LineReactions
from bot.errors import MessageGone
from bot.model.events import AuthorRef
from memory.model.errors import TooManyReactions
from memory.model.messages import MOST_REACTIONS, Reaction
from memory.model.people import AccountId
from memory.model.rooms import RoomId
from tests.flow.owning import owned

ROOM = RoomId(f"{PLATFORM}:{LOBBY.external_id}")
LEA = AuthorRef(platform="web", external_id="lea-1", name="Léa")
TOM = AuthorRef(platform="web", external_id="tom-1", name="Tom")
LIKE, LOVE = EMOJI[:2]


async def test_a_reaction_is_put_shown_and_taken_away(tmp_path: Path) -> None:
    """By each account once, told to everybody in the room, and there for later readers."""
    async with owned(tmp_path, "en") as pet:
        app = pet.app
        transcript = StoredTranscript(app.storage.room_lines)
        reactions = LineReactions(app.hub, app.storage.reactions)
        await app.hub.say(LOBBY, LEA, "I live in Lyon")
        (line,) = await transcript.recent(LOBBY.external_id, 9)
        key = line.shown.key
        with app.hub.follow([LOBBY], TOM, app.hub.position) as events:
            await reactions.toggle(LOBBY, TOM, key, LIKE)
            told = (await events.told()).event
        assert told == Reacted(
            key=key,
            reactions=(Reaction(emoji=LIKE, accounts=(TOM.account,), names=(TOM.name,)),),
        )
        await reactions.toggle(LOBBY, LEA, key, LIKE)
        await reactions.toggle(LOBBY, LEA, key, LOVE)
        (line,) = await transcript.recent(LOBBY.external_id, 9)
        shown = {
            one.emoji: (set(one.names), one.mine) for one in line.read_by(TOM.account).reactions
        }
        assert shown == {LIKE: ({TOM.name, LEA.name}, True), LOVE: ({LEA.name}, False)}
        await reactions.toggle(LOBBY, TOM, key, LIKE)
        (line,) = await transcript.recent(LOBBY.external_id, 9)
        assert {one.emoji: one.names for one in line.reactions} == {
            LIKE: (LEA.name,),
            LOVE: (LEA.name,),
        }


async def test_reactions_go_with_their_message(tmp_path: Path) -> None:
    """Neither is it reacted to any more."""
    async with owned(tmp_path, "en") as pet:
        app = pet.app
        transcript = StoredTranscript(app.storage.room_lines)
        reactions = LineReactions(app.hub, app.storage.reactions)
        await app.hub.say(LOBBY, LEA, "I live in Lyon")
        (line,) = await transcript.recent(LOBBY.external_id, 9)
        await reactions.toggle(LOBBY, TOM, line.shown.key, LIKE)
        await OwnMessages(app.hub, transcript).change(LOBBY, LEA, line.shown.key, "")
        with closing(sqlite3.connect(app.settings.data_dir / "eko.sqlite3")) as database:
            assert database.execute("SELECT count(*) FROM reactions").fetchone() == (0,)
        with pytest.raises(MessageGone):
            await reactions.toggle(LOBBY, TOM, line.shown.key, LIKE)


async def test_a_message_has_so_many_reactions_at_most(tmp_path: Path) -> None:
    """One that is there can still be taken away."""
    async with owned(tmp_path, "en") as pet:
        app = pet.app
        await app.hub.say(LOBBY, LEA, "hello all")
        (line,) = await StoredTranscript(app.storage.room_lines).recent(LOBBY.external_id, 9)
        key, stored = line.shown.key, app.storage.reactions
        for number in range(MOST_REACTIONS):
            await stored.toggle(ROOM, key, AccountId(f"web:{number}"), "Zoé", LIKE)
        with pytest.raises(TooManyReactions):
            await stored.toggle(ROOM, key, LEA.account, LEA.name, LIKE)
        left = await stored.toggle(ROOM, key, AccountId("web:0"), "Zoé", LIKE)
        assert left is not None
        assert len(left[0].names) == MOST_REACTIONS - 1
