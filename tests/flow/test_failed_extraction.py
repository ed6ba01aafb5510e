"""Extraction under failures: nothing is lost, doubled or blamed, and the task lives on."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from bot.errors import ModelRefused, ModelUnavailable
from bot.llm.offline.extraction import RuleExtractor
from bot.surfaces.operations import Operations
from bot.wiring.app import open_app
from config.sections.conversation import CoalescingSettings
from config.sections.learning import ExtractionSettings
from config.sections.vectors import EmbedderSettings
from config.settings import Settings
from memory.model.audience import OPERATOR
from memory.model.errors import StorageFailed
from memory.storage.conversations.extractions import Extractions
from memory.tasks import background_task
from observers.conversation_facts import FIRST_REST, ExtractionReport
from observers.errors import ExtractorUnavailable
from observers.ports import Chunk, Fact
from tests.cast import LEA
from tests.flow.extractors import EXTRACTION, by_model
from tests.flow.learning import fact, learnt, listed, records
from tests.flow.pet import awake
from tests.patience import PATIENCE_S


async def test_a_model_that_is_away_is_waited_for_and_nothing_is_blamed(tmp_path: Path) -> None:
    """What was read stays read; the rest is read when it is back."""
    async with awake(tmp_path, extractor=by_model) as pet:
        for word in ("rugby", "thé", "vélo", "judo"):
            await pet.asked(f"j'adore le {word}")
        away = ModelUnavailable("It is away.")
        pet.model.will(records(fact("David adore le jazz")), away)
        with pytest.raises(ExtractorUnavailable):
            await pet.learns()
        assert await learnt(pet) == ["David adore le jazz"]
        assert await pet.storage.count("extraction_spans", "attempts > 0") == 0
        pet.model.will(records(fact("David adore le ski")))
        assert (await pet.learns()).spans == 1
        assert await learnt(pet) == ["David adore le jazz", "David adore le ski"]


async def test_a_stretch_that_cannot_be_read_is_set_aside_and_the_rest_goes_on(
    tmp_path: Path,
) -> None:
    """After its tries; released, it is read like any other."""
    async with awake(tmp_path, extractor=by_model) as pet:
        for word in ("rugby", "thé", "vélo", "judo"):
            await pet.asked(f"j'adore le {word}")
        refused = ModelRefused("Not this.")
        pet.model.will(refused, refused, records(fact("David adore le ski")))
        report = await pet.learns()
        assert (report.spans, report.next_at) == (0, pet.storage.clock.now() + FIRST_REST)
        assert (await pet.facts.read_due()).spans == 0
        pet.storage.clock.advance(FIRST_REST)
        report = await pet.facts.read_due()
        assert (report.spans, report.quarantined, report.facts) == (2, 1, 1)
        assert (await pet.learns()).spans == 0
        assert await pet.storage.extractions.release() == 1
        pet.model.will(records(fact("David adore le jazz")))
        assert (await pet.facts.read_due()).facts == 1
        assert await learnt(pet) == ["David adore le ski", "David adore le jazz"]


class Stumbling(RuleExtractor):
    """Has a fault that one word brings out."""

    async def extract(self, chunk: Chunk) -> Sequence[Fact]:
        """What the rules find."""
        if any("jazz" in line.text for line in chunk.lines):
            raise ValueError("jazz")
        return await super().extract(chunk)


async def test_a_fault_at_one_conversation_keeps_no_other_from_being_read(tmp_path: Path) -> None:
    """It is set aside after its tries, with the kind of fault and none of its words."""
    async with awake(tmp_path, extractor=lambda _model: Stumbling()) as pet:
        await pet.asked("j'adore le jazz")
        await pet.asked("j'adore le judo", LEA)
        report = await pet.learns()
        assert (report.spans, report.quarantined, report.facts) == (1, 0, 1)
        pet.storage.clock.advance(FIRST_REST)
        report = await pet.facts.read_due()
        assert (report.spans, report.quarantined, report.facts) == (1, 1, 0)
        assert await learnt(pet) == ["Léa: j'adore le judo"]
        assert await pet.storage.count("extraction_spans", "error = 'ValueError'") == 1
        assert (await pet.learns()).spans == 0


async def test_what_was_set_aside_is_taken_up_by_a_digest_that_retries(tmp_path: Path) -> None:
    """`eko digest --retry` lets it be read again, by rules here."""
    settings = Settings(
        data_dir=tmp_path,
        embedder=EmbedderSettings(kind="none"),
        coalescing=CoalescingSettings(debounce_s=0, max_wait_s=0),
        extraction=ExtractionSettings(idle_s=3600),
    )
    async with open_app(settings) as app:
        operations = Operations(app)
        asking = {"text": "j'habite à Lyon", "name": "David"}
        assert [event async for event in operations.call("ask", asking)]
        (unread,) = await app.storage.extractions.unread()
        span = await app.storage.extractions.claim(unread.session, turns=1, chars=100)
        assert span is not None
        assert await app.storage.extractions.failed(span, "nonsense", 1)
        assert await app.storage.extractions.unread() == []
        assert [event async for event in operations.call("digest", {"retry": True})]
        await app.services.conversation_facts.read_due()
        assert await app.storage.extractions.unread() == []
        (fact,) = await app.storage.core_facts.listed(OPERATOR)
        assert (fact.key, fact.value) == ("city", "Lyon")


STEPS = ("unread", "claim", "turns", "before", "store")


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("occurrence", [1, 2])
@pytest.mark.parametrize("step", STEPS)
async def test_a_failure_at_any_step_loses_nothing_and_doubles_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, occurrence: int, when: str
) -> None:
    """As a crash just before or just after each write: the next pass ends at the same place."""
    words = ("rugby", "thé", "vélo", "judo")
    async with awake(tmp_path) as pet:
        for word in words:
            await pet.asked(f"j'adore le {word}")
        real: Callable[..., Awaitable[Any]] = getattr(pet.storage.extractions, step)
        calls = 0

        async def failing(*arguments: Any, **named: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls == occurrence and when == "before":
                raise StorageFailed("The disk is full.")
            result = await real(*arguments, **named)
            if calls == occurrence:
                raise StorageFailed("The disk is full.")
            return result

        monkeypatch.setattr(pet.storage.extractions, step, failing)
        with suppress(StorageFailed):
            await pet.learns()
        monkeypatch.undo()
        await pet.learns()
        assert await learnt(pet) == [f"David: j'adore le {word}" for word in words]
        assert await pet.storage.count("memories") == len(words)
        assert await pet.storage.count("extraction_spans", "state <> 'stored'") == 0


def test_no_step_is_left_out_of_that_test() -> None:
    """Every step of an extraction is among those that were made to fail, or says it failed."""
    methods = {name for name, one in vars(Extractions).items() if callable(one) and name[0] != "_"}
    others = {"failed", "release", "retry", "begin_by_rules", "begin_by_model"}
    assert methods == {*STEPS, *others}


async def test_a_pass_that_fails_is_followed_by_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is full for a moment: the task lives on, and a later turn wakes it."""
    async with awake(tmp_path) as pet:
        passes = listed(pet)
        real = pet.facts.read_due

        async def fails() -> ExtractionReport:
            monkeypatch.undo()
            passes.put_nowait(ExtractionReport(spans=-1))
            raise StorageFailed("The disk is full.")

        monkeypatch.setattr(pet.facts, "read_due", fails)
        async with background_task(pet.facts.run(), name="extraction"), asyncio.timeout(PATIENCE_S):
            await pet.asked("j'habite à Lyon")
            assert (await passes.get()).spans == -1
            monkeypatch.setattr(pet.facts, "read_due", real)
            pet.storage.clock.advance(EXTRACTION.idle)
            pet.facts.wake()
            assert (await passes.get()).facts == 1
