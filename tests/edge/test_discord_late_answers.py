"""What becomes of a command that Discord did not let the pet acknowledge: it is answered."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.channels.discord.interactions import responses
from bot.channels.discord.service.markup import TEXT_LIMIT
from bot.model.commands import Action, Answer, Attached
from bot.texts.catalogue import say
from tests.edge.discord_interacting import ADA, CHANNEL, CUT, DIRECT, message, refusal
from tests.edge.discord_stage import Stage, staged

SERVER_ERROR, FORGOTTEN, UNKNOWN_WEBHOOK = refusal(502), refusal(404, 10062), refusal(404, 10015)
LATE = say("command.late", "en", command="ask")


@pytest.fixture
async def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Stage]:
    """Commands before Discord on loopback."""
    async with staged(tmp_path, monkeypatch) as one:
        yield one


@pytest.fixture
def lost(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> Stage:
    """The same before a Discord that never gets an acknowledgement, and so waits for no answer."""
    monkeypatch.setattr(responses, "ACKNOWLEDGE_S", 0.2)
    stage.rest.will(*[CUT] * 500, to="/callback")
    stage.rest.will(UNKNOWN_WEBHOOK, to="@original")
    return stage


async def test_two_failures_of_the_server_lose_no_time(stage: Stage) -> None:
    """The library would wait one second and three between its tries; Discord waits three in all."""
    stage.rest.will(SERVER_ERROR, SERVER_ERROR, to="/callback")
    await stage.slash("ask")
    assert stage.rest.order == ["callback", "edit"]
    assert stage.rest.shown == ["said"]
    assert stage.rest.sent == []


async def test_an_answer_that_has_no_place_any_more_comes_in_private(lost: Stage) -> None:
    """Once, to the caller alone, as they alone would have seen it."""
    await lost.slash("ask")
    assert [(one["channel"], one["content"]) for one in lost.rest.sent] == [
        (DIRECT, f"{LATE}\nsaid")
    ]
    assert len(lost.calls) == 1


async def test_what_was_acknowledged_in_the_end_is_answered_there_and_only_there(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord had taken it, and what it said of that was lost."""
    monkeypatch.setattr(responses, "ACKNOWLEDGE_S", 0.2)
    stage.rest.will(*[CUT] * 500, to="/callback")
    await stage.slash("ask")
    assert stage.rest.shown == ["said"]
    assert stage.rest.sent == []


async def test_an_answer_that_may_have_been_shown_is_not_sent_a_second_time(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the acknowledgement nor the answer is known to have failed."""
    monkeypatch.setattr(responses, "ACKNOWLEDGE_S", 0.2)
    stage.rest.will(*[CUT] * 500, to="/callback")
    stage.rest.will(CUT, CUT, CUT, to="@original")
    await stage.slash("ask")
    assert stage.rest.sent == []


async def test_one_that_is_forgotten_after_failures_is_answered_too(stage: Stage) -> None:
    """It was new when the pet was told of it, unlike one that is refused at the first try."""
    stage.rest.will(CUT, FORGOTTEN, to="/callback")
    stage.rest.will(UNKNOWN_WEBHOOK, to="@original")
    await stage.slash("ask")
    assert [one["channel"] for one in stage.rest.sent] == [DIRECT]


async def test_in_a_direct_room_the_answer_follows_there(lost: Stage) -> None:
    """It need not be looked for."""
    await lost.slash("ask", guild=None)
    assert [one["channel"] for one in lost.rest.sent] == [DIRECT]


async def test_who_takes_no_direct_messages_is_told_in_the_channel(lost: Stage) -> None:
    """Not what the answer says: others read that."""
    lost.rest.will(refusal(403, 50007), to="/messages")
    await lost.slash("ask")
    (told,) = lost.rest.sent
    assert told["channel"] == CHANNEL
    assert told["content"] == say("command.unanswered", "en", who=f"<@{ADA}>")
    assert told["allowed_mentions"]["users"] == [ADA]
    assert "said" not in told["content"]


async def test_a_long_answer_comes_in_parts_with_its_buttons_as_lines(lost: Stage) -> None:
    """And with its file, at the end; each part has a nonce of its own."""
    lost.says = Answer(
        text="word " * 600,
        actions=(Action(label="Do it", command="ask", arguments={"sure": "yes"}),),
        file=Attached(name="mine.json", content=b"{}"),
    )
    await lost.slash("ask")
    first, last = lost.rest.sent
    assert len(first["content"]) <= TEXT_LIMIT
    assert "Do it: /ask" in last["content"]
    assert lost.rest.files == [("mine.json", b"{}")]
    assert first["nonce"] != last["nonce"]


async def test_what_a_button_did_is_told_too(lost: Stage) -> None:
    """The click was taken for lost by who clicked."""
    await lost.click("/ask --sure", on=message(70, "x"))
    assert len(lost.calls) == 1
    assert [one["channel"] for one in lost.rest.sent] == [DIRECT]
