"""Lives of a connection follow each other, and what only a person can mend is said once."""

import asyncio
from collections.abc import Sequence

import pytest
from structlog.testing import capture_logs

from bot.errors import RoomUnreadable
from bot.platforms.backoff import Backoff
from bot.platforms.channel_elsewhere import (
    ChannelElsewhere,
    ConnectionLife,
    Ended,
    LifeLost,
    LifeOver,
    LifeRefused,
)
from tests.cast import NOON


def life() -> ConnectionLife:
    """A life whose waits are short."""
    return ConnectionLife("pigeon", Backoff(first_s=0.001, longest_s=0.002, healthy_s=0))


async def lived(errors: Sequence[Exception], why: "dict[type[Exception], Ended]") -> list[str]:
    """The events logged while a connection dies of each of these errors in turn."""
    waiting, over = list(errors), asyncio.Event()

    async def live() -> None:
        if waiting:
            raise waiting.pop(0)
        over.set()
        await asyncio.Event().wait()

    with capture_logs() as logs:
        running = asyncio.create_task(life().run(live, lambda error: why.get(type(error))))
        await over.wait()
        running.cancel()
    return [f"{one['event']} {one.get('reason', '')}".strip() for one in logs]


async def test_a_cut_is_told_each_time_and_a_refusal_once() -> None:
    """A life that ended on purpose is not told at all."""
    why: dict[type[Exception], Ended] = {
        OSError: LifeLost("cut"),
        PermissionError: LifeRefused("Make a new key.", wait_s=0),
        StopAsyncIteration: LifeOver(),
        BlockingIOError: LifeLost(),
    }
    errors = [
        OSError(), PermissionError(), StopAsyncIteration(), BlockingIOError(), OSError(),
        PermissionError(),
    ]  # fmt: skip
    assert await lived(errors, why) == [
        "pigeon.lost cut", "pigeon.refused Make a new key.", "pigeon.lost cut",
    ]  # fmt: skip


async def test_a_fault_of_ours_is_logged_and_the_next_life_begins() -> None:
    """With its traceback, and as what cut the connection."""
    assert await lived([KeyError("x")], {}) == [
        "pigeon.failed",
        "pigeon.lost a fault of this program's",
    ]


async def test_what_was_mended_is_said_again_when_it_breaks_again() -> None:
    """But for what still holds."""
    one = life()
    with capture_logs() as logs:
        for sentence in ("No key.", "Two of us."):
            one.say(sentence)
        one.began(still=["Two of us."])
        for sentence in ("No key.", "Two of us."):
            one.say(sentence)
    assert [log["reason"] for log in logs] == ["No key.", "Two of us.", "No key."]


async def test_a_channel_that_says_nothing_else_has_nothing_to_read_back() -> None:
    """Nor roles, files, a webhook or commands of its own."""
    channel = ChannelElsewhere("pigeon")
    assert (channel.communities, channel.webhook, channel.files) == (None, None, None)
    assert (channel.past.platform, channel.catch_up.most_messages) == ("pigeon", 0)
    assert await channel.past.threads() == {}
    with pytest.raises(RoomUnreadable):
        await channel.past.said("loft", NOON, None, 1)
    await channel.quiet()
