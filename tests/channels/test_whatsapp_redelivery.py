"""What Meta hands over again, a day later and to a pet that was started anew."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

from bot.channels.whatsapp.cloud.channel import CloudChannel
from bot.model.webhooks import WebhookRequest
from bot.wiring.app import open_app
from config.sections.conversation import CoalescingSettings
from config.sections.vectors import EmbedderSettings
from config.settings import Settings
from memory.clock import FrozenClock
from tests.cast import NOON
from tests.channels.whatsapp_host import options_of
from tests.channels.whatsapp_server import (
    Customer,
    WhatsappServer,
    open_whatsapp,
    signature_of,
)

LEA = Customer(name="Léa", user_id="FR.13491208655302741918")


@asynccontextmanager
async def pet_on(
    server: WhatsappServer, folder: Path, clock: FrozenClock
) -> AsyncIterator[CloudChannel]:
    """The whole pet on a server, at a time of its own."""
    settings = Settings(
        data_dir=folder,
        embedder=EmbedderSettings(kind="none"),
        coalescing=CoalescingSettings(debounce_s=0),
    )
    channel = CloudChannel(options_of(server.url))
    async with open_app(settings, clock, resuming=True, platforms=[channel]):
        yield channel
    await channel.close()


async def handed(channel: CloudChannel, body: bytes) -> None:
    """Hand a call over, again as long as the pet is not there."""
    signed = {"x-hub-signature-256": signature_of(body)}
    request = WebhookRequest(method="POST", query={}, headers=signed, body=body)
    while (await channel.webhook.answer(request)).status == 503:  # noqa: ASYNC110 - as Meta does
        await asyncio.sleep(0.01)


async def test_a_call_of_yesterday_is_taken_once(tmp_path: Path) -> None:
    """Each message is known by its id, on the disk; what is new in the same call is answered."""
    clock = FrozenClock(NOON)
    async with open_whatsapp() as server:
        server.reports = False
        old = server.message_of(LEA, "text", at=NOON.timestamp(), text={"body": "Hello!"})
        async with pet_on(server, tmp_path, clock) as channel:
            await handed(channel, server.body_of(server.value_of(LEA, old)))
            await server.answer_to(old["id"])
        clock.advance(timedelta(days=1))
        at = clock.now().timestamp()
        new = server.message_of(LEA, "text", at=at, text={"body": "Hello again!"})
        async with pet_on(server, tmp_path, clock) as channel:
            for body in (
                server.body_of(server.value_of(LEA, old, new)),
                server.body_of(server.value_of(LEA, old), server.value_of(LEA, new)),
            ):
                await handed(channel, body)
            await server.answer_to(new["id"])
        assert [one.answers for one in server.sent] == [old["id"], new["id"]]
