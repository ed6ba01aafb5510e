"""Flood control: however many wait, Telegram is asked about as often as it takes messages."""

import asyncio
from collections.abc import AsyncIterator, Sequence

import pytest

from bot.channels.telegram.outbound.flood_gate import LEAST_WAIT_S, FloodGate
from bot.errors import DeliveryFailed
from bot.model.turns import Outgoing
from bot.platforms.http_api import ApiBusy
from memory.model.rooms import RoomKind
from memory.tasks import background_task
from tests.channels.telegram_host import Running, connected, room
from tests.channels.telegram_server import FloodControl
from tests.channels.telegram_world import IDS, LOBBY, TelegramWorld, open_telegram_world
from tests.channels.world import Where, Who

ANSWERS = 30


@pytest.fixture
async def world() -> AsyncIterator[TelegramWorld]:
    """A server of its own."""
    async with open_telegram_world() as running:
        yield running


async def sent(here: Running, chats: Sequence[int]) -> None:
    """Have an answer sent to each of the chats, all at once."""
    await here.until(lambda: here.channel.is_connected)
    async with asyncio.TaskGroup() as group:
        for number, chat in enumerate(chats):
            kind = RoomKind.GROUP if chat < 0 else RoomKind.DIRECT
            answer = Outgoing(
                room=room(str(chat), kind), text=f"answer {number}", nonce=f"{number}"
            )
            group.create_task(here.channel.send(answer))


@pytest.mark.parametrize(("of_chat", "within_s"), [(1, 0.1), (10, 0.5), (20, 2.0)])
async def test_thirty_answers_in_one_group_knock_about_once_in_each_wait(
    world: TelegramWorld, of_chat: int, within_s: float
) -> None:
    """Those who wait stand behind each other, and come out in the order in which they went in."""
    world.server.flood = FloodControl(of_chat=of_chat, of_bot=10_000, within_s=within_s)
    async with connected(world) as here:
        await sent(here, [LOBBY] * ANSWERS)
    said = [one.text for one in world.said_in(LOBBY)]
    assert said == [f"answer {number}" for number in range(ANSWERS)]
    assert world.server.flood.refused <= 4


async def test_thirty_answers_in_thirty_chats_go_one_at_a_time_where_the_bot_is_to_wait(
    world: TelegramWorld,
) -> None:
    """What is refused in two chats at once is the bot's own limit: no other chat tries it."""
    chats = [5000 + number for number in range(ANSWERS)]
    for chat in chats:
        world.server.person(chat, f"P{chat}")
    world.server.flood = FloodControl(of_chat=100, of_bot=8, within_s=1.0)
    async with connected(world) as here:
        await sent(here, chats)
    assert [len(world.said_in(chat)) for chat in chats] == [1] * ANSWERS
    assert world.server.flood.refused <= 8


async def test_a_group_that_is_full_holds_up_nobody_elsewhere(world: TelegramWorld) -> None:
    """It has a limit of its own; and nobody is shown there that the pet is writing."""
    world.server.flood = FloodControl(of_chat=1, of_bot=10_000, within_s=0.6)
    async with connected(world) as here:
        lobby = room(str(LOBBY), RoomKind.GROUP)
        async with background_task(sent(here, [LOBBY, LOBBY]), name="full"):
            await here.until(lambda: world.server.flood and world.server.flood.refused)
            await here.channel.show_typing(lobby)
            await sent(here, [IDS[Who.TOM]])
            assert len(world.said_in(LOBBY)) == 1
            await here.until(lambda: len(world.said_in(LOBBY)) == 2)
    assert [one.text for one in await world.pet_said(Where.TOM_DIRECT)] == ["answer 0"]
    assert [method for method, _ in world.server.asked if method == "sendChatAction"] == []


async def test_a_wait_that_is_too_long_is_no_wait() -> None:
    """The answer is kept and sent later; those behind it learn so at once."""
    gate, asked = FloodGate(), []

    async def busy() -> None:
        asked.append(1)
        raise ApiBusy("busy", retry_after_s=3600)

    outcomes = await asyncio.gather(
        *(gate.passed(1, busy) for _ in range(5)), return_exceptions=True
    )
    assert [type(one) for one in outcomes] == [DeliveryFailed] * 5
    assert asked == [1]
    assert gate.is_closed(1)
    assert not gate.is_closed(2)


async def test_a_wait_of_no_time_is_a_pause_all_the_same() -> None:
    """A server that says 0 is not asked without end."""
    gate, asked = FloodGate(), []

    async def busy_thrice() -> str:
        asked.append(asyncio.get_running_loop().time())
        if len(asked) < 4:
            raise ApiBusy("busy", retry_after_s=0)
        return "taken"

    assert await gate.passed(1, busy_thrice) == "taken"
    assert asked[-1] - asked[0] >= 3 * LEAST_WAIT_S
