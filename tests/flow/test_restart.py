"""What a stop, a crash or a platform that is away interrupts is finished once, and once only."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.agent.budget import Cap, Caps
from bot.agent.estimates import tokens_said
from bot.errors import BudgetExhausted, ModelUnavailable
from bot.model.events import Deleted
from bot.model.requests import ModelReply, ModelRequest, Purpose, Usage, UserMessage
from memory.model.errors import StorageFailed
from memory.model.ledger import ModelCall
from memory.model.rooms import HOME
from memory.model.stores import Collection
from tests.cast import DAVID, LEA, LOBBY, PLATFORM, direct
from tests.flow.pet import ListedChannel, ScriptedModel, awake, responds, said_in
from tests.metered import metered_on
from tests.storage import statement


async def test_a_message_that_was_waiting_is_answered_after_a_restart_once(tmp_path: Path) -> None:
    """Killed while it gathered: the next start answers, the one after that does not."""
    channel = ListedChannel()
    async with awake(tmp_path, channel=channel) as pet:
        await pet.hears("une question", DAVID)
        await pet.hears("et la suite", DAVID)
    assert channel.sent == []
    async with awake(tmp_path, channel=channel) as pet:
        assert await pet.inbox.resume() == 2
        assert await pet.answers() == ["d'accord"]
        assert pet.model.last.text == "une question\net la suite"
        assert pet.model.last.speaker == "David"
    async with awake(tmp_path, channel=channel) as pet:
        assert await pet.inbox.resume() == 0
        assert await pet.delivery.resume() == 0
        assert await pet.answers() == ["d'accord"]


async def test_a_turn_killed_while_thinking_is_answered_after_a_restart_once(
    tmp_path: Path,
) -> None:
    """Nothing had been stored of it but the message."""
    channel, stuck = ListedChannel(), ScriptedModel()
    stuck.gate.clear()
    async with awake(tmp_path, channel=channel, model=stuck) as pet:
        await pet.hears("une question", DAVID)
        pet.lets_quiet_pass()
        await stuck.thinking.wait()
    async with awake(tmp_path, channel=channel) as pet:
        assert await pet.inbox.resume() == 1
        assert await pet.answers() == ["d'accord"]
        assert await pet.storage.count("turns") == 1


async def test_after_a_restart_the_scope_is_what_it_was(tmp_path: Path) -> None:
    """The spaces a platform vouched for are kept with the message."""
    async with awake(tmp_path) as pet:
        await pet.overhears("je pars en Grèce demain", LEA, LOBBY)
        await pet.hears("qui part en Grèce ?", DAVID, direct(DAVID), spaces=frozenset({HOME}))
        index = pet.storage.index
    async with awake(tmp_path, index=index) as pet:
        await pet.inbox.resume()
        await pet.answers()
        assert "Grèce demain" in pet.model.injected
        await pet.hears("et qui part en Grèce ?", LEA, direct(LEA), spaces=frozenset())
    async with awake(tmp_path, index=index) as pet:
        await pet.inbox.resume()
        await pet.answers()
        assert pet.model.injected == ""


async def test_what_waited_for_too_long_is_given_up(tmp_path: Path) -> None:
    """Nobody wants an answer to yesterday's "are you there?"."""
    async with awake(tmp_path) as pet:
        await pet.hears("tu es là, dis ?", DAVID)
        clock = pet.storage.clock
    clock.advance(timedelta(hours=1, seconds=1))
    async with awake(tmp_path, clock=clock) as pet:
        assert await pet.inbox.resume() == 0
        assert await pet.answers() == []
        assert await pet.storage.count("messages", "handling = 'stale'") == 1


async def test_a_message_taken_back_before_the_restart_is_not_answered(tmp_path: Path) -> None:
    """Its text is gone, so there is nothing to answer."""
    async with awake(tmp_path) as pet:
        taken_back = await pet.hears("oublie ça tout de suite", DAVID)
        await pet.inbox.receive(Deleted(platform=PLATFORM, external_id=taken_back))
    async with awake(tmp_path) as pet:
        assert await pet.inbox.resume() == 0


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """A delivery that tries again at once."""
    monkeypatch.setattr("bot.conversation.delivery.FIRST_WAIT_S", 0.0)


