"""A room that refuses is told in words, to the owner and by the doctor, and is asked no more."""

from collections.abc import AsyncIterator

import pytest

from bot.channels.telegram.findings import RoomRefusal, finding_of
from bot.channels.telegram.outbound.refusals import RoomShut
from bot.channels.telegram.probe import look
from bot.channels.telegram.service.api import HttpBotApi
from bot.diagnostics.report import in_chat
from bot.errors import DeliveryRefused
from bot.model.turns import Outgoing
from bot.platforms.plugin import PlatformState
from memory.clock import SystemClock
from memory.model.notices import NoticeKind
from memory.model.rooms import RoomKind
from tests.channels.telegram_host import Running, connected, room
from tests.channels.telegram_server import BOT, TOKEN
from tests.channels.telegram_world import IDS, LOBBY, TelegramWorld, open_telegram_world
from tests.channels.world import Where, Who

LEA = IDS[Who.LEA]


@pytest.fixture
async def world() -> AsyncIterator[TelegramWorld]:
    """A server of its own."""
    async with open_telegram_world() as running:
        yield running


async def says(here: Running, chat: int, thread: int | None = None) -> str | None:
    """Have the channel send something to a chat."""
    await here.until(lambda: here.channel.is_connected)
    id_ = str(chat) if thread is None else f"{chat}:{thread}"
    place = room(id_, RoomKind.GROUP if chat < 0 else RoomKind.DIRECT)
    return await here.channel.send(Outgoing(room=place, text="hello", nonce=f"n:{id_}"))


async def found(world: TelegramWorld, here: Running, locale: str = "en") -> str:
    """What the doctor says."""
    api = HttpBotApi(TOKEN, world.url)
    sight = await look(api, SystemClock().now().timestamp(), here.channel)
    await api.close()
    return in_chat(finding_of(sight, PlatformState(connected=True)), locale)


@pytest.mark.parametrize(
    ("chat", "thread", "status", "why", "kind", "said"),
    [
        (
            *(LOBBY, None, 400, "Bad Request: not enough rights to send text messages to the chat"),
            *(RoomRefusal.MUTED, "no right to write"),
        ),
        (LOBBY, None, 400, "Bad Request: CHAT_WRITE_FORBIDDEN", RoomRefusal.MUTED, "no right"),
        (LOBBY, 42, 400, "Bad Request: TOPIC_CLOSED", RoomRefusal.TOPIC_CLOSED, "closed or gone"),
        (
            *(LOBBY, 42, 400, "Bad Request: message thread not found"),
            *(RoomRefusal.TOPIC_CLOSED, "closed or gone"),
        ),
        (
            *(LOBBY, None, 403, "Forbidden: bot was kicked from the supergroup chat"),
            *(RoomRefusal.OUT, "not in"),
        ),
        (LOBBY, None, 403, "Forbidden: something of a later year", RoomRefusal.OUT, "not in"),
        (LEA, None, 403, "Forbidden: bot was blocked by the user", RoomRefusal.BLOCKED, "blocked"),
        (
            *(LEA, None, 403, "Forbidden: bot can't initiate conversation with a user"),
            *(RoomRefusal.UNSTARTED, "pressed Start"),
        ),
        (LEA, None, 403, "Forbidden: user is deactivated", RoomRefusal.GONE, "deleted"),
    ],
)
async def test_each_refusal_says_what_it_is_and_who_can_change_it(
    world: TelegramWorld,
    chat: int,
    thread: int | None,
    status: int,
    why: str,
    kind: RoomRefusal,
    said: str,
) -> None:
    """Once to the owner, in their language by the doctor, and no longer once it is over."""
    async with connected(world) as here:
        world.server.shut[chat] = (status, why)
        for _ in range(3):
            with pytest.raises(RoomShut) as refused:
                await says(here, chat, thread)
        sendings = [one for method, one in world.server.asked if method == "sendMessage"]
        number = str(chat) if thread is None else f"{chat}:{thread}"
        ((about, reason),) = here.notices.of(NoticeKind.DELIVERY_FAILED)
        words = await found(world, here)
        assert (refused.value.kind, len(sendings), about) == (kind, 3, f"telegram:{number}")
        assert said in reason
        assert reason in words.replace("\n  ", "\n")
        assert number in await found(world, here, "fr")
        del world.server.shut[chat]
        await says(here, chat, thread)
        assert (await found(world, here)).startswith("✓")


async def test_a_message_that_is_refused_for_itself_shuts_no_room(world: TelegramWorld) -> None:
    """What is wrong with it alone."""
    async with connected(world) as here:
        world.server.shut[LEA] = (400, "Bad Request: MESSAGE_TOO_LONG")
        with pytest.raises(DeliveryRefused) as refused:
            await says(here, LEA)
        assert not isinstance(refused.value, RoomShut)
        assert here.notices.told == []


async def test_a_mute_is_told_when_it_is_made_and_so_is_its_end(world: TelegramWorld) -> None:
    """Before anything was said in vain."""

    async def becomes(status: str, **more: object) -> None:
        about = {
            "chat": world.server.chats[LOBBY].about,
            "date": 1,
            "from": world.server.users[LEA],
        }
        now = {"status": status, "user": dict(BOT), **more}
        was = {"status": "member", "user": dict(BOT)}
        changed = {**about, "old_chat_member": was, "new_chat_member": now}
        await world.server.tell("my_chat_member", changed)

    async with connected(world) as here:
        await becomes("restricted", is_member=True, can_send_messages=False)
        await here.until(lambda: here.channel.refusing.now == {str(LOBBY): RoomRefusal.MUTED})
        assert len(here.notices.of(NoticeKind.DELIVERY_FAILED)) == 1
        await becomes("restricted", is_member=True, can_send_messages=True)
        await here.until(lambda: here.channel.refusing.now == {})


async def test_a_group_that_was_upgraded_is_followed_and_not_refused(world: TelegramWorld) -> None:
    """Its new number is in the refusal."""
    old = -44
    world.server.group(old, "Old", {LEA: "member", BOT["id"]: "member"})
    world.server.migrate(old, LOBBY - 4)
    async with connected(world) as here:
        sent = await says(here, old)
        assert sent == f"{LOBBY - 4}:{max(world.server.chats[LOBBY - 4].messages)}"
        assert here.channel.refusing.now == {}
        assert await world.pet_said(Where.LOBBY) == []


async def test_what_comes_too_late_for_one_reader_goes_to_their_own_chat(
    world: TelegramWorld,
) -> None:
    """A bot that is no admin may answer an ephemeral message for some seconds alone."""
    group = LOBBY - 5
    world.server.group(group, "Other", {LEA: "member", BOT["id"]: "member"})
    async with connected(world) as here:
        await here.until(lambda: here.channel.is_connected)
        said = await world.server.whispers(LEA, group, "psst")
        await here.until(lambda: here.heard.texts == ["psst"])
        whisper = room(f"{group}~{LEA}")
        answers = f"{group}:~{LEA}:{said['ephemeral_message_id']}"
        await here.channel.show_typing(whisper)
        first = Outgoing(room=whisper, text="🎉", nonce="1", answers=answers)
        assert await here.channel.send(first) == f"{group}:~{LEA}:4"
        await here.channel.send(Outgoing(room=whisper, text="later", nonce="2"))
    assert [one["text"] for one in world.server.whispered_to(LEA, group)] == ["🎉"]
    assert [one.text for one in world.said_in(LEA)] == ["later"]
    assert world.said_in(group) == []
    assert "sendChatAction" not in [method for method, _ in world.server.asked]
    assert world.server.faults == []
