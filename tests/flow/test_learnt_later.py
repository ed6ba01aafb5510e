"""What was said while the model was away is learnt when it is back: in order, each talk once."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.agent.budget import Cap, Caps
from bot.errors import BotError, ModelAccessDenied, ModelRefused, ModelUnavailable
from bot.model.events import AuthorRef
from bot.model.requests import ModelReply, Purpose, Usage
from bot.surfaces.operations import Operations
from bot.wiring.app import open_app
from config.sections.conversation import CoalescingSettings
from config.sections.learning import ExtractionSettings
from config.sections.model import ModelSettings
from config.sections.vectors import EmbedderSettings
from config.settings import Settings
from memory.clock import FrozenClock
from observers.conversation_facts import FIRST_REST, LATER_TRIES, MADE_UP_FOR
from observers.errors import ExtractorUnavailable
from tests.cast import DAVID, LEA, NOON, author, direct
from tests.flow.extractors import EXTRACTION, by_model
from tests.flow.learning import fact, learnt, records
from tests.flow.pet import Pet, awake
from tests.flow.test_changed_minds import offline

TALKS = ((DAVID, "jazz"), (LEA, "judo"), (author("Tom"), "thé"))
FACTS = [f"{who.name} adore le {liked}" for who, liked in TALKS]
DAY = timedelta(days=1)


async def talks(pet: Pet) -> None:
    """Three people tell the pet what they like, one after the other."""
    for who, liked in TALKS:
        await pet.asked(f"j'adore le {liked}", who, direct(who))
        pet.storage.clock.advance(timedelta(seconds=1))


def read(position: int, tokens: int = 0) -> ModelReply:
    """What the model finds in the talk of one of them."""
    who, _ = TALKS[position]
    found = fact(FACTS[position], speaker=who.name, subjects=[who.name])
    return replace(records(found), usage=Usage(input=tokens, output=0))


async def answered(pet: Pet, text: str, who: AuthorRef) -> None:
    """Say one thing in private and have it answered."""
    await pet.hears(text, who, direct(who))
    await pet.answers()


def extractions(pet: Pet) -> int:
    """How often the model was asked to read a talk."""
    return sum(one.purpose is Purpose.EXTRACTION for one in pet.model.requests)


@pytest.mark.parametrize("away", [ModelUnavailable("cut"), ModelAccessDenied("no such key")])
async def test_a_model_that_comes_back_reads_all_talks_in_order(
    tmp_path: Path, away: BotError
) -> None:
    """It fails, the pet is killed, it fails again, and works in the middle of a pass."""
    async with awake(tmp_path, extractor=by_model) as pet:
        await talks(pet)
        for _ in range(2):
            pet.model.will(away)
            with pytest.raises(ExtractorUnavailable):
                await pet.learns()
        assert extractions(pet) == 2
    async with awake(tmp_path, clock=pet.storage.clock, extractor=by_model) as pet:
        pet.model.will(read(0), away)
        with pytest.raises(ExtractorUnavailable):
            await pet.learns()
        assert await learnt(pet) == FACTS[:1]
    async with awake(tmp_path, clock=pet.storage.clock, extractor=by_model) as pet:
        pet.model.will(read(1), read(2))
        assert (await pet.learns()).spans == 2
        assert await learnt(pet) == FACTS
        assert (await pet.learns()).spans == 0
        assert extractions(pet) == 2
        assert await pet.storage.count("extraction_spans", "attempts > 0") == 0


async def test_at_a_cap_the_rest_is_read_the_next_day(tmp_path: Path) -> None:
    """Not a call is made for it before, nor after a restart that day; then within the cap."""
    caps = Caps(per_purpose={Purpose.EXTRACTION: Cap(tokens=9000)})
    async with awake(tmp_path, caps=caps, extractor=by_model) as pet:
        await talks(pet)
        pet.model.will(read(0, tokens=6000))
        with pytest.raises(ExtractorUnavailable):
            await pet.learns()
        assert (await learnt(pet), extractions(pet)) == (FACTS[:1], 1)
    async with awake(tmp_path, clock=pet.storage.clock, caps=caps, extractor=by_model) as pet:
        with pytest.raises(ExtractorUnavailable):
            await pet.learns()
        assert extractions(pet) == 0
        pet.storage.clock.advance(DAY)
        pet.model.will(read(1, tokens=6000))
        with pytest.raises(ExtractorUnavailable):
            await pet.learns()
        assert (await learnt(pet), extractions(pet)) == (FACTS[:2], 1)
        pet.storage.clock.advance(DAY)
        pet.model.will(read(2))
        await pet.learns()
        assert (await learnt(pet), extractions(pet)) == (FACTS, 2)


async def fails_for_good(pet: Pet) -> None:
    """The model answers nothing usable as often as it is asked in a row."""
    pet.model.will(*[ModelRefused("Not this.")] * EXTRACTION.attempts)
    await pet.learns()
    pet.storage.clock.advance(FIRST_REST)
    assert (await pet.facts.read_due()).quarantined == 1


async def test_what_was_set_aside_is_tried_again_the_next_day(tmp_path: Path) -> None:
    """What answered nonsense for an hour is mended then; that day it is left alone."""
    async with awake(tmp_path, extractor=by_model) as pet:
        await pet.asked("j'adore le jazz", DAVID, direct(DAVID))
        await fails_for_good(pet)
        assert (await pet.learns()).spans == 0
        pet.storage.clock.advance(DAY)
        pet.model.will(read(0))
        assert (await pet.learns()).facts == 1
        assert await learnt(pet) == FACTS[:1]


async def test_what_no_model_can_read_is_not_paid_for_for_ever(tmp_path: Path) -> None:
    """One try a day for a few days; other talks are read all the same, also after a restart."""
    async with awake(tmp_path, extractor=by_model) as pet:
        await pet.asked("j'adore le jazz", DAVID, direct(DAVID))
        await fails_for_good(pet)
        clock = pet.storage.clock
    tried = 0
    for _ in range(2 * LATER_TRIES):
        clock.advance(DAY)
        async with awake(tmp_path, clock=clock, extractor=by_model) as pet:
            pet.model.will(ModelRefused("Not this."))
            await pet.learns()
            await pet.learns()
            tried += extractions(pet)
    assert tried == LATER_TRIES
    async with awake(tmp_path, clock=clock, extractor=by_model) as pet:
        await pet.asked("j'adore le judo", LEA, direct(LEA))
        pet.model.will(read(1))
        assert (await pet.learns()).facts == 1


async def test_a_model_reads_once_what_rules_read_while_there_was_none(tmp_path: Path) -> None:
    """What rules kept is not doubled; what is older than a while is left as they read it."""
    clock = FrozenClock(NOON)
    async with awake(tmp_path, model=offline(clock), clock=clock) as pet:
        await pet.facts.begin(by_rules=True)
        await answered(pet, "j'adore le tennis", LEA)
        await pet.learns()
        clock.advance(MADE_UP_FOR)
        await pet.facts.begin(by_rules=True)  # as at each start
        await answered(pet, "j'adore le jazz", DAVID)
        await pet.learns()
        before = await learnt(pet)
        assert any("jazz" in one for one in before)
    async with awake(tmp_path, clock=clock, extractor=by_model) as pet:
        await pet.facts.begin(by_rules=False)
        more = fact("David joue du jazz le mardi")
        pet.model.will(records(fact("David adore le jazz"), more))
        assert (await pet.learns()).facts == 1
        assert extractions(pet) == 1
        assert "tennis" not in str(pet.model.requests)
        assert await learnt(pet) == [*before, "David joue du jazz le mardi"]
    async with awake(tmp_path, clock=clock, extractor=by_model) as pet:
        await pet.facts.begin(by_rules=False)
        assert (await pet.learns()).spans == 0


async def test_a_pet_that_is_given_a_key_has_its_talks_read_again(tmp_path: Path) -> None:
    """It starts without one; what it was told since waits for the model."""
    given = Settings(
        data_dir=tmp_path,
        embedder=EmbedderSettings(kind="none"),
        coalescing=CoalescingSettings(debounce_s=0, max_wait_s=0),
        extraction=ExtractionSettings(enabled=False),
    )
    async with open_app(given, resuming=True) as app:
        asking = {"text": "j'habite à Lyon", "name": "David"}
        assert [event async for event in Operations(app).call("ask", asking)]
        await app.storage.database.run("UPDATE sessions SET ended_at = last_at")
        assert (await app.services.conversation_facts.read_due()).spans == 1
        assert await app.storage.extractions.unread() == []
    keyed = given.model_copy(update={"model": ModelSettings(base_url="http://127.0.0.1:9")})
    for _ in range(2):
        async with open_app(keyed, resuming=True) as app:
            assert len(await app.storage.extractions.unread()) == 1
