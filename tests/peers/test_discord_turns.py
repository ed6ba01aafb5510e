"""What happens on Discord while the pet thinks, and what a model says that is too long or loud."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest
import pytest_asyncio

from tests.peers.discord_control import Channel
from tests.peers.discord_server import Launcher, fresh_discord
from tests.peers.discord_stage import Stage, answered_by, on_discord
from tests.peers.thinker import Thinker, thinker

pytestmark = pytest.mark.asyncio(loop_scope="module")


@dataclass(frozen=True)
class Thinking:
    """A stage whose pet thinks with a model that waits to be let."""

    stage: Stage
    model: Thinker

    async def room(self, name: str) -> Channel:
        """A new channel, where everybody may say what they like."""
        return await self.stage.twin.opens(self.stage.twin.guilds["Lounge"], name)

    @asynccontextmanager
    async def about(self, room: Channel, text: str = "raconte") -> AsyncIterator[str]:
        """A message that is thought about until the body ends."""
        self.model.may_speak.clear()
        before = len(self.model.bodies)
        asked = await self.stage.asks(room, self.stage.twin.people["ana"], text)
        await self.model.was_asked(before + 1)
        try:
            yield asked
        finally:
            self.model.may_speak.set()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def thinking(
    launcher: Launcher, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Thinking]:
    """One server, one model and one daemon for every test of this file."""
    async with (
        thinker() as model,
        fresh_discord(launcher) as twin,
        on_discord(twin, tmp_path_factory.mktemp("turns") / "data", model.settings) as stage,
    ):
        yield Thinking(stage, model)


async def test_a_command_is_answered_while_it_thinks(thinking: Thinking) -> None:
    """A command does not wait for a turn, and the turn is not lost over it."""
    stage, room = thinking.stage, await thinking.room("busy")
    async with thinking.about(room) as asked:
        answer = await (await stage.twin.slash(room, stage.twin.people["ben"], "help")).answer()
        assert "/forget" in answer.content
        assert await stage.answers(room, asked) == []
    assert await stage.only_answer(room, stage.twin.people["ana"], asked) == "Bonjour !"


@pytest.mark.parametrize("resumes", [False, True], ids=["invalid session", "resumed"])
async def test_a_connection_that_drops_while_it_thinks_loses_nothing(
    thinking: Thinking, *, resumes: bool
) -> None:
    """The answer comes, once; and so do answers to what was said meanwhile and afterwards."""
    stage, room = thinking.stage, await thinking.room(f"dropped-{resumes}")
    twin, ben = stage.twin, stage.twin.people["ben"]
    await twin.troubles.resumes(enabled=resumes)
    before = await twin.seen.gateway()
    async with thinking.about(room) as asked:
        await twin.troubles.drops()
        meanwhile = await stage.asks(room, ben, "et moi ?")
        await twin.seen.connected(before.connections + 1)
        await twin.seen.listens()
    assert await stage.only_answer(room, twin.people["ana"], asked) == "Bonjour !"
    assert await stage.only_answer(room, ben, meanwhile) == "Bonjour !"
    after = await twin.seen.gateway()
    assert (after.resumed > before.resumed) == resumes


async def test_words_that_come_while_it_thinks_are_answered_together(thinking: Thinking) -> None:
    """The turn begins again with both, and there is one reply."""
    stage, room = thinking.stage, await thinking.room("more")
    ana = stage.twin.people["ana"]
    async with thinking.about(room) as asked:
        before = len(thinking.model.bodies)
        more = await stage.asks(room, ana, "et en détail")
        await thinking.model.was_asked(before + 1)
    await stage.answer(room, more)
    await stage.is_done(room, ana)
    assert len(await stage.answers(room, asked) + await stage.answers(room, more)) == 1


async def test_what_is_deleted_while_it_thinks_is_kept_nowhere(thinking: Thinking) -> None:
    """Who took their words back does not want to find them in what was answered."""
    stage, room = thinking.stage, await thinking.room("taken-back")
    async with thinking.about(room, "Tartempion a raté son permis") as asked:
        await stage.twin.deletes(asked)
        before = len(thinking.model.bodies)
        await stage.asks(room, stage.twin.people["ben"], "et moi ?")
        await thinking.model.was_asked(before + 1)
    await stage.is_done(room, stage.twin.people["ana"])
    assert stage.kept("SELECT text FROM messages WHERE text LIKE '%Tartempion%'") == []
    assert stage.kept("SELECT text FROM turns WHERE text LIKE '%Tartempion%'") == []
    assert "Tartempion" not in str(thinking.model.bodies[-1])


async def test_a_long_reply_comes_in_parts(thinking: Thinking) -> None:
    """None is too long, none is missing, and code stays code in each of them."""
    stage, room = thinking.stage, await thinking.room("long")
    ana = stage.twin.people["ana"]
    lines = [f"ligne_{number} = {number}  # {'x' * 40}" for number in range(60)]
    thinking.model.reply = "\n".join(["Voici :", "```python", *lines, "```", "C'est tout."])
    asked = await stage.asks(room, ana, "montre le code")
    await stage.answer(room, asked)
    thinking.model.reply = "Bonjour !"
    await stage.is_done(room, ana)
    *parts, _ = sorted(await stage.twin.seen.bot_messages(room), key=lambda one: int(one["id"]))
    texts = [str(one["content"]) for one in parts]
    assert len(texts) == 2
    assert [answered_by(one) for one in parts] == [asked, None]
    assert all(len(text) <= 2000 for text in texts)
    assert all(text.count("```") % 2 == 0 for text in texts)
    assert all(sum(line in text for text in texts) == 1 for line in lines)


async def test_a_reply_that_calls_everybody_calls_nobody(thinking: Thinking) -> None:
    """Whatever a model was talked into saying."""
    stage, room = thinking.stage, await thinking.room("loud")
    cleo = stage.twin.people["cleo"]
    thinking.model.reply = f"@everyone @here <@{cleo.id}> debout !"
    reply = await stage.answer(room, await stage.asks(room, stage.twin.people["ana"], "crie"))
    thinking.model.reply = "Bonjour !"
    assert "debout" in reply["content"]
    assert not reply["mention_everyone"]
    assert cleo.id not in {each["id"] for each in reply["mentions"]}
    assert reply["allowed_mentions"]["parse"] == []


async def test_a_reply_of_one_emoji_is_a_reaction(thinking: Thinking) -> None:
    """On the message that it answers, and nothing else is said."""
    stage, room = thinking.stage, await thinking.room("emoji")
    thinking.model.reply = "🌙"
    asked = await stage.asks(room, stage.twin.people["ana"], "bonne nuit")
    assert await stage.twin.seen.reactions(asked, 1) == [(stage.twin.bot.id, "🌙")]
    thinking.model.reply = "Bonjour !"
    await stage.is_done(room, stage.twin.people["ana"])
    assert await stage.answers(room, asked) == []
    assert len(await stage.twin.seen.bot_messages(room)) == 1
