"""What the pet sends to WhatsApp: its forms, its mark-up, and what it is refused."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from bot.channels.whatsapp.cloud.answers import message_of
from bot.channels.whatsapp.cloud.graph import AccessRefused, GraphApi, WindowClosed, refusal_of
from bot.channels.whatsapp.cloud.options import TEXT_LIMIT
from bot.channels.whatsapp.plugin import WhatsappPlugin
from bot.channels.whatsapp.service.markup import whatsapp_text
from bot.diagnostics.report import in_chat
from bot.errors import ChannelAway, DeliveryFailed, DeliveryRefused
from bot.model.commands import Action
from bot.platforms.http_api import ApiBusy, OutcomeUnknown
from bot.platforms.paged_answer import AnswerPage, PageTurn
from bot.platforms.plugin import PlatformState
from config.sections.whatsapp import WhatsappSettings
from memory.model.notices import NoticeKind
from tests.channels.whatsapp_host import OnWhatsapp, on_cloud, options_of
from tests.channels.whatsapp_rules import broken_rules
from tests.channels.whatsapp_server import (
    NUMBER_ID,
    TOKEN,
    Customer,
    WhatsappServer,
    open_whatsapp,
    refused,
)

pytestmark = pytest.mark.asyncio(loop_scope="module")

LEA = Customer(name="Léa", user_id="FR.13491208655302741918", phone="33612345678")


@pytest_asyncio.fixture(loop_scope="module")
async def server() -> AsyncIterator[WhatsappServer]:
    """A server of its own for each test."""
    async with open_whatsapp() as found:
        yield found


@pytest_asyncio.fixture(loop_scope="module")
async def there(server: WhatsappServer) -> AsyncIterator[OnWhatsapp]:
    """A channel on it."""
    async with on_cloud(server.url) as found:
        yield found


async def test_an_answer_of_one_emoji_is_a_reaction(
    server: WhatsappServer, there: OnWhatsapp
) -> None:
    """To the message it answers; where that cannot be, it is a message."""
    known = server.new_id()
    assert await there.sends(LEA.user_id, "👍", answers=known) is None
    server.refusals.append(refused(400, 131009))
    assert await there.sends(LEA.user_id, "🎉", answers=known) is not None
    kinds = [(one.body["type"], one.text) for one in server.sent]
    assert kinds == [("reaction", "👍"), ("text", "🎉")]


async def test_a_message_that_cannot_be_quoted_is_answered_without(
    server: WhatsappServer, there: OnWhatsapp
) -> None:
    """The words are what counts."""
    server.refusals.append(refused(400, 100))
    await there.sends(LEA.user_id, "Yes.", answers=server.new_id())
    assert [(one.text, one.answers) for one in server.sent] == [("Yes.", None)]


async def test_the_same_message_is_shown_once_where_meta_says_that_it_has_it(
    server: WhatsappServer, there: OnWhatsapp
) -> None:
    """By the nonce that its report repeats, before another try or during it."""
    value = {"statuses": [{"id": "wamid.1", "status": "sent", "biz_opaque_callback_data": "n:Hi"}]}
    await there.called(server.body_of(value))
    assert await there.sends(LEA.user_id, "Hi") == "wamid.1"
    assert server.sent == []


async def test_a_refused_token_is_told_once_and_keeps_what_is_said(
    server: WhatsappServer, there: OnWhatsapp
) -> None:
    """No request more is made until somebody has mended it."""
    server.expired = True
    for _ in range(3):
        with pytest.raises(ChannelAway):
            await there.sends(LEA.user_id, "Hello?")
    await there.tells(NoticeKind.ACCESS_REFUSED)
    assert len(there.notices.of(NoticeKind.ACCESS_REFUSED)) == 1
    assert not there.channel.is_connected


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (400, 131047, WindowClosed),
        (400, 190, AccessRefused),
        (401, 190, AccessRefused),
        (403, 10, AccessRefused),
        (400, 368, AccessRefused),
        (400, 130429, ApiBusy),
        (400, 80007, ApiBusy),
        (400, 131056, ApiBusy),
        (400, 131000, DeliveryFailed),
        (400, 131026, DeliveryRefused),
        (400, 100, DeliveryRefused),
        (404, 0, DeliveryRefused),
    ],
)
async def test_each_refusal_is_what_it_means(status: int, code: int, kind: type) -> None:
    """By Meta's number for it; its words stay where they are."""
    error = refusal_of({"error": {"code": code, "message": "hello, +33612345678"}}, status)
    assert type(error) is kind
    assert "33612345678" not in str(error)


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("**bold** and *slanted*, ~~gone~~, `code`", "*bold* and _slanted_, ~gone~, `code`"),
        ("> one\n> two\n\nthree", "> one\n> two\n\nthree"),
        ("```py\na = '*'\nb = 2\n```", "```a = '*'\nb = 2```"),
        ("[here](https://eko.example)", "here (https://eko.example)"),
        ("**two\nlines**", "*two*\n*lines*"),
        ("snake_case and 2 * 3 * 4", "snake_case and 2 * 3 * 4"),
        ("- one\n- two", "• one\n• two"),
        ("", ""),
    ],
)
async def test_markdown_is_written_in_its_signs(said: str, shown: str) -> None:
    """Each line closes what it opens; what is no form stays as it is."""
    assert whatsapp_text(said, TEXT_LIMIT) == shown


