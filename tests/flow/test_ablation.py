"""An ablation asks recall itself: with nothing off it finds what the pet finds."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.evaluation.locomo import read_locomo
from benchmarks.evaluation.runner import QuestionRunner
from benchmarks.evaluation.trial_store import trial, trial_settings
from benchmarks.fit_ranking import fitted, means, pooled
from benchmarks.heard_talks import Choice
from benchmarks.marking import marked
from benchmarks.replay import Replay
from benchmarks.talk_sets import TalkSet
from benchmarks.variants import WHOLE, Variant, variants
from bot.wiring import settings as rule_factories
from config.settings import Settings
from memory.retrieval.weights import Weights

FILE = Path(__file__).parents[1] / "data" / "lighthouse.json"


def unheard(_doing: str, _done: int, _total: int) -> None:
    """Nobody watches the progress."""


async def test_the_whole_is_what_the_pet_recalls() -> None:
    """Row by row, with the same worth; what is found by words only goes without similarities."""
    inside = trial_settings(Settings(), "offline", None)
    wordless = Variant(name="no vectors", without=("_vector",))
    async with trial(inside, read_locomo(FILE), unheard, facts=True) as tried:
        (place,) = tried.places
        tried.clock.at = place.asked_at
        replay = Replay(tried.app, [WHOLE, wordless])
        runner = QuestionRunner(tried.app, rule_factories.recall_rules(inside).wording)
        for one in place.conversation.asked:
            asked = await runner.question(place, one.text)
            found = await replay.of(asked)
            assert found[WHOLE.name] == await tried.app.services.recall.ranked(asked)
            assert any(row.similarity is not None for row in found[WHOLE.name])
            assert all(row.similarity is None for row in found["no vectors"])


async def test_every_question_is_marked_for_every_variant(tmp_path: Path) -> None:
    """Words alone find some of it, and the whole more."""
    shutil.copy(FILE, tmp_path / "locomo.json")
    heard = TalkSet(name="Talk", kind="LoCoMo", pattern="locomo.json", facts=True)
    choice = Choice(folder=tmp_path, sets=(heard,), only=("LoCoMo",), embedder="none")
    compared = variants()
    found = [one async for one in marked(choice, compared)]
    assert [one.part for one in found] == ["Talk"] * 6
    assert all(one.scores.keys() == {variant.name for variant in compared} for one in found)
    recall = {
        name: sum(one.scores[name]["recall@10"] for one in found)
        for name in (WHOLE.name, "nothing but words")
    }
    assert 0 < recall["nothing but words"] < recall[WHOLE.name]


async def test_what_is_pooled_for_the_fit_is_ordered_as_recall_orders_it(tmp_path: Path) -> None:
    """By the weights as they are; without any of them less of the evidence comes first."""
    shutil.copy(FILE, tmp_path / "locomo.json")
    heard = TalkSet(name="Talk", kind="LoCoMo", pattern="locomo.json")
    choice = Choice(folder=tmp_path, sets=(heard,), only=("LoCoMo",))
    found = [one async for one in marked(choice, [WHOLE])]
    recall = [one.scores[WHOLE.name]["recall@10"] for one in found]
    pools = await pooled(choice)
    assert [one.recall(Weights()) for one in pools["LoCoMo"]] == pytest.approx(recall)
    blind = replace(Weights(), after=(), before=(), named=0.0, proper=0.0, period=0.0)
    regained = fitted(pools, replace(blind, named=0.01))
    assert means(pools, regained)["LoCoMo"] >= means(pools, blind)["LoCoMo"]