@pytest.mark.usefixtures("hasty")
async def test_a_platform_that_hiccups_gets_the_reply_once(tmp_path: Path) -> None:
    """Two refusals, one message."""
    async with awake(tmp_path, channel=ListedChannel(refuses=2)) as pet:
        await pet.hears("bonjour, toi")
        assert await pet.answers() == ["d'accord"]
        assert await pet.storage.count("turns", "state = 'delivered'") == 1


@pytest.mark.usefixtures("hasty")
async def test_a_reply_no_platform_took_is_sent_after_a_restart_once(tmp_path: Path) -> None:
    """It was stored first; nothing is asked of the model again, and only then is it searchable."""
    async with awake(tmp_path, channel=ListedChannel(refuses=3)) as pet:
        pet.model.will(responds("Zimmermann."))
        await pet.hears("bonjour, toi")
        assert await pet.answers() == []
        assert await pet.storage.index.ids(Collection.CONVERSATIONS) == frozenset()
        index = pet.storage.index
    channel = ListedChannel()
    async with awake(tmp_path, channel=channel, index=index) as pet:
        assert await pet.delivery.resume() == 1
        assert await pet.inbox.resume() == 0
        assert await pet.answers() == ["Zimmermann."]
        assert pet.model.requests == []
        assert len(await index.ids(Collection.CONVERSATIONS)) == 1
    async with awake(tmp_path, channel=channel, index=index) as pet:
        assert await pet.delivery.resume() == 0
    assert channel.texts == ["Zimmermann."]


@pytest.mark.usefixtures("hasty")
async def test_a_long_reply_goes_on_at_the_part_that_was_not_taken(tmp_path: Path) -> None:
    """Three parts, the platform goes away after the first: two follow, with nonces of their own."""
    text = "un deux trois quatre cinq six sept huit neuf"
    first = ListedChannel(text_limit=16)
    real = first.send

    async def once(*arguments: object, **named: object) -> None:
        await real(*arguments, **named)  # type: ignore[arg-type]
        first.refuses = 99

    first.send = once  # type: ignore[method-assign]
    async with awake(tmp_path, channel=first) as pet:
        pet.model.will(responds(text))
        await pet.hears("compte, s'il te plaît")
        await pet.answers()
    second = ListedChannel(text_limit=16)
    async with awake(tmp_path, channel=second) as pet:
        await pet.delivery.resume()
    assert " ".join([*first.texts, *second.texts]) == text
    assert len({*first.nonces, *second.nonces}) == 3
    assert len(first.texts) == 1


async def test_a_reply_in_a_room_whose_channel_is_gone_is_kept(tmp_path: Path) -> None:
    """The platform may be configured again tomorrow."""
    async with awake(tmp_path, channel=ListedChannel(platform="elsewhere")) as pet:
        await pet.hears("bonjour, toi")
        assert await pet.answers() == []
    async with awake(tmp_path, channel=ListedChannel()) as pet:
        assert await pet.delivery.resume() == 1
        assert await pet.answers() == ["d'accord"]


async def test_the_window_survives_a_restart(tmp_path: Path) -> None:
    """A session is in the database, with what was injected."""
    async with awake(tmp_path) as pet:
        await pet.asked("je m'appelle David")
    async with awake(tmp_path) as pet:
        await pet.asked("et moi, mon nom ?")
        assert len(pet.model.requests[-1].messages) == 4


async def test_a_days_cap_stops_calls_and_the_next_day_allows_them(tmp_path: Path) -> None:
    """Counted from midnight UTC over restarts, per person; nobody else is touched."""
    caps = Caps(person=Cap(answers=1))
    async with awake(tmp_path, caps=caps) as pet:
        await pet.asked("une question", DAVID)
        await pet.asked("une autre question", DAVID)
        assert "réfléchir" in pet.channel.texts[-1]
        clock = pet.storage.clock
    async with awake(tmp_path, caps=caps, clock=clock) as pet:
        await pet.asked("une question", LEA)
        assert pet.channel.texts == ["d'accord"]
        await pet.hears("encore une question", DAVID)
        assert "réfléchir" in (await pet.answers())[-1]
        clock.advance(timedelta(hours=12))
        await pet.asked("et aujourd'hui, alors ?", DAVID)
        assert pet.channel.texts[-1] == "d'accord"


