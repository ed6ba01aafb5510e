"""A day's budget: held under concurrency, over restarts and for all; past it memory answers."""

import asyncio
from asyncio import FIRST_COMPLETED
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.agent.budget import Allowance, BudgetLine, Cap, CapReached, Caps
from bot.agent.circuit_breaker import BreakerRules
from bot.agent.daily_budget import FREELY_NAMED
from bot.agent.metering import MeteredModel
from bot.agent.prices import Price, PriceList, Rates
from bot.errors import BudgetExhausted, ModelUnavailable
from bot.model.requests import ModelReply, ModelRequest, Purpose, Usage, UserMessage
from memory.model.notices import NoticeKind
from memory.model.people import PersonId
from memory.model.rooms import HOME, SpaceId
from memory.storage.sqlite.database import Transaction
from observers.errors import ExtractorUnavailable
from tests.flow.extractors import by_model
from tests.flow.learning import fact, learnt, records
from tests.flow.pet import ScriptedModel, awake, calls, responds
from tests.metered import budget_on, metered_on
from tests.notices import NotedNotices
from tests.patience import PATIENCE_S
from tests.storage import StorageParts, open_truth, statement

SPENT = ModelReply(text="x", calls=(), usage=Usage(input=90, output=10), model="scripted")


@pytest.fixture
async def storage(tmp_path: Path) -> AsyncIterator[StorageParts]:
    """Empty tables."""
    async with open_truth(tmp_path) as opened:
        yield opened


def request(text: str = "m" * 320, **fields: Any) -> ModelRequest:
    """A first call that is taken for about ninety tokens, and may receive ten."""
    given: dict[str, Any] = {"purpose": Purpose.TURN, "max_tokens": 10, **fields}
    return ModelRequest(
        system="", messages=(UserMessage(text=text, speaker=""),), tools=(), **given
    )


async def test_calls_under_way_count_against_every_cap(storage: StorageParts) -> None:
    """Twelve at once of a hundred tokens each, where a thousand are left for a day."""
    model = ScriptedModel()
    model.gate.clear()
    model.will(*[SPENT] * 12)
    metered = metered_on(storage, model, Caps(day=Cap(tokens=1000)))
    asked = [asyncio.create_task(metered.complete(request())) for _ in range(12)]
    refused, _ = await asyncio.wait(asked, timeout=PATIENCE_S, return_when=FIRST_COMPLETED)
    model.gate.set()
    came = await asyncio.gather(*asked, return_exceptions=True)
    assert sum(isinstance(one, BudgetExhausted) for one in came) == 2
    assert all(isinstance(one.exception(), BudgetExhausted) for one in refused)
    (row,) = await storage.database.all(
        "SELECT sum(input_tokens + output_tokens) AS n FROM llm_usage"
    )
    assert row["n"] == 1000


async def test_a_call_that_fails_gives_back_what_was_kept_for_it(storage: StorageParts) -> None:
    """One that is cancelled was sent, and is counted."""
    model = ScriptedModel()
    metered = metered_on(storage, model, Caps(day=Cap(tokens=150)))
    model.will(ModelUnavailable("away"), SPENT)
    with pytest.raises(ModelUnavailable):
        await metered.complete(request())
    await metered.complete(request())
    with pytest.raises(BudgetExhausted):
        await metered.complete(request())


async def test_a_server_that_counts_nothing_is_counted_by_estimate(storage: StorageParts) -> None:
    """Also over a restart; otherwise a local model had no limit at all."""
    model, caps = ScriptedModel(), Caps(day=Cap(tokens=200))
    model.will(*[replace(SPENT, usage=Usage())] * 2)
    metered = metered_on(storage, model, caps)
    await metered.complete(request())
    await metered.complete(request())
    for one in (metered, metered_on(storage, model, caps)):
        with pytest.raises(BudgetExhausted):
            await one.complete(request())


async def test_a_call_that_was_taken_for_too_little_makes_the_next_ones_wary(
    storage: StorageParts,
) -> None:
    """A tokenizer that counts twice as much is learnt by its first answer."""
    model = ScriptedModel()
    model.will(*[replace(SPENT, usage=Usage(input=180, output=10))] * 9)
    metered = metered_on(storage, model, Caps(day=Cap(tokens=1000)))
    for _ in range(5):
        await metered.complete(request())
    with pytest.raises(BudgetExhausted):
        await metered.complete(request())


def priced(rate: float) -> PriceList:
    """A list on which the scripted model costs so many dollars for a million tokens of any kind."""
    rates = Rates(input=rate, output=rate, cache_read=rate, cache_write=rate)
    return PriceList(models={"scripted": Price(rates=rates)})


