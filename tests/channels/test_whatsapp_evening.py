"""The first evening on WhatsApp: what Meta does not bring, or take, is said with what to do."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from structlog.testing import capture_logs

from bot.channels.whatsapp.cloud.call_record import FILE, CallRecord
from bot.channels.whatsapp.cloud.graph import RecipientUnlisted
from bot.channels.whatsapp.cloud.identities import (
    AllowedSenders,
    CloudPerson,
    line_of,
    other_form,
)
from bot.channels.whatsapp.plugin import WhatsappPlugin
from bot.channels.whatsapp.service.findings import CallStage
from bot.diagnostics.report import in_chat
from bot.platforms.plugin import PlatformState
from config.sections.whatsapp import WhatsappSettings
from memory.model.notices import NoticeKind
from tests.channels.whatsapp_host import OnWhatsapp, on_cloud
from tests.channels.whatsapp_server import (
    ACCOUNT_ID,
    APP_ID,
    NUMBER_ID,
    SECRET,
    TOKEN,
    WORD,
    Customer,
    WhatsappServer,
    open_whatsapp,
)

pytestmark = pytest.mark.asyncio(loop_scope="module")

LEA = Customer(name="Léa", user_id="FR.13491208655302741918", phone="33612345678")
ANA = Customer(name="Ana", phone="551187654321")
"""Known to WhatsApp without the ninth digit, which she writes: +55 11 98765-4321."""


@pytest_asyncio.fixture(loop_scope="module")
async def server() -> AsyncIterator[WhatsappServer]:
    """A server of its own for each test."""
    async with open_whatsapp() as found:
        yield found


def hello(server: WhatsappServer, who: Customer = LEA, number: str = NUMBER_ID) -> bytes:
    """A call with a word of somebody's."""
    message = server.message_of(who, "text", text={"body": "hello"})
    return server.body_of(server.value_of(who, message), number=number)


async def found(
    server: WhatsappServer, there: OnWhatsapp | None, folder: Path, locale: str = "en"
) -> str:
    """What the doctor says, beside the pet or where that does not run."""
    known = {"access_token": TOKEN, "phone_number_id": NUMBER_ID, "app_secret": SECRET}
    more = {"verify_token": WORD, "api_url": server.url, "allowed": ["*"]}
    section = WhatsappSettings.model_validate({**known, **more})
    platform = None if there is None else there.channel
    state = PlatformState(connected=there is not None, platform=platform, folder=folder)
    return in_chat(await WhatsappPlugin().look(section, state), locale)


async def test_the_doctor_says_ok_only_once_a_call_for_this_number_came(
    server: WhatsappServer, tmp_path: Path
) -> None:
    """And what comes next before; a restart forgets none of it."""
    async with on_cloud(server.url, folder=tmp_path) as there:
        assert "write https://YOUR-NAME/webhooks/whatsapp" in await found(server, there, tmp_path)
        asked = {"hub_mode": "subscribe", "hub_verify_token": WORD, "hub_challenge": "1"}
        assert (await there.asked(**asked)).status == 200
        unheard = await found(server, there, tmp_path)
        assert unheard.startswith("• whatsapp: writes as Eko; Meta reaches the address")
        assert "publish the app" in unheard
        assert await found(server, None, tmp_path) == unheard
    async with on_cloud(server.url, folder=tmp_path) as there:
        assert await found(server, there, tmp_path) == unheard
        assert "publie l'application" in await found(server, there, tmp_path, "fr")
        assert (await there.called(hello(server))).status == 200
        assert (await found(server, there, tmp_path)).startswith("✓")
    async with on_cloud(server.url, folder=tmp_path) as there:
        assert (await found(server, there, tmp_path)).startswith("✓")
    assert (await found(server, None, tmp_path)).startswith("✓")
    assert (tmp_path / FILE).stat().st_mode & 0o077 == 0


async def test_a_call_for_another_number_is_logged_and_not_taken(
    server: WhatsappServer, tmp_path: Path
) -> None:
    """Once, without what it says; the doctor tells it from silence."""
    async with on_cloud(server.url, folder=tmp_path) as there:
        with capture_logs() as logs:
            for _ in range(3):
                assert (await there.called(hello(server, number="123456123"))).status == 200
        assert there.said == []
        told = [one for one in logs if one["event"] == "call.misdirected"]
        assert [(one["number"], one["expected"]) for one in told] == [("123456123", NUMBER_ID)]
        assert "hello" not in json.dumps(logs)
        assert LEA.phone not in json.dumps(logs)
        words = await found(server, there, tmp_path)
        assert "Meta calls for another number (123456123)" in words
        assert there.channel.webhook.record.stage is CallStage.VERIFIED


@pytest.mark.parametrize(
    "kept", ["", "{", "[]", '{"stage": 7}', '{"phone_number_id": "106540352242922", "stage": "x"}']
)
async def test_a_record_that_is_damaged_or_of_another_number_is_none(
    tmp_path: Path, kept: str
) -> None:
    """It is made anew with the next call."""
    (tmp_path / FILE).write_text(kept, "utf-8")
    record = CallRecord(tmp_path, NUMBER_ID)
    assert record.stage is CallStage.NONE
    await record.reach(CallStage.CALLED)
    await record.reach(CallStage.VERIFIED)
    assert CallRecord(tmp_path, NUMBER_ID).stage is CallStage.CALLED
    assert CallRecord(tmp_path, "1").stage is CallStage.NONE