def page(actions: int, *, turns: bool = False, label: str = "Forget") -> AnswerPage:
    """A page with so many things to do, which may be one of several."""
    return AnswerPage(
        content="**Which?**",
        actions=tuple(
            Action(label=f"{label} {n}", command="forget", arguments={"n": str(n)}, destroys=True)
            for n in range(actions)
        ),
        turn=PageTurn(mark="m", number=1) if turns else None,
        count=3 if turns else 1,
    )


@pytest.mark.parametrize(
    ("shown", "kind", "choices"),
    [
        (page(0), None, 0),
        (page(2), "button", 3),
        (page(0, turns=True), "button", 2),
        (page(7, turns=True), "list", 10),
        (page(7, label="A name that is longer than any button or row may be, and the same"),
         "list", 8),
        (page(2, label="A name that is longer than any button may be, and the same"),
         "button", 3),
    ],
)  # fmt: skip
async def test_what_can_be_done_next_is_pressed(
    shown: AnswerPage, kind: str | None, choices: int
) -> None:
    """Up to three buttons, else a list, each within its limits; with something to take it back."""
    message: dict[str, Any] = {
        "messaging_product": "whatsapp",
        "recipient_type": "individual",
        "recipient": LEA.user_id,
        **message_of(shown),
    }
    assert broken_rules(message, ()) == []
    about = message.get("interactive", {})
    action = about.get("action", {})
    rows = [row for section in action.get("sections", ()) for row in section["rows"]]
    assert (about.get("type"), len(action.get("buttons", ())) + len(rows)) == (kind, choices)


async def test_a_picture_is_fetched_from_where_meta_keeps_it(server: WhatsappServer) -> None:
    """With the token, and nowhere else; what is too large or gone is none."""
    server.files["9"] = ("image/png", b"\x89PNG" + bytes(100))
    api = GraphApi(options_of(server.url))
    assert await api.fetch("9", 1000) == server.files["9"][1]
    assert await api.fetch("9", 50) is None
    server.broken.clear()
    assert await api.fetch("8", 1000) is None
    server.broken.clear()
    assert await api.fetch(f"{server.url}/files/9", 1000) is None
    assert await api.fetch("../../files/9", 1000) is None
    server.url = server.url.replace("127.0.0.1", "localhost")
    assert await api.fetch("9", 1000) is None
    await api.close()


async def test_only_what_was_asked_may_have_been_taken(server: WhatsappServer) -> None:
    """A service that cannot be reached has taken nothing; one that hangs up may have."""
    nowhere = GraphApi(options_of("http://127.0.0.1:9"))
    with pytest.raises(DeliveryFailed) as apart:
        await nowhere.sent({})
    assert type(apart.value) is DeliveryFailed
    await nowhere.close()
    server.cut = True
    there = GraphApi(options_of(server.url))
    with pytest.raises(OutcomeUnknown):
        await there.sent({})
    await there.close()


@pytest.mark.parametrize(
    ("more", "expired", "said"),
    [
        ({}, False, "• whatsapp: writes as Eko, quality green; Meta has never called"),
        ({}, True, "✗ whatsapp: the access token is refused (code 190)"),
        ({"app_secret": None}, False, "✗ whatsapp: writes as Eko, and takes no message"),
        ({"access_token": None}, False, "• whatsapp: not used: there is neither an agent"),
        ({"phone_number_id": None}, False, "✗ whatsapp: there is an access token, and no phone"),
        ({"phone_number_id": "1"}, False, "✗ whatsapp: the access token works, and the phone"),
    ],
)
async def test_the_doctor_says_how_it_stands(
    server: WhatsappServer, more: dict[str, Any], *, expired: bool, said: str
) -> None:
    """In a sentence, with what there is to do."""
    server.expired = expired
    known = {"access_token": TOKEN, "phone_number_id": NUMBER_ID, "app_secret": "x"}
    section = WhatsappSettings(**{**known, "api_url": server.url, **more})
    finding = await WhatsappPlugin().look(section, PlatformState(connected=not expired))
    assert in_chat(finding, "en").startswith(said)
    assert in_chat(finding, "fr")
    server.broken.clear()


async def test_who_is_not_answered_is_told_by_the_doctor(server: WhatsappServer) -> None:
    """With the account that can be copied."""
    section = WhatsappSettings.model_validate(
        {
            "access_token": TOKEN,
            "phone_number_id": NUMBER_ID,
            "app_secret": "x",
            "api_url": server.url,
        }
    )
    async with on_cloud(server.url, allowed=()) as there:
        message = server.message_of(LEA, "text", text={"body": "hello"})
        await there.called(server.body_of(server.value_of(LEA, message)))
        state = PlatformState(connected=True, platform=there.channel)
        finding = await WhatsappPlugin().look(section, state)
    assert f'put "{LEA.user_id}" under [whatsapp] allowed' in in_chat(finding, "en")


async def test_both_ways_at_once_are_refused() -> None:
    """And so are accounts that are none."""
    both = {"access_token": "a", "phone_number_id": "1", "agent_key": "b"}
    with pytest.raises(ValueError, match="not both"):
        WhatsappSettings.model_validate(both)
    for wrong in ("12", "+33612345678", "léa"):
        with pytest.raises(ValueError, match="user id"):
            WhatsappSettings.accounts.check(wrong)
    for right in (LEA.user_id, "US.ENT.11815799212886844830", "nr.0123abcd", "*"):
        WhatsappSettings.accounts.check(right)