async def test_money_is_capped_and_kept_with_each_call(storage: StorageParts) -> None:
    """A hundred tokens at ten dollars a million are a thousandth of a dollar."""
    model, cent = ScriptedModel(), 10_000_000
    model.will(*[SPENT] * 12)
    caps = Caps(day=Cap(cost=cent), prices=priced(10))
    metered = metered_on(storage, model, caps)
    for _ in range(9):
        await metered.complete(request())
    for one in (metered, metered_on(storage, model, caps)):
        with pytest.raises(BudgetExhausted, match=r"Today's dollars are used up\."):
            await one.complete(request("m" * 1000))
    (row,) = await storage.database.all("SELECT sum(cost) AS n FROM llm_usage")
    assert row["n"] == 9_000_000


async def test_a_model_without_a_known_price_is_counted_in_tokens_only(
    storage: StorageParts,
) -> None:
    """The money that is left stays as it is."""
    model = ScriptedModel()
    model.will(*[SPENT] * 3)
    budget = budget_on(storage, Caps(day=Cap(cost=1, tokens=250)))
    metered = MeteredModel(model, storage.ledger, budget)
    await metered.complete(request())
    await metered.complete(request())
    with pytest.raises(BudgetExhausted, match="tokens"):
        await metered.complete(request())
    day = (await budget.standings())[0]
    assert (day.used.cost, day.used.tokens) == (0, 200)


async def known(storage: StorageParts, platform: str, name: str) -> PersonId:
    """Who an account belongs to, met now if need be."""
    return (await storage.people.person(platform, name, name)).id


async def test_new_names_share_one_allowance_and_known_ones_have_their_own(
    storage: StorageParts,
) -> None:
    """On the page and the terminal, where one visitor can have twelve names in a minute."""
    model = ScriptedModel()
    model.will(*[SPENT] * 20)
    old = await known(storage, "web", "old")
    storage.clock.advance(timedelta(days=2))
    new = [await known(storage, one, f"new {one}") for one in ("web", "console")]
    there = await known(storage, "discord", "1")
    caps = Caps(person=Cap(answers=2), newcomers=Cap(answers=2))
    metered = metered_on(storage, model, caps)
    for person in new:
        await metered.complete(request(person=person))
    with pytest.raises(BudgetExhausted, match="names that are new"):
        await metered.complete(request(person=await known(storage, "console", "third")))
    for person in (old, there, old, there):
        await metered.complete(request(person=person))
    with pytest.raises(BudgetExhausted, match="This person"):
        await metered.complete(request(person=there))


async def test_two_new_names_that_are_joined_are_still_new(storage: StorageParts) -> None:
    """Joined with an account elsewhere, or with an old one, they are known."""
    since = storage.clock.now() + timedelta(days=1)
    first, second = [await known(storage, "web", name) for name in ("first", "second")]
    there = await known(storage, "discord", "1")
    await joined(storage, second, first)
    storage.clock.advance(timedelta(days=2))
    late = await known(storage, "console", "late")
    assert await storage.people.is_new(late, since, FREELY_NAMED)
    assert await storage.people.is_new(first, since - timedelta(days=3), FREELY_NAMED)
    assert not await storage.people.is_new(second, since, FREELY_NAMED)
    assert not await storage.people.is_new(there, since - timedelta(days=3), FREELY_NAMED)
    await joined(storage, first, late)
    assert not await storage.people.is_new(late, since, FREELY_NAMED)


async def joined(storage: StorageParts, one: PersonId, other: PersonId) -> None:
    """Make one person part of another, as joining accounts leaves them."""

    async def work(transaction: Transaction) -> None:
        values = {"one": one, "other": other}
        await transaction.run("UPDATE people SET merged_into = :other WHERE id = :one", values)
        await transaction.run(
            "UPDATE identities SET person_id = :other WHERE person_id = :one", values
        )

    await storage.database.write(work)


async def test_a_community_cannot_use_up_what_others_are_answered_with(
    storage: StorageParts,
) -> None:
    """Learning is nobody's in particular, and is capped by its purpose."""
    model = ScriptedModel()
    model.will(*[SPENT] * 9)
    metered = metered_on(storage, model, Caps(community=Cap(tokens=150)))
    busy = SpaceId("discord:1")
    await metered.complete(request(space=busy))
    with pytest.raises(BudgetExhausted, match="community"):
        await metered.complete(request(space=busy))
    await metered.complete(request(space=HOME))
    await metered.complete(request(space=busy, purpose=Purpose.DIGEST))


async def test_the_owner_is_warned_at_four_fifths_and_at_the_end(storage: StorageParts) -> None:
    """Once each, naming what it is about."""
    model, notices = ScriptedModel(), NotedNotices()
    model.will(*[SPENT] * 9)
    metered = metered_on(storage, model, Caps(day=Cap(tokens=500)), notices)
    for _ in range(3):
        await metered.complete(request())
    assert notices.told == []
    await metered.complete(request())
    assert notices.of(NoticeKind.BUDGET_LOW) == [("day", "")]
    with pytest.raises(BudgetExhausted):
        await metered.complete(request("m" * 700))
    assert notices.of(NoticeKind.BUDGET_SPENT) == [("day", "Today's tokens are used up.")]


