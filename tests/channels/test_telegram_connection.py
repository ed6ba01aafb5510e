"""The connection with Telegram: nothing is confirmed before it is stored, whatever goes wrong."""

import json
from collections.abc import AsyncIterator, Coroutine, Sequence
from functools import partial
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.channels.telegram.channel import TWO_POLLERS, UNKNOWN_BOT
from bot.channels.telegram.findings import finding_of
from bot.channels.telegram.probe import look
from bot.channels.telegram.service.api import HttpBotApi
from bot.channels.telegram.webhook import HEADER, secret_of
from bot.errors import DeliveryFailed, DeliveryRefused
from bot.model.events import Edited, Inbound, ReactionsChanged
from bot.model.turns import Outgoing
from bot.model.webhooks import WebhookRequest
from bot.platforms.plugin import PlatformState
from memory.clock import SystemClock
from memory.model.rooms import RoomKind
from memory.tasks import background_task
from tests.channels.telegram_host import Heard, connected, room
from tests.channels.telegram_server import TOKEN
from tests.channels.telegram_world import IDS, LOBBY, TelegramWorld, open_telegram_world
from tests.channels.world import Where, Who

LEA = IDS[Who.LEA]


@pytest.fixture
async def world() -> AsyncIterator[TelegramWorld]:
    """A server of its own."""
    async with open_telegram_world() as running:
        yield running


async def test_what_cannot_be_stored_is_asked_for_again(world: TelegramWorld) -> None:
    """The offset goes on only behind what is stored; nothing is doubled by that."""
    await world.says(Who.LEA, Where.LEA_DIRECT, "one")
    await world.says(Who.TOM, Where.LOBBY, "two")
    async with connected(world, Heard(failures=3)) as here:
        await here.until(lambda: sorted(here.heard.texts) == ["one", "two"])
        await here.until(lambda: not world.server.waiting)
    assert sorted(here.heard.texts) == ["one", "two"]


async def test_what_was_said_while_it_was_away_is_told_as_missed(world: TelegramWorld) -> None:
    """Of what is said afterwards nothing is."""
    said = await world.says(Who.LEA, Where.LEA_DIRECT, "long ago")
    for update in world.server.waiting.values():
        update["message"]["date"] -= 3600
    async with connected(world) as here:
        await here.until(lambda: here.heard.texts)
        await world.says(Who.LEA, Where.LEA_DIRECT, "now")
        await here.until(lambda: len(here.heard.texts) == 2)
    assert (here.heard.texts, here.heard.missed) == (["long ago", "now"], ["long ago"])
    assert said


async def test_a_question_that_is_cut_is_put_again(world: TelegramWorld) -> None:
    """Without a new conversation, which would have everything made up for."""
    async with connected(world) as here:
        await here.until(lambda: here.channel.is_connected)
        for number in range(3):
            await here.until(lambda: world.server.is_asked)
            await world.drops()
            await world.says(Who.LEA, Where.LEA_DIRECT, str(number))
            await here.until(partial(here.has_heard, str(number)))
        assert here.began == 1


async def test_what_was_stored_is_confirmed(world: TelegramWorld) -> None:
    """It does not come again to the next one."""
    async with connected(world) as here:
        await world.says(Who.LEA, Where.LEA_DIRECT, "hello")
        await here.until(lambda: here.heard.texts and not world.server.waiting)
    async with connected(world) as later:
        await later.until(lambda: later.channel.is_connected)
        assert later.heard.texts == []


async def test_one_update_that_cannot_be_read_costs_itself(world: TelegramWorld) -> None:
    """What is not as documented is passed over, with the others around it read."""
    async with connected(world) as here:
        await here.until(lambda: here.channel.is_connected)
        await world.server.tell("message", {"message_id": "no number"})
        await world.says(Who.LEA, Where.LEA_DIRECT, "hello")
        await here.until(lambda: here.heard.texts == ["hello"])
        await here.until(lambda: not world.server.waiting or here.channel.is_connected)


async def test_two_pollers_and_a_wrong_token_are_told_once(world: TelegramWorld) -> None:
    """In words that say what to do, and not at every try."""
    with capture_logs() as logs:
        async with connected(world) as one, connected(world) as other:
            await one.until(lambda: one.channel.is_connected or other.channel.is_connected)
            async with connected(world, token="1:wrong"):
                await one.until(lambda: _told(logs, TWO_POLLERS) and _told(logs, UNKNOWN_BOT))
    assert _told(logs, UNKNOWN_BOT) == 1
    assert _told(logs, TWO_POLLERS) <= 2
    assert TOKEN not in json.dumps(logs)


def _told(logs: Sequence[object], sentence: str) -> int:
    return sum(sentence in str(one) for one in logs)


