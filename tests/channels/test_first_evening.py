"""The set-up of a service as its page has it, step by step, against the service of the tests."""

import asyncio
import json
import re
from pathlib import Path

import httpx2
import pytest

from tests.channels.telegram_server import BOT, TOKEN
from tests.channels.telegram_world import IDS, LOBBY, TelegramWorld, open_telegram_world
from tests.channels.whatsapp_server import WORD
from tests.channels.whatsapp_stage import Stage, on_whatsapp
from tests.channels.whatsapp_world import CUSTOMERS, WhatsappWorld, open_whatsapp_world
from tests.channels.world import Where, Who
from tests.patience import PATIENCE_S
from tests.peers.daemon import NO_TLS, Daemon, awake

DOCS = Path(__file__).parents[2] / "docs"
LEA = CUSTOMERS[Who.LEA]


def steps_of(page: str, heading: str) -> list[str]:
    """The numbered steps below a heading of a page."""
    text = (DOCS / page).read_text("utf-8")
    section = text.partition(f"\n{heading}\n")[2]
    section = re.split(r"\n#{1,3} ", section, maxsplit=1)[0]
    return re.findall(r"^\d+\. (.+)$", section, re.MULTILINE)


async def doctor(daemon: Daemon, part: str) -> str:
    """What the doctor says of a channel."""
    checks = (await daemon.does("doctor"))["result"]["checks"]
    found = next(one for one in checks if one["name"] == part)
    return f"{found['status']}: {found['detail']}. {found['todo']}"


async def test_telegram_is_set_up_in_the_steps_of_its_page(tmp_path: Path) -> None:
    """Four to the first answer, one more to manage the pet, one more to have it read a group."""
    assert len(steps_of("telegram.md", "## Set-up")) == 4
    async with open_telegram_world() as world:  # step 1: @BotFather gives a token
        server, lea = world.server, IDS[Who.LEA]
        server.reads_groups = False
        settings = {"TELEGRAM_TOKEN": TOKEN, "EKO_TELEGRAM__API_URL": world.url}  # step 2
        settings |= {"EKO_EMBEDDER__KIND": "none", "EKO_COALESCING__DEBOUNCE_S": "0"}
        async with awake(tmp_path / "data", settings) as daemon:  # step 3
            await daemon.has_written("telegram.connected")
            await daemon.has_written("commands.announced")
            found = await doctor(daemon, "telegram")
            assert f"https://t.me/{BOT['username']}" in found
            assert "/setprivacy" in found
            await server.says(lea, lea, "/start")  # step 4
            greeted = await _said(world, lea, 1)
            assert f"telegram:{lea}" in greeted
            await server.says(lea, lea, "bonjour")
            assert await _said(world, lea, 2)
            server.group(LOBBY - 1, "Ours", {lea: "member", BOT["id"]: "member"})
            await server.says(lea, LOBBY - 1, f"/help@{BOT['username']}")
            assert await _said(world, LOBBY - 1, 1)
            server.reads_groups = True  # /setprivacy, then out of the group and in again
            assert (await doctor(daemon, "telegram")).startswith("ok")
        settings["EKO_ADMINS__IDENTITIES"] = json.dumps(["console:*", f"telegram:{lea}"])
        async with awake(tmp_path / "data", settings) as daemon:
            await daemon.has_written("telegram.connected")
            await server.says(lea, LOBBY - 1, "/doctor")
            assert "✓ eko: version" in await _said(world, LOBBY - 1, 2)
        assert server.faults == []


async def _said(world: TelegramWorld, chat: int, count: int) -> str:
    """What the pet says in a chat, once it has said so much there."""
    async with asyncio.timeout(PATIENCE_S):
        while len(world.said_in(chat)) < count:  # noqa: ASYNC110 - it is on a server
            await asyncio.sleep(0.02)
    return world.said_in(chat)[count - 1].text


@pytest.fixture
def alone() -> dict[str, str]:
    """Settings in which nobody is answered yet."""
    return {"EKO_WHATSAPP__ALLOWED": "[]", "EKO_ADMINS__IDENTITIES": '["console:*"]'}


async def test_whatsapp_is_set_up_in_the_steps_of_its_page(
    tmp_path: Path, alone: dict[str, str]
) -> None:
    """Nine, and the doctor says after each what the next is; a restart forgets none."""
    assert len(steps_of("whatsapp.md", "### From nothing to the first answer")) == 9
    data = tmp_path / "data"
    async with open_whatsapp_world() as world:
        world.server.subscribed.clear()
        world.server.listed = frozenset()
        async with on_whatsapp(world, data, alone) as stage:  # steps 1 to 5
            await stage.daemon.has_written("webhook.subscribed")
            found = await doctor(stage.daemon, "whatsapp")
            assert "write https://YOUR-NAME/webhooks/whatsapp" in found
            assert await _verified(world) == "1158201444"  # step 6
            await stage.daemon.has_written("webhook.verified")
            assert "publish the app" in await doctor(stage.daemon, "whatsapp")
            await _tested(world)
            await stage.daemon.has_written("call.misdirected")
            assert "calls for another number" in await doctor(stage.daemon, "whatsapp")
            await _wrote(world, stage)  # step 7: the app is published; step 9
            account = f'put "{LEA.user_id}" under [whatsapp] allowed'
            assert account in await doctor(stage.daemon, "whatsapp")
        allowed = {**alone, "EKO_WHATSAPP__ALLOWED": json.dumps([LEA.user_id])}
        async with on_whatsapp(world, data, allowed) as stage:
            await _wrote(world, stage)
            await stage.daemon.has_written("owner.warned")
            assert "a number for tests" in await doctor(stage.daemon, "whatsapp")
            world.server.listed = frozenset({LEA.user_id})  # step 8
            assert await stage.hears(Who.LEA, Where.LEA_DIRECT, "bonjour")
            assert (await doctor(stage.daemon, "whatsapp")).startswith("ok")
        async with on_whatsapp(world, data, allowed) as stage:
            assert (await doctor(stage.daemon, "whatsapp")).startswith("ok")


async def _verified(world: WhatsappWorld) -> str:
    """What Meta is answered as the webhook's address is saved there."""
    asked = {"hub.mode": "subscribe", "hub.verify_token": WORD, "hub.challenge": "1158201444"}
    async with httpx2.AsyncClient(verify=NO_TLS, trust_env=False, timeout=PATIENCE_S) as client:
        url = f"{world.server.pet}/webhooks/whatsapp"
        return (await client.get(url, params=asked)).text


async def _tested(world: WhatsappWorld) -> None:
    """Press *Test* on Meta's dashboard: its sample has a number of its own."""
    message = world.server.message_of(LEA, "text", text={"body": "this is a text message"})
    value = world.server.value_of(LEA, message)
    assert await world.server.posted(world.server.body_of(value, number="123456123")) == 200


async def _wrote(world: WhatsappWorld, stage: Stage) -> None:
    await world.says(Who.LEA, Where.LEA_DIRECT, "bonjour")
    await world.server.all_taken()
    assert stage.server.broken == []
