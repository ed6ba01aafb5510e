"""`python -m benchmarks.talks` on a small folder of our own: every set, the lines, one table."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from benchmarks.evaluation.locomo import read_locomo
from benchmarks.heard_talks import FRENCH, Choice, choice_of, choosing
from benchmarks.talk_sets import SETS, TalkSet, drawn, everyday_lines, in_folder
from benchmarks.talks import WIDE, gate_curve, measure, reliability, table
from bot.errors import BotError

FILE = Path(__file__).parents[1] / "data" / "lighthouse.json"

TALKS = TalkSet(name="Talks", kind="LoCoMo", pattern="locomo*.json", askers=(None, "Tomas"))

FLOW = TalkSet(name="Flow", kind="flow", pattern="locomo*.json", in_flow=True)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two conversations and lines that have nothing to do with either."""
    (talk,) = json.loads(FILE.read_text("utf-8"))
    other = json.loads(FILE.read_text("utf-8"))[0]
    other["conversation"]["session_1"][1]["text"] = "Le marché vend des pommes et du cidre."
    (tmp_path / "locomo-own.json").write_text(json.dumps([talk, other]), "utf-8")
    (tmp_path / "irc").mkdir()
    (tmp_path / "irc" / "2024-01-01.txt").write_text(
        "[10:00] <bob> how do I mount a usb stick\n[10:01] <ann> ok\n"
        "[10:02] <bob> who has geese in the bathtub\n"
    )
    (tmp_path / "chat-fr-lines.txt").write_text("bonsoir\nmdr\n", "utf-8")
    return tmp_path


async def test_each_set_is_asked_and_spoken_to(folder: Path) -> None:
    """By each of its askers; its figures are there, and the mean is of the kinds of talk."""
    found: dict[str, Any] = await measure(
        Choice(folder=folder, sets=(TALKS, FLOW), only=("LoCoMo", "flow"), embedder="none")
    )
    sets = found["sets"]
    assert list(sets) == ["Talks", "Talks, asked by Tomas", "Flow"]
    assert [one["n"] for one in sets.values()] == [12, 12, 12]
    for one in sets.values():
        apart = one["difference"]
        assert apart["low"] <= apart["mean"] <= apart["high"]
        assert apart["mean"] == pytest.approx(one["recall@10"] - one["plain recall@10"], abs=2e-4)
        assert 0 < one["plain recall@10"] <= 1
        assert one["unrelated"]["#ubuntu"]["queries"] == 3
        assert one["unrelated"]["French chat"]["injected"] == 0
    kinds = [
        (sets["Talks"]["recall@10"] + sets["Talks, asked by Tomas"]["recall@10"]) / 2,
        sets["Flow"]["recall@10"],
    ]
    assert found["mean"]["recall@10"] == pytest.approx(sum(kinds) / 2, abs=2e-4)


async def test_lines_of_one_conversation_are_said_to_the_pet_of_another(folder: Path) -> None:
    """Twenty turns each way, or so many of them; what only the other heard is not found."""
    choice = Choice(folder=folder, sets=(TALKS,), only=("LoCoMo",), embedder="none", lines=15)
    found: dict[str, Any] = await measure(choice)
    sets = found["sets"]
    assert sets["Talks"]["unrelated"]["LoCoMo"]["queries"] == 15


async def test_how_sure_recall_is_is_told_with_how_often_it_is_right(folder: Path) -> None:
    """Each question and each line is in one tenth."""
    choice = Choice(folder=folder, sets=(TALKS,), only=("LoCoMo",), embedder="none")
    found: dict[str, Any] = await measure(choice)
    sets = found["sets"]
    tenths = sets["Talks"]["reliability"]
    assert sum(one["questions"] for one in tenths) == sets["Talks"]["n"]
    said = sum(one["queries"] for one in sets["Talks"]["unrelated"].values())
    assert sum(one["lines"] for one in tenths) == said
    assert all(one["evidence"] <= one["questions"] for one in tenths)
    assert reliability(found).row_count == len(tenths)