async def test_what_is_refused_for_now_is_sent_after_the_wait(world: TelegramWorld) -> None:
    """Flood control is kept to; a chat that is full holds up no other."""
    async with connected(world) as here:
        await here.until(lambda: here.channel.is_connected)
        await world.refuses(429, 1, retry_after_s=0.3)
        slow = here.channel.send(Outgoing(room=room(str(LEA)), text="one", nonce="1"))
        async with background_task(_quietly(slow), name="slow"):
            await here.until(lambda: not world.server.refusals)
            tom = room(str(IDS[Who.TOM]))
            assert await here.channel.send(Outgoing(room=tom, text="two", nonce="2"))
            assert world.said_in(LEA) == []
            await here.until(lambda: [one.text for one in world.said_in(LEA)] == ["one"])


async def _quietly(sending: Coroutine[Any, Any, str | None]) -> None:
    await sending


async def test_what_is_not_taken_is_kept_and_asked_to_be_sent_again(world: TelegramWorld) -> None:
    """A refusal of the room itself is for ever."""
    async with connected(world) as here:
        await here.until(lambda: here.channel.is_connected)
        await world.refuses(502, 1)
        with pytest.raises(DeliveryFailed):
            await here.channel.send(Outgoing(room=room(str(LEA)), text="one", nonce="1"))
        with pytest.raises(DeliveryRefused):
            await here.channel.send(Outgoing(room=room("99"), text="one", nonce="1"))
        await here.until(lambda: here.arrived == [{str(LEA)}])


async def test_what_may_have_been_taken_is_not_sent_again(world: TelegramWorld) -> None:
    """Telegram has nothing by which it would know it."""
    async with connected(world) as here:
        await here.until(lambda: here.channel.is_connected)
        world.server.lost = 1
        said = Outgoing(room=room(str(LEA)), text="once", nonce="1")
        assert await here.channel.send(said) is None
    assert [one.text for one in world.said_in(LEA)] == ["once"]


async def test_an_answer_of_one_emoji_is_a_reaction_where_there_is_one(
    world: TelegramWorld,
) -> None:
    """Another emoji, and one whose message is gone, is said in words."""
    async with connected(world) as here:
        await here.until(lambda: here.channel.is_connected)
        said = await world.says(Who.LEA, Where.LEA_DIRECT, "thanks")
        direct = room(str(LEA))
        heart = Outgoing(room=direct, text="❤️", nonce="1", answers=said)
        assert await here.channel.send(heart) is None
        await here.channel.send(Outgoing(room=direct, text="🦊", nonce="2", answers=said))
        gone = Outgoing(room=direct, text="👍", nonce="3", answers=f"{LEA}:99999")
        await here.channel.send(gone)
    number = int(said.partition(":")[2])
    assert world.server.chats[LEA].messages[number]["by_bot"][0]["emoji"] == "❤"
    assert [(one.text, one.answers) for one in world.said_in(LEA)] == [("🦊", said), ("👍", None)]


async def test_a_group_that_became_a_supergroup_keeps_its_room(world: TelegramWorld) -> None:
    """Whether that is told while the pet is there, found at its start or found by sending."""
    server = world.server
    for old in (-41, -42, -43):
        server.group(old, "Old", {LEA: "member", 7_000_001: "member"})
    server.migrate(-41, LOBBY - 1)
    met = [room(str(old), RoomKind.GROUP) for old in (-41, -42)]
    async with connected(world, rooms=met) as here:
        await here.until(lambda: here.channel.is_connected)
        await server.says(LEA, LOBBY - 1, "found at the start")
        server.migrate(-42, LOBBY - 2)
        moved = await server.says(LEA, LOBBY - 2, None, migrate_from_chat_id=-42)
        await server.says(LEA, LOBBY - 2, "told")
        server.migrate(-43, LOBBY - 3)
        lost = Outgoing(room=room("-43", RoomKind.GROUP), text="hi", nonce="1", answers="-43:1")
        await here.channel.send(lost)
        await server.says(LEA, LOBBY - 3, "found by sending")
        await here.until(lambda: len(here.heard.texts) == 3)
    rooms = {
        one.text: (one.room.external_id, one.room.space)
        for one in here.heard.events
        if isinstance(one, Inbound)
    }
    assert rooms == {
        "found at the start": ("-41", "telegram:-41"),
        "told": ("-42", "telegram:-42"),
        "found by sending": ("-43", "telegram:-43"),
    }
    assert moved
    assert [one.text for one in world.said_in(LOBBY - 3)] == ["hi"]