async def test_a_record_that_cannot_be_written_is_known_until_the_end(tmp_path: Path) -> None:
    """And the call is taken."""
    (tmp_path / "file").write_text("", "utf-8")
    record = CallRecord(tmp_path / "file", NUMBER_ID)
    with capture_logs() as logs:
        await record.reach(CallStage.CALLED)
    assert record.stage is CallStage.CALLED
    assert [one["event"] for one in logs] == ["record.lost"]


async def test_an_account_whose_messages_go_nowhere_is_subscribed_at_the_start(
    server: WhatsappServer, tmp_path: Path
) -> None:
    """The one that has the number, of those that the token manages; once a call came no more."""
    server.subscribed.clear()
    with capture_logs() as logs:
        async with on_cloud(server.url, folder=tmp_path) as there:
            await there.until(lambda: server.subscribed == [APP_ID])
            await there.called(hello(server))
    assert [one["account"] for one in logs if one["event"] == "webhook.subscribed"] == [ACCOUNT_ID]
    assert TOKEN not in json.dumps(logs)
    server.subscribed.clear()
    async with on_cloud(server.url, folder=tmp_path) as there:
        assert await there.sends(LEA.user_id, "Hi")
    assert server.subscribed == []


async def test_where_the_token_may_not_subscribe_the_doctor_has_the_request(
    server: WhatsappServer, tmp_path: Path
) -> None:
    """Exactly as it is to be made; what Meta does not tell is not taken for a fault."""
    server.subscribed, server.subscribes = ["1"], False
    async with on_cloud(server.url, folder=tmp_path) as there:
        await there.asked(hub_mode="subscribe", hub_verify_token=WORD, hub_challenge="1")
        words = await found(server, there, tmp_path)
        assert words.startswith("✗ whatsapp: writes as Eko; the app gets no messages")
        address = f"{server.url}/v25.0/{ACCOUNT_ID}/subscribed_apps"
        assert f'curl -X POST {address} -H "Authorization: Bearer $WHATSAPP_TOKEN"' in words
        server.manages = False
        assert "Meta reaches the address" in await found(server, there, tmp_path)


async def test_who_is_none_of_the_five_test_people_is_told_to_the_owner(
    server: WhatsappServer, tmp_path: Path
) -> None:
    """Not asked again, and no longer said once they can be written to."""
    server.listed = frozenset()
    async with on_cloud(server.url, folder=tmp_path) as there:
        await there.called(hello(server))
        with pytest.raises(RecipientUnlisted):
            await there.sends(LEA.user_id, "Yes.", answers=server.new_id())
        assert server.asked_to_send == 1
        ((about, reason),) = there.notices.of(NoticeKind.DELIVERY_FAILED)
        assert about == "whatsapp"
        assert "five people" in reason
        assert "API Setup > To" in reason
        words = await found(server, there, tmp_path)
        assert words.startswith("• whatsapp: writes as Eko, a number for tests")
        server.listed = frozenset({LEA.user_id})
        assert await there.sends(LEA.user_id, "Yes.")
        assert (await found(server, there, tmp_path)).startswith("✓")
        failed = {"id": "wamid.1", "status": "failed", "errors": [{"code": 131030}]}
        await there.called(server.body_of({"statuses": [failed]}))
        assert "five people" in there.notices.of(NoticeKind.DELIVERY_FAILED)[-1][1]


@pytest.mark.parametrize(
    ("allowed", "wrote", "admitted"),
    [
        ("+55 11 98765-4321", "551187654321", True),
        ("551187654321", "5511987654321", True),
        ("+55 (11) 98765-4321", "5511987654321", True),
        ("551187654321", "551187654321", True),
        ("+55 11 98765-4321", "552187654321", False),
        ("+55 11 98765-4321", "5511987654322", False),
        ("+55 11 88765-4321", "551187654321", False),
        ("+351 91 876 5432", "35191876543", False),
        ("+1 559 876 5432", "1558765432", False),
    ],
)
async def test_both_forms_of_a_brazilian_number_are_one_person(
    allowed: str, wrote: str, *, admitted: bool
) -> None:
    """The ninth digit is a 9 behind the area; numbers of other countries are what they are."""
    person = CloudPerson(account="nr.1", number=wrote)
    assert AllowedSenders([allowed]).admits(person, lambda _: False) is admitted
    assert (line_of(allowed) == line_of(wrote)) is admitted


async def test_who_is_on_the_list_in_the_other_form_is_written_to_in_that(
    server: WhatsappServer,
) -> None:
    """WhatsApp's own name for a Brazilian number lacks the digit that the list has."""
    server.listed = frozenset({"5511987654321"})
    async with on_cloud(server.url, allowed=("+55 11 98765-4321",)) as there:
        await there.called(hello(server, ANA))
        account = there.said[0].author.external_id
        for text in ("one", "two"):
            await there.sends(account, text)
            await there.called(hello(server, ANA))
        assert [one.body["to"] for one in server.sent] == ["5511987654321"] * 2
        assert server.asked_to_send == 3
        assert there.notices.told == []
    assert (other_form("5511987654321"), other_form("33612345678")) == ("551187654321", None)