async def test_the_gate_lets_less_pass_the_surer_it_must_be(folder: Path) -> None:
    """Of evidence as of lines; the curve is told at nine points."""
    choice = Choice(folder=folder, sets=(TALKS,), only=("LoCoMo",), embedder="none")
    found: dict[str, Any] = await measure(choice)
    sets = found["sets"]
    gate = sets["Talks"]["gate"]
    assert gate_curve(found).row_count == len(sets) + len(sets["Talks"]["unrelated"])
    assert [at["min_score"] for at in gate] == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
    for figures in (
        [at["evidence"] for at in gate],
        [at["unrelated"]["#ubuntu"] for at in gate],
    ):
        assert figures == sorted(figures, reverse=True)
        assert 0 <= figures[-1] <= figures[0] <= 1
    assert gate[0]["evidence"] > 0


async def test_the_french_set_is_asked_as_well(folder: Path) -> None:
    """So many of its questions, whatever else is in the folder."""
    choice = Choice(folder=folder, only=(FRENCH,), embedder="none", questions=12)
    found: dict[str, Any] = await measure(choice)
    (one,) = found["sets"].values()
    assert one["n"] == 12
    assert one["recall@10"] > 0.3
    assert one["plain recall@10"] > 0.2
    assert one["unrelated"]["#ubuntu"]["queries"] == 3


async def test_the_table_has_a_row_for_each_set(folder: Path) -> None:
    """With a column for each kind of lines."""
    choice = Choice(folder=folder, sets=(TALKS,), only=("LoCoMo",), embedder="none")
    console = Console(width=WIDE, file=StringIO())
    console.print(table(await measure(choice)))
    drawn_table = console.file.getvalue()  # type: ignore[attr-defined]
    for word in ("Talks, asked by Tomas", "mean of the kinds", "lines: #ubuntu", "lines: LoCoMo"):
        assert word in drawn_table


async def test_who_does_not_speak_cannot_ask(folder: Path) -> None:
    """One sentence, and no figures of a stranger instead."""
    nobody = TalkSet(name="x", kind="x", pattern="locomo*.json", askers=("Zoe",))
    with pytest.raises(BotError, match="Zoe says nothing"):
        await measure(Choice(folder=folder, sets=(nobody,), only=("x",), embedder="none"))


def test_questions_are_drawn_from_all_conversations() -> None:
    """The same seed draws the same ones, in their order."""
    (one,) = read_locomo(FILE)
    (some,) = drawn([one], 3, seed=4)
    assert len(some.asked) == 3
    assert list(some.asked) == [asked for asked in one.asked if asked in some.asked]
    assert drawn([one], 3, seed=4) == [some]
    assert drawn([one], None, seed=4) == [one]


def test_what_a_folder_lacks_is_left_out(folder: Path, tmp_path: Path) -> None:
    """Sets by their files, lines by theirs, conversations by their numbers; our own are there."""
    there = [name for one in SETS for name, _ in in_folder(one, folder, None, 1)]
    assert there == ["LoCoMo 1-5", "Groups, fitted", "Groups, held"]
    assert list(everyday_lines(folder, 10, 1)) == ["#ubuntu", "French chat", "LoCoMo"]
    empty = tmp_path / "empty"
    empty.mkdir()
    assert everyday_lines(empty, 10, 1) == {}


def test_a_command_line_says_what_is_compared(folder: Path) -> None:
    """And refuses what is no folder."""
    parser = choosing("talks", None)
    choice = choice_of(parser.parse_args([str(folder), "--only", "PIAF", "--questions", "9"]))
    assert (choice.only, choice.questions) == (("PIAF",), 9)
    with pytest.raises(SystemExit):
        parser.parse_args([str(folder / "nowhere")])
