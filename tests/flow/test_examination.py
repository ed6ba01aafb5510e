"""`eko eval locomo` asks as it is told: by whom, when, of which store, and keeps what it saw."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from benchmarks.evaluation.examination import Manner, answered
from benchmarks.evaluation.locomo import read_locomo
from benchmarks.evaluation.rows import line_of, written_to
from benchmarks.evaluation.run import Figures, Setup, locomo, several
from benchmarks.evaluation.runner import Answered
from benchmarks.evaluation.trial_store import UNHURRIED_MS, trial_settings, unhurried_ms
from bot.errors import BotError
from config.sections.recall import RecallSettings
from config.settings import Settings

FILE = Path(__file__).parents[1] / "data" / "lighthouse.json"

GEESE = "Which animals live with Tomas?"

LENIENT = Settings(recall=RecallSettings(min_score=0))
"""Whatever fits into the block is injected: what recall is sure of is not tried here."""

LONG = "The ferry was late again and nobody on the quay could say why it was. " * 6


def unheard(_doing: str, _done: int, _total: int) -> None:
    """Nobody watches the progress."""


async def asked(
    file: Path = FILE, kinds: tuple[str, ...] = (), **how: Any
) -> tuple[Figures, dict[str, Answered]]:
    """The figures, and what came of each question by its text."""
    seen: dict[str, Answered] = {}
    setup = Setup(file=file, kinds=kinds, embedder="none", manner=Manner(**how))
    found = await locomo(
        LENIENT,
        setup,
        unheard,
        limit=None,
        qa=False,
        keep=lambda _, one: seen.update({one.asked.text: one}),
    )
    return found, seen


def variant(tmp_path: Path, **changes: Any) -> Path:
    """Our file with other questions, or with a conversation twice."""
    (talk,) = json.loads(FILE.read_text("utf-8"))
    talks = [talk | changes for _ in range(changes.pop("times", 1))]
    path = tmp_path / "variant.json"
    path.write_text(json.dumps(talks), "utf-8")
    return path


def covered(lines: Sequence[Any]) -> set[str]:
    """The turns that some lines stand for."""
    return {turn for line in lines for turn in line.covers}


async def test_the_model_reads_the_answer_or_it_does_not_count() -> None:
    """The figure is of all questions, and what it counts are the lines of the block."""
    found, seen = await asked()
    examined = [one.examined for one in seen.values()]
    assert found["answer_injected"] == pytest.approx(
        sum(one.is_answered for one in examined) / 6, abs=1e-4
    )
    for one in seen.values():
        assert all(line.text in one.block for line in one.examined.injection.lines)
    assert {text for text, one in seen.items() if one.examined.injection.is_span} == {
        "What instrument does Ines play?", "What broke in the storm?",
        "What did Ines bake for the harbour festival?", "Where does Ines want to study?",
    }  # fmt: skip
    assert seen["What broke in the storm?"].examined.is_answered


async def test_an_answer_that_is_not_in_the_line_was_not_injected(tmp_path: Path) -> None:
    """The row holds it and the line does not: so many unlike sentences around it do not fit."""
    talk = json.loads(FILE.read_text("utf-8"))[0]["conversation"]
    talk["session_1"][4]["text"] = f"I moved into the lighthouse. {LONG} My cook is Obed. {LONG}"
    asking = {"question": "When did Tomas move into the lighthouse?", "answer": "Obed"}
    file = variant(tmp_path, conversation=talk, qa=[asking | {"evidence": ["D1:5"], "category": 4}])
    found, seen = await asked(file)
    (one,) = seen.values()
    assert [line.covers for line in one.examined.evidence] == [frozenset({"D1:5"})]
    assert found["evidence_injected"] == 1.0
    assert found["answer_injected"] == 0.0
    assert (found["answer_in_lines"], found["questions_with_answer_in_rows"]) == (0.0, 1)


async def test_one_who_speaks_asks_as_themselves() -> None:
    """Under their name and account; a stranger has no account of these."""
    _, stranger = await asked()
    _, own = await asked(asked_by="Tomas")
    assert own[GEESE].retrieval.query == stranger[GEESE].retrieval.query
    assert own[GEESE].asker.speaker == "Tomas"
    assert own[GEESE].asker.person is not None
    assert stranger[GEESE].asker.person is None


async def test_a_name_that_does_not_speak_is_refused() -> None:
    """With those that do."""
    with pytest.raises(BotError, match="Ann says nothing in conversation 1: Ines and Tomas speak"):
        await asked(asked_by="Ann")


async def test_in_flow_only_what_was_said_before_is_found(tmp_path: Path) -> None:
    """Asked after the first session, the second is not there yet; afterwards it is."""
    question = {"question": GEESE, "answer": "", "category": 1}
    file = variant(tmp_path, qa=[question | {"evidence": ["D1:9", "D2:4"], "after": "D1:10"}])
    _, midway = await asked(file, in_flow=True)
    _, afterwards = await asked(file)
    assert midway[GEESE].asked.evidence == {"D1:9"}
    assert covered(midway[GEESE].examined.outcome.lines) <= {f"D1:{n}" for n in range(1, 11)}
    assert covered(afterwards[GEESE].examined.outcome.lines) & {f"D2:{n}" for n in range(1, 11)}
    assert midway[GEESE].place.asked_at < afterwards[GEESE].place.asked_at


async def test_in_flow_nothing_may_be_left_to_ask(tmp_path: Path) -> None:
    """A score of nothing would read as a bad one."""
    late = {"question": GEESE, "category": 1, "evidence": ["D2:4"], "after": "D1:1"}
    with pytest.raises(BotError, match="no evidence was said before"):
        await asked(variant(tmp_path, qa=[late]), in_flow=True)


@pytest.mark.parametrize("how", [{}, {"in_flow": True, "facts": True}])
async def test_every_question_is_asked_in_either_kind_of_store(
    tmp_path: Path, how: dict[str, Any]
) -> None:
    """Two conversations of one file do not mix: each is asked in its own room."""
    twice = variant(tmp_path, times=2)
    shared, _ = await asked(twice, **how)
    each, _ = await asked(twice, stores="each", **how)
    assert shared["n"] == each["n"] == 12
    assert (shared["stores"], each["stores"]) == ("shared", "each")
    alone, _ = await asked(FILE, **how)
    assert each["recall@10"] == alone["recall@10"]


async def test_only_some_kinds_are_asked() -> None:
    """By their names; one that no question has is refused with those there are."""
    found, _ = await asked(kinds=("temporal", "single-hop"))
    assert set(found["by_category"]) == {"temporal", "single-hop"}
    with pytest.raises(BotError, match="kind tempural: there are multi-hop, single-hop, temporal"):
        await asked(kinds=("tempural",))


async def test_several_files_have_a_mean_in_which_each_weighs_the_same(tmp_path: Path) -> None:
    """Whatever the number of their questions."""
    one_question = variant(tmp_path, qa=json.loads(FILE.read_text("utf-8"))[0]["qa"][:1])
    setups = [Setup(file=file, embedder="none") for file in (FILE, one_question)]
    found = await several(Settings(), setups, unheard, limit=None, qa=False)
    sets = found["sets"]
    assert [one["n"] for one in sets.values()] == [6, 1]
    assert list(sets) == ["lighthouse", "variant"]
    for figure in ("answer_injected", "recall@10"):
        each = [one[figure] for one in sets.values()]
        assert found["macro_mean"][figure] == pytest.approx(sum(each) / 2, abs=1e-4)


async def test_two_files_of_one_name_are_refused() -> None:
    """Before anything is heard: one would take the place of the other."""
    setups = [Setup(file=FILE), Setup(file=Path("elsewhere") / FILE.name)]
    with pytest.raises(BotError, match="Two of the files are called lighthouse"):
        await several(Settings(), setups, unheard, limit=None, qa=False)


async def test_a_line_is_written_for_each_question(tmp_path: Path) -> None:
    """With what was found and injected, how surely, and what was late."""
    path = tmp_path / "rows.jsonl"
    setup = Setup(file=FILE, embedder="none")
    with written_to(path) as keep:
        await locomo(LENIENT, setup, unheard, limit=None, qa=False, keep=keep)
    rows = {row["question"]: row for row in map(json.loads, path.read_text().splitlines())}
    assert len(rows) == 6
    row = rows["What broke in the storm?"]
    assert row["set"] == "lighthouse"
    assert row["evidence"] == ["D2:2"]
    assert row["answer_is_span"]
    assert row["answer_injected"]
    assert row["late"] == []
    first = row["found"][0]
    assert first["turns"] == ["D2:2"]
    assert first["kept"]
    assert 0 < first["confidence"] <= 1
    line = next(one for one in row["injected"] if one["turns"] == ["D2:2"])
    assert line["holds_answer"]
    assert "the storm shattered the lantern glass" in line["text"]


def test_lines_that_cannot_be_kept_are_refused(tmp_path: Path) -> None:
    """Before anything is heard."""
    with pytest.raises(BotError, match="cannot be written"), written_to(tmp_path):
        pass


async def test_a_missed_deadline_is_told() -> None:
    """A recall that had no time found nothing, which is no fault of its ranking."""
    inside = trial_settings(Settings(), "none", None)
    recall = inside.recall.model_copy(update={"deadline_ms": 0})
    hurried = inside.model_copy(update={"recall": recall})
    every = [one async for one in answered(hurried, read_locomo(FILE), Manner(), unheard)]
    assert all(one.examined.injection.missed for one in every)
    assert json.loads(line_of("x", every[0]))["late"] == [*every[0].examined.injection.missed]


@pytest.mark.parametrize(("waiting", "times"), [(0.0, 1), (1.0, 1), (3.5, 3.5)])
def test_deadlines_are_wider_where_more_wants_to_run(waiting: float, times: float) -> None:
    """Than there are processors."""
    assert unhurried_ms(waiting) == UNHURRIED_MS * times