async def test_who_is_in_which_group_is_what_telegram_vouches_for(world: TelegramWorld) -> None:
    """Where a person writes to the pet alone; managers are those whom the group has."""
    server = world.server
    server.group(LOBBY - 5, "Other", {LEA: "administrator", 7_000_001: "member"})
    server.chats[LOBBY].members[LEA] = "left"
    met = [room(str(one), RoomKind.GROUP) for one in (LOBBY, LOBBY - 5)]
    async with connected(world, rooms=met) as here:
        await world.says(Who.LEA, Where.LEA_DIRECT, "alone")
        await server.says(LEA, LOBBY - 5, "among others")
        await server.says(IDS[Who.TOM], LOBBY, "hi")
        await here.until(lambda: len(here.heard.texts) == 3)
    found: dict[str, tuple[set[str], bool]] = {
        one.text: (set(one.spaces), one.manages_space)
        for one in here.heard.events
        if isinstance(one, Inbound)
    }
    assert found == {
        "alone": ({f"telegram:{LOBBY - 5}"}, False),
        "among others": ({f"telegram:{LOBBY - 5}"}, True),
        "hi": ({f"telegram:{LOBBY}"}, False),
    }


async def test_a_webhook_takes_what_is_telegrams_alone(world: TelegramWorld) -> None:
    """Stored before the 200, and known when it is handed over again."""
    url = "https://eko.example"
    async with connected(world, webhook_url=url) as here:
        hook = here.channel.webhook
        assert hook is not None
        await here.until(lambda: here.channel.is_connected)
        about = world.server.webhook
        assert (about["url"], about["max_connections"]) == (f"{url}/webhooks/telegram", 1)
        await world.says(Who.LEA, Where.LEA_DIRECT, "called")
        (update,) = world.server.waiting.values()
        body = json.dumps(update).encode()
        secret = {HEADER: about["secret_token"]}

        async def status(headers: dict[str, str], said: bytes = body, method: str = "POST") -> int:
            request = WebhookRequest(method=method, query={}, headers=headers, body=said)
            return (await hook.answer(request)).status

        assert secret == {HEADER: secret_of(TOKEN)}
        assert [await status(one) for one in ({}, {HEADER: "é"}, {HEADER: "x"})] == [403] * 3
        assert await status(secret, b"{") == 400
        assert await status(secret, b"[" * 9000) == 400
        assert await status(secret, b"", "GET") == 405
        here.heard.failures = 1
        assert await status(secret) == 503
        assert [await status(secret) for _ in range(2)] == [200, 200]
        assert await status(secret, b"[1]") == 200
        assert here.heard.texts == ["called"]
    assert await status(secret) == 503


async def test_edits_and_reactions_are_told(world: TelegramWorld) -> None:
    """With the ids of the messages that they are about."""
    async with connected(world) as here:
        said = await world.says(Who.LEA, Where.LOBBY, "helo")
        await world.edits(Who.LEA, said, "hello")
        await world.reacts(Who.TOM, said, "👍")
        await here.until(lambda: len(here.heard.events) == 3)
    _, edited, reacted = here.heard.events
    assert isinstance(edited, Edited)
    assert isinstance(reacted, ReactionsChanged)
    assert (edited.external_id, edited.text) == (said, "hello")
    assert (reacted.external_id, reacted.emoji) == (said, ("👍",))


async def test_a_picture_is_fetched_by_its_id_and_no_larger_than_wanted(
    world: TelegramWorld,
) -> None:
    """Its address, which has the token in it, is written nowhere."""
    world.server.files["pics/a.jpg"] = b"\xff\xd8\xff picture"
    async with connected(world) as here:
        files = here.channel.files
        assert await files.fetch("telegram-file:pics/a.jpg", 100) == b"\xff\xd8\xff picture"
        assert await files.fetch("telegram-file:pics/a.jpg", 3) is None
        assert await files.fetch("telegram-file:none", 100) is None


@pytest.mark.parametrize(
    ("reads", "refusing", "said"),
    [(True, False, "connected"), (False, False, "private"), (True, True, "refused")],
)
async def test_the_doctor_says_what_is_to_be_done(
    world: TelegramWorld, *, reads: bool, refusing: bool, said: str
) -> None:
    """By what Telegram says of the account."""
    world.server.reads_groups = reads
    api = HttpBotApi("1:wrong" if refusing else TOKEN, world.url)
    sight = await look(api, SystemClock().now().timestamp())
    assert finding_of(sight, PlatformState(connected=True)).said == said
    await api.close()


async def test_a_server_that_is_away_is_said_to_be() -> None:
    """In a bounded time."""
    api = HttpBotApi(TOKEN, "http://127.0.0.1:9")
    sight = await look(api, 0.0)
    assert finding_of(sight, PlatformState(connected=False)).said == "unreachable"
    assert finding_of(None, PlatformState(connected=False)).said == "unused"
    await api.close()
