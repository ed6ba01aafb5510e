"""`eko eval mine`: labels of past questions on the user's own store, and the score over time."""

import json
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from bot.surfaces.operations import Operations
from bot.topics.answers.labelling import grade
from bot.wiring.app import App, open_app
from config.sections.conversation import CoalescingSettings
from config.sections.vectors import EmbedderSettings
from config.settings import Settings
from memory.model.audience import OPERATOR
from tests.forgotten import forget_one
from tests.processes import eko
from tests.storage import statement

ROOT = Path(__file__).parents[2]


@asynccontextmanager
async def asked(folder: Path) -> AsyncIterator[App]:
    """A pet that was asked two things it knew something about, and one it did not."""
    settings = Settings(
        data_dir=folder,
        embedder=EmbedderSettings(kind="none"),
        coalescing=CoalescingSettings(debounce_s=0, max_wait_s=0),
    )
    async with open_app(settings) as app:
        await app.services.writer.store(statement("David joue du violoncelle"))
        await app.services.writer.store(statement("Léa collectionne les boussoles"))
        for text in ("qui joue du violoncelle ?", "qui a des boussoles ?", "hmm hmm"):
            await result(app, "ask", text=text, name="Zoé", room="lobby")
        yield app


async def result(app: App, operation: str, **arguments: Any) -> dict[str, Any]:
    """What an operation comes to."""
    events = [event async for event in Operations(app).call(operation, arguments)]
    found: dict[str, Any] = events[-1]["result"]
    return found


async def test_questions_come_with_what_was_injected_for_them(tmp_path: Path) -> None:
    """Those of people, oldest first; one for which nothing was injected is not asked about."""
    async with asked(tmp_path) as app:
        found = (await result(app, "eval_questions"))["questions"]
    assert [one["text"] for one in found] == [
        "@Eko qui joue du violoncelle ?",
        "@Eko qui a des boussoles ?",
    ]
    assert found[0]["speaker"] == "Zoé"
    assert "David joue du violoncelle" in [line["content"] for line in found[0]["lines"]]


async def test_what_was_forgotten_is_not_shown_again(tmp_path: Path) -> None:
    """Nor the question it was injected for."""
    async with asked(tmp_path) as app:
        (known,) = [
            one
            for one in await app.storage.memories.latest(None, OPERATOR, 10)
            if "violoncelle" in one.content
        ]
        await forget_one(app.services.forgetting, known.id)
        found = (await result(app, "eval_questions"))["questions"]
    assert "violoncelle" not in json.dumps(found)
    assert [one["text"] for one in found] == ["@Eko qui a des boussoles ?"]


async def test_scores_are_kept_over_time(tmp_path: Path) -> None:
    """Figures and the name of the ranking, and nothing that was said."""
    async with asked(tmp_path) as app:
        kept = await result(app, "eval_keep", labels=[[True, False], [None, False]])
        nothing = await result(app, "eval_keep", labels=[[None], []])
        history = (await result(app, "eval_history"))["scores"]
    assert kept["score"]["precision"] == pytest.approx(1 / 3, abs=1e-3)
    assert kept["score"]["helped"] == 0.5
    assert nothing["score"] is None
    assert len(history) == 1
    assert history[0]["ranking"].startswith("none score ")
    assert set(history[0]) == {
        "at", "ranking", "questions", "lines", "precision", "helped", "mrr"
    }  # fmt: skip


def test_labels_are_scored_by_line_and_by_question() -> None:
    """A skipped line keeps its place; a question without a label counts nowhere."""
    graded = grade([[False, True], [None, None, True], [False], [None], []], "x")
    assert graded is not None
    assert (graded.questions, graded.lines) == (3, 4)
    assert graded.precision == 0.5
    assert graded.helped == pytest.approx(2 / 3)
    assert graded.mrr == pytest.approx((1 / 2 + 1 / 3 + 0) / 3)


def test_no_label_is_no_score() -> None:
    """Rather than one of 0."""
    assert grade([[None], []], "x") is None


def evaluated(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A command of its own process on a data folder."""
    return eko(folder, "eval", *arguments, cwd=folder.parent)


async def test_labels_come_from_a_file_and_the_score_from_the_command(tmp_path: Path) -> None:
    """The last line is the JSON; then the history shows it."""
    folder, answers = tmp_path / "data", tmp_path / "labels.txt"
    async with asked(folder):
        pass
    answers.write_text("y\nq\n")
    done = evaluated(folder, "mine", "--answers", str(answers), "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1])["score"]["precision"] == 1.0
    assert "violoncelle" in done.stderr
    history = evaluated(folder, "mine", "--history")
    assert "100%" in history.stdout


async def test_what_is_wrong_is_one_sentence(tmp_path: Path) -> None:
    """An empty store, a word that is no label, a file of another form."""
    folder, answers = tmp_path / "data", tmp_path / "labels.txt"
    empty = evaluated(folder, "mine")
    assert (empty.returncode, empty.stderr.strip().count("\n")) == (1, 0)
    assert "nothing to label yet" in empty.stderr
    async with asked(folder):
        pass
    answers.write_text("perhaps\n")
    wrong = evaluated(folder, "mine", "--answers", str(answers))
    assert 'says "perhaps"' in wrong.stderr


async def test_unrelated_lines_bring_up_nothing_of_what_is_kept(tmp_path: Path) -> None:
    """Asked of the pet's own memory; a file without lines is one sentence."""
    folder, lines = tmp_path / "data", tmp_path / "lines.txt"
    async with asked(folder):
        pass
    lines.write_text("my sound card stopped working\nviolon ou violoncelle ?\n")
    found = json.loads(evaluated(folder, "silence", str(lines), "--json").stdout)
    assert (found["queries"], found["injected"]) == (2, len(found["examples"]))
    lines.write_text("")
    empty = evaluated(folder, "silence", str(lines))
    assert (empty.returncode, "nothing to ask" in empty.stderr) == (1, True)