async def test_tokens_of_one_purpose_do_not_use_up_anothers(tmp_path: Path) -> None:
    """Every call is written down, and only its own purpose is stopped, before it would go over."""
    async with awake(tmp_path) as pet:
        caps = Caps(per_purpose={Purpose.DIGEST: Cap(input=100), Purpose.TURN: Cap(output=100)})
        metered = metered_on(pet.storage, pet.model, caps)
        spent = ModelReply(text="x", calls=(), usage=Usage(input=70, output=50), model="m")
        said = UserMessage(text="quelques mots", speaker="")
        digest = ModelRequest(
            system="", messages=(said,), tools=(), purpose=Purpose.DIGEST, max_tokens=50
        )
        turn = replace(digest, purpose=Purpose.TURN)
        pet.model.will(replace(spent, usage=Usage(input=20)), spent, spent, spent)
        await metered.complete(digest)
        await metered.complete(digest)
        with pytest.raises(BudgetExhausted, match="digest"):
            await metered.complete(digest)
        await metered.complete(turn)
        await metered.complete(turn)
        with pytest.raises(BudgetExhausted, match="turn"):
            await metered.complete(turn)
        assert await pet.storage.count("llm_usage", "purpose = 'digest'") == 2


async def test_a_call_that_is_given_up_is_written_down_with_what_it_sent(tmp_path: Path) -> None:
    """The service was asked and is paid; so the caps count it too."""
    async with awake(tmp_path) as pet:
        await pet.storage.remember.store(statement("Mickael habite à Athènes"))
        pet.model.gate.clear()
        await pet.hears("où habite Mickael ?")
        pet.lets_quiet_pass()
        await pet.model.thinking.wait()
        pet.model.thinking.clear()
        await pet.hears("et Léa ?")
        pet.lets_quiet_pass()
        await pet.model.thinking.wait()
        pet.model.gate.set()
        await pet.answers()
        given_up, answered = await pet.storage.database.all(
            "SELECT outcome, input_tokens FROM llm_usage ORDER BY id"
        )
        first = said_in(pet.model.requests[0])
        assert "Athènes" in first.injection
        sent = tokens_said(pet.model.requests[0])
        assert tuple(given_up) == ("cancelled", sent)
        assert answered["outcome"] == "tools"


async def test_a_full_disk_does_not_keep_a_call_from_being_given_up(tmp_path: Path) -> None:
    """It costs the line in the ledger; the turn begins again all the same."""

    async def full(_call: ModelCall) -> None:
        raise StorageFailed("The disk is full.")

    async with awake(tmp_path) as pet:
        pet.model.gate.clear()
        await pet.hears("une question pour voir")
        metered = metered_on(pet.storage, pet.model)
        pet.storage.ledger.record = full  # type: ignore[method-assign, assignment]
        request = ModelRequest(system="", messages=(), tools=(), purpose=Purpose.TURN, max_tokens=1)
        calling = asyncio.ensure_future(metered.complete(request))
        await pet.model.thinking.wait()
        calling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await calling


async def test_words_of_a_failing_model_are_written_down_as_a_failure(tmp_path: Path) -> None:
    """The ledger says what went wrong, and that it cost nothing known."""
    async with awake(tmp_path) as pet:
        pet.model.will(ModelUnavailable("away"))
        await pet.asked("une question pour voir")
        (row,) = await pet.storage.database.all("SELECT outcome, input_tokens FROM llm_usage")
        assert tuple(row) == ("ModelUnavailable", 0)


async def test_what_is_said_while_it_stops_is_answered_after_the_next_start(
    tmp_path: Path,
) -> None:
    """Where people go on talking it would never end; what was said before is answered."""
    async with awake(tmp_path) as pet:
        await pet.hears("bonjour, toi")
        pet.conversations.close()
        await pet.hears("tu es encore là ?", LEA)
        assert await pet.answers() == ["d'accord"]
    async with awake(tmp_path) as pet:
        assert await pet.inbox.resume() == 1
        await pet.answers()
        assert pet.model.last.text == "tu es encore là ?"
