"""Replies reach Discord whole and once, whatever Discord says first."""

import pytest

from tests.peers.discord_stage import Stage

pytestmark = pytest.mark.asyncio(loop_scope="module")

POSTS = "/messages$"


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_a_reply_that_is_refused_for_now_is_sent_again(stage: Stage, status: int) -> None:
    """Limits of requests and faults of the platform are waited out."""
    ana = stage.twin.people["ana"]
    room = await stage.twin.opens(stage.twin.guilds["Lounge"], f"refused-{status}")
    posts = f"{room.id}{POSTS}"
    await stage.twin.troubles.fails("POST", posts, status=status, times=2, retry_after_s=0.1)
    asked = await stage.asks(room, ana, "bonjour")
    assert await stage.only_answer(room, ana, asked)
    tried = [each["status"] for each in await stage.twin.seen.requests("POST", posts)]
    assert tried == [status, status, 200, 200]


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_a_connection_that_is_cut_doubles_nothing(stage: Stage, *, after: bool) -> None:
    """Nor when the server has taken the message, and only its answer was lost."""
    ana = stage.twin.people["ana"]
    room = await stage.twin.opens(stage.twin.guilds["Lounge"], f"cut-{after}")
    await stage.twin.troubles.cuts("POST", f"{room.id}{POSTS}", after=after)
    asked = await stage.asks(room, ana, "bonjour")
    assert await stage.only_answer(room, ana, asked)
    assert len(await stage.twin.seen.bot_messages(room)) == 2


@pytest.mark.parametrize("how", ["503", "cut", "late"])
async def test_a_sign_of_writing_that_fails_loses_no_reply(stage: Stage, how: str) -> None:
    """It is a courtesy: it may be refused, cut off, or hang."""
    twin, ana = stage.twin, stage.twin.people["ana"]
    room = await twin.opens(twin.guilds["Lounge"], f"typing-{how}")
    path = f"{room.id}/typing$"
    if how == "503":
        await twin.troubles.fails("POST", path, status=503, times=5)
    elif how == "cut":
        await twin.troubles.cuts("POST", path, times=5)
    else:
        await twin.troubles.delays("POST", path, 30, times=5)
    asked = await stage.asks(room, ana, "bonjour")
    assert await stage.only_answer(room, ana, asked)
    await twin.troubles.heals()


async def test_a_channel_that_takes_no_words_holds_nobody_up(stage: Stage) -> None:
    """A reply that is refused for good is given up, and the next one is not behind it."""
    twin, ana = stage.twin, stage.twin.people["ana"]
    shut = await twin.opens(twin.guilds["Lounge"], "shut")
    room = await twin.opens(twin.guilds["Lounge"], "open")
    await twin.troubles.fails("POST", f"{shut.id}{POSTS}", status=403, code=50013, times=9)
    lost = await stage.asks(shut, ana, "bonjour")
    assert await stage.only_answer(room, ana, await stage.asks(room, ana, "bonjour"))
    await stage.daemon.has_written("reply.refused")
    assert await stage.answers(shut, lost) == []
    await twin.troubles.heals()


async def test_the_message_that_is_answered_may_be_gone(stage: Stage) -> None:
    """The reply then stands by itself, or is not given; what comes later is answered."""
    twin, ana = stage.twin, stage.twin.people["ana"]
    room = await twin.opens(twin.guilds["Lounge"], "gone")
    await twin.troubles.delays("POST", f"{room.id}/typing$", 1)
    asked = await stage.asks(room, ana, "bonjour")
    await twin.deletes(asked)
    assert await stage.only_answer(room, ana, await stage.asks(room, ana, "tu es là ?"))
    assert len(await twin.seen.bot_messages(room)) <= 3


async def test_a_long_command_answer_is_cut_into_parts(stage: Stage) -> None:
    """The help of typed commands may be longer than a message: no part is, and none is missing."""
    ana = stage.twin.people["ana"]
    direct = await stage.twin.direct(ana)
    await stage.twin.says(direct, ana, "/help")
    said = await stage.twin.seen.bot_messages(direct, 1)
    assert "/forget" in "".join(one["content"] for one in said)
    assert all(len(one["content"]) <= 2000 for one in said)
