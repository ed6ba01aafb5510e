"""An ablation asks recall itself: with nothing off it finds what the pet finds."""

from pathlib import Path

from benchmarks import marking
from benchmarks.replay import Replay
from benchmarks.variants import WHOLE, Variant, variants
from bot.evaluation.locomo import read_locomo
from bot.evaluation.runner import QuestionRunner
from bot.evaluation.trial_store import trial, trial_settings
from bot.wiring import settings as rule_factories
from config.settings import Settings

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


async def test_every_question_is_marked_for_every_variant() -> None:
    """Words alone find some of it, and the whole more."""
    compared = variants()
    marked = await marking.locomo(read_locomo(FILE), "none", compared, unheard, facts=True)
    assert [one.part for one in marked] == ["1"] * 6
    assert all(one.scores.keys() == {variant.name for variant in compared} for one in marked)
    found = {
        name: sum(one.scores[name]["recall@10"] for one in marked)
        for name in (WHOLE.name, "nothing but words")
    }
    assert 0 < found["nothing but words"] < found[WHOLE.name]