async def test_what_was_used_is_known_after_a_restart_and_forgotten_at_midnight(
    storage: StorageParts,
) -> None:
    """It stands in the ledger, not in the process."""
    model, caps = ScriptedModel(), Caps(day=Cap(tokens=150))
    model.will(*[SPENT] * 9)
    await metered_on(storage, model, caps).complete(request())
    again = metered_on(storage, model, caps)
    with pytest.raises(BudgetExhausted):
        await again.complete(request())
    storage.clock.advance(timedelta(hours=12))
    await again.complete(request())


AT_THE_CAP = Caps(day=Cap(tokens=0))


async def test_past_the_cap_answers_come_from_memory_with_one_honest_sentence(
    tmp_path: Path,
) -> None:
    """In the language of the question; no call is made, and what is stored is found."""
    async with awake(tmp_path, caps=AT_THE_CAP) as pet:
        await pet.storage.remember.store(statement("Tom habite à Lyon"))
        for question in ("où habite Tom ?", "Where does Tom live?"):
            await pet.hears(question)
            await pet.answers()
        french, english = pet.channel.texts
        assert french.startswith("J'ai épuisé ce que je peux dépenser pour réfléchir aujourd'hui")
        assert english.startswith("I have used up what I may spend on thinking today")
        assert all("Lyon" in one for one in (french, english))
        assert pet.model.requests == []
        assert await pet.storage.count("turns", "error IS NOT NULL") == 0


async def test_what_a_model_had_stored_before_the_cap_is_not_stored_by_rules_again(
    tmp_path: Path,
) -> None:
    """The budget may end between two rounds of one answer."""
    async with awake(tmp_path) as pet:
        stored = calls(("store_memory", {"content": "David a adopté un chat nommé Plume"}))
        pet.model.will(stored, CapReached(BudgetLine(Allowance.DAY), "tokens"))
        await pet.asked("j'ai adopté un chat, il s'appelle Plume")
        assert await learnt(pet) == ["David a adopté un chat nommé Plume"]
        assert pet.channel.texts[0].startswith("J'ai épuisé")


async def test_at_the_cap_learning_waits_and_nothing_is_lost(tmp_path: Path) -> None:
    """Not a call is made for it until midnight; then it reads what was said at the cap too."""
    caps = Caps(per_purpose={Purpose.EXTRACTION: Cap(tokens=0)})
    async with awake(tmp_path, caps=caps, extractor=by_model) as pet:
        await pet.asked("j'adore le jazz manouche")
        for _ in range(3):
            with pytest.raises(ExtractorUnavailable):
                await pet.learns()
        assert [one.purpose for one in pet.model.requests] == [Purpose.TURN]
        assert await pet.storage.count("extraction_spans", "attempts > 0") == 0
    async with awake(tmp_path, clock=pet.storage.clock, extractor=by_model) as pet:
        pet.model.will(records(fact("David adore le jazz manouche")))
        assert (await pet.learns()).facts == 1


async def test_turns_that_failed_cost_no_call_for_their_facts(tmp_path: Path) -> None:
    """Nine that rules answer cost three calls, rules learn, and they are read later."""
    async with awake(tmp_path, extractor=by_model) as pet:
        pet.model.will(*[ModelUnavailable("away")] * 3)
        liked = "rugby thé vélo judo tennis piano foot basket handball"
        for one in liked.split():
            await pet.asked(f"j'adore le {one}")
        pet.model.will(*[records()] * 3)
        await pet.learns()
        tried = [*[Purpose.TURN] * 3, *[Purpose.EXTRACTION] * 3]
        assert [one.purpose for one in pet.model.requests] == tried
        assert len(await learnt(pet)) == 9
        pet.model.will(ModelUnavailable("away"), responds("Super !"))
        for text in ("j'adore le thé", "tu es là ?"):
            pet.storage.clock.advance(BreakerRules().longest_pause)
            await pet.asked(text)
        pet.model.will(records(fact("David adore le thé")))
        await pet.learns()
        assert [one.purpose for one in pet.model.requests[6:]] == [
            *[Purpose.TURN] * 2,
            Purpose.EXTRACTION,
        ]
        assert sum("adore le thé" in one for one in await learnt(pet)) == 1


async def test_an_idle_pet_makes_no_call(tmp_path: Path) -> None:
    """However long nothing is said."""
    async with awake(tmp_path, extractor=by_model) as pet:
        for _ in range(3):
            await pet.learns()
            await pet.falls_silent(timedelta(hours=8))
        assert pet.model.requests == []
        assert await pet.storage.count("llm_usage") == 0


async def test_a_call_is_expected_to_cost_what_the_ones_before_were_counted_as(
    storage: StorageParts,
) -> None:
    """A provider that counts three tokens where one was estimated leaves room for fewer calls."""
    counted = replace(SPENT, usage=Usage(input=280, output=10))
    model = ScriptedModel()
    model.will(counted)
    metered = metered_on(storage, model, Caps(day=Cap(tokens=550)))
    await metered.complete(request())
    with pytest.raises(BudgetExhausted):  # 290 were taken, and 290 more do not fit
        await metered.complete(request())
    assert len(model.requests) == 1
