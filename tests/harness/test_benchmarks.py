"""Every benchmark runs, small: what it measures is read from `benchmarks/README.md`, not from here.

Each is run as its reader runs it, in a process of its own; those that fit to whole sets of talk are
run here on a few entries of theirs.
"""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from shutil import copy

import pytest

from benchmarks import (
    claims_exam,
    companion,
    fit_answers,
    fit_changes,
    fit_claims,
    fit_forgetting,
    fit_manners,
    fit_roles,
    french,
    precision,
)
from benchmarks.checkout import ROOT, environment
from benchmarks.claim_material import read
from benchmarks.claims_entries import KINDS, entries
from benchmarks.companion_set import encounters
from benchmarks.french_set import questions
from benchmarks.plain_changes import plain_pairs
from benchmarks.repetition import SHORT
from bot.llm.offline.plans.roles import PlanRole, roles_in
from memory.claims.head import heads_in
from memory.claims.network import network_in
from tests.channels.worlds import LONG

DATA = ROOT / "tests" / "data"
FEW = 6
PEERS = {"EKO_PEERS"}
TRIES = 5
LATE = ("ReadTooLate", "VectorStoreUnavailable")
"""What the pet says of a part that does not answer in time."""

RUNS: Mapping[str, str] = {
    "bot bench": "--memories 200 --json",
    "benchmarks.idle_connections": "--connections 24 --seconds 3",
    "benchmarks.notes": "20",
    "benchmarks.one_visitor": "--messages 40",
    "benchmarks.purge_waits": "--megabytes 8 --folder /tmp",
    "benchmarks.page_streams": "--streams 2 --minutes 0.05 --browsers 0",
    "benchmarks.stream_flood": "--streams 20",
    "benchmarks.structure": "",
}
"""What a benchmark is run with. A status of 1 says that an aim was missed, as it may be here."""

ELSEWHERE: Mapping[str, str] = {
    "ablation": "tests/flow/test_ablation.py",
    "fit_gate": "tests/flow/test_talks.py",
    "fit_ranking": "tests/flow/test_ablation.py",
    "forgetting": "tests/flow/test_forgetting_in_plain_words.py",
    "hand_model": "tests/edge/test_hand_model.py",
    "locomo": "tests/flow/test_eval_locomo.py",
    "mem0_child": "tests/unit/test_mem0_child.py",
    "peers": "tests/edge/test_mem0.py",
    "proof": "tests/unit/test_proof.py",
    "recorded_requests": "tests/flow/test_cached_prefix.py",
    "silence": "tests/flow/test_evaluation.py",
    "talks": "tests/flow/test_talks.py",
    "watched_daemon": "run by page_streams",
    "year": "tests/flow/test_year.py",
}
"""Where else a benchmark runs small, all of it but its command line."""

HERE = {
    "checkins", "claims_exam", "companion", "discord_burst", "filling", "first_reply",
    "fit_answers", "fit_changes", "fit_claims", "fit_roles", "fit_forgetting", "fit_manners",
    "french",
    "histories",
    "ingest", "precision", "recall", "start", "vectors", "web_pages",
}  # fmt: skip
"""Those with a test of their own below, or that `eko bench` runs."""


def ran(module: str, *arguments: str) -> str:
    """What a benchmark prints; on a busy machine its parts may be late, and it is run again."""
    for _ in range(TRIES):
        done = begun(module, *arguments)
        if not any(late in done.stderr for late in LATE):
            break
    assert done.returncode in (0, 1), done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    assert done.stdout.strip()
    return done.stdout


def begun(module: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """A benchmark that was run to its end."""
    return subprocess.run(
        [sys.executable, "-m", *module.split(), *arguments],
        env=_short() | {name: os.environ[name] for name in PEERS & os.environ.keys()},
        capture_output=True,
        text=True,
        check=False,
    )


def _short() -> dict[str, str]:
    return environment() | {SHORT: "1"}


@pytest.mark.parametrize("module", RUNS)
def test_a_benchmark_runs(module: str) -> None:
    """And prints figures."""
    found = json.loads(ran(module, *RUNS[module].split()))
    assert found


def test_every_benchmark_is_run_somewhere() -> None:
    """A new one belongs into a table above."""
    mains = {
        path.stem
        for path in (ROOT / "benchmarks").glob("*.py")
        if '__name__ == "__main__"' in path.read_text("utf-8")
    }
    assert mains == {name.removeprefix("benchmarks.") for name in RUNS} - {"bot bench"} | HERE | (
        ELSEWHERE.keys()
    )


def test_a_month_of_check_ins_has_nothing_wrong() -> None:
    """None at night over a change of the clock, none twice, all that were wanted."""
    assert "nothing is wrong" in ran("benchmarks.checkins", "--start", "2026-03-09")


def test_pages_are_asked_on_a_store_that_was_filled(tmp_path: Path) -> None:
    """A row for each address."""
    ran_quietly = [sys.executable, "-m", "benchmarks.filling", str(tmp_path), "60", "120"]
    subprocess.run(ran_quietly, env=environment(), check=True, capture_output=True)
    assert ran("benchmarks.web_pages", str(tmp_path)).count("\n") > 10


def test_bringing_a_history_is_measured(tmp_path: Path) -> None:
    """The look, the import, its learning, the same once more, and its undoing."""
    said = ran("benchmarks.histories", str(tmp_path), "60", "--settle", "--undo")
    steps = ("look:", "import:", "embedded:", "again:", "undo:")
    assert [step for step in steps if step not in said] == []


@LONG
def test_a_burst_on_discord_is_measured(tmp_path: Path) -> None:
    """All of it is kept."""
    found = json.loads(ran("benchmarks.discord_burst", str(tmp_path), "60", "3"))
    assert (found["missing"], found["not_live"]) == (0, 0)


def test_the_way_to_a_first_reply_is_measured() -> None:
    """On Telegram, which needs no peer."""
    assert "| telegram |" in ran("benchmarks.first_reply", "telegram")


def with_words(monkeypatch: pytest.MonkeyPatch, *words: str) -> None:
    """Let a benchmark find these words on its command line."""
    monkeypatch.setattr(sys, "argv", ["benchmark", *words])


def test_talk_with_a_pet_without_a_model_is_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A few entries of each kind."""
    monkeypatch.setattr("benchmarks.companion.encounters", lambda *which: encounters(*which)[:1])
    with_words(monkeypatch, "--json", "--language", "fr")
    companion.main()
    assert {f"fr {one}" for one in ("questions", "unknown")} < json.loads(
        capsys.readouterr().out
    ).keys()


def test_claims_are_examined(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One entry of each kind, with a row of figures for each that has any, and a line for each."""
    out = tmp_path / "played.jsonl"
    with_words(
        monkeypatch, "--some", "1", "--language", "en", "--processes", "1", "--out", str(out)
    )
    claims_exam.main()
    played = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert [one["kind"] for one in played] == [*KINDS]
    printed = capsys.readouterr().out
    assert all(f"en {kind} (of " in printed for kind in KINDS if kind != "utterances")


def test_a_french_community_is_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A few questions about all that it said."""
    monkeypatch.setattr("benchmarks.french.questions", lambda *splits: questions(*splits)[:FEW])
    with_words(monkeypatch, "--json")
    french.main()
    assert json.loads(capsys.readouterr().out)


def test_what_comes_of_beliefs_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the scope of the case, and nothing that was superseded."""

    def belief(name: str, scope: str, content: str, status: str = "active") -> dict[str, object]:
        return {
            "_id": name, "type": "entity", "canonical_name": name, "aliases": [], "pinned": False,
            "content": content, "scope": [scope], "epistemic_status": status,
        }  # fmt: skip

    beliefs = [
        belief("boat", "sea", "The boat is painted green."),
        belief("sail", "sea", "The boat is painted red.", "superseded"),
        belief("barn", "land", "The barn is painted blue."),
    ]
    expected = {"relevantBeliefs": {"shouldOnlyInclude": ["boat"]}}
    cases = [
        {"caseId": "c", "scope": ["sea"], "query": "What is painted green?", "expect": expected}
    ]
    (tmp_path / "beliefs.json").write_text(json.dumps(beliefs), "utf-8")
    (tmp_path / "cases.json").write_text(json.dumps(cases), "utf-8")
    with_words(monkeypatch, str(tmp_path))
    precision.main()
    found = json.loads(capsys.readouterr().out)
    assert found == {"cases": 1, "passed": 1, "precision": 1.0, "recall": 1.0}


def with_few_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let changes be fitted to a few entries of each kind, in a few steps."""
    monkeypatch.setattr("benchmarks.fit_changes.entries", lambda *of: entries(*of)[:8])
    monkeypatch.setattr("benchmarks.fit_changes.read", lambda path: read(path)[::20])
    monkeypatch.setattr(
        "benchmarks.fit_changes.plain_pairs", lambda folder: [*plain_pairs(folder)][::60]
    )
    monkeypatch.setattr(fit_changes, "KNOWN", {"ends": {}, "both_stay": {}})
    monkeypatch.setattr(fit_changes, "_UNRELATED", 8)
    monkeypatch.setattr(fit_changes, "SHAPE", replace(fit_changes.SHAPE, epochs=2, fits=1))


def test_answers_are_fitted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """To a few questions of each kind, in a few steps."""
    monkeypatch.setattr(
        "benchmarks.asked_scenes.read",
        lambda path: read(path)[:: 80 if path.stem in {"asked", "own", "plain"} else 1],
    )
    with_few_changes(monkeypatch)
    monkeypatch.setattr("benchmarks.asked_scenes.encounters", lambda *of: encounters(*of)[:3])
    monkeypatch.setattr("benchmarks.asked_scenes.entries", lambda *of: entries(*of)[:3])
    monkeypatch.setattr(fit_answers, "SHAPE", replace(fit_answers.SHAPE, epochs=2, fits=1))
    with_words(monkeypatch, "--to", str(tmp_path / "weights.npz"))
    fit_answers.main()
    assert "| en message" in capsys.readouterr().out
    with (tmp_path / "weights.npz").open("rb") as file:
        assert "near" in network_in(file).names


def test_changes_are_fitted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """To a few entries of each kind."""
    with_few_changes(monkeypatch)
    with_words(monkeypatch, "--to", str(tmp_path / "weights.npz"))
    fit_changes.main()
    assert "held fr ends, of 4: " in capsys.readouterr().out
    with (tmp_path / "weights.npz").open("rb") as file:
        assert network_in(file).hidden.shape[1] == fit_changes.SHAPE.hidden


def test_what_lines_do_to_plans_is_fitted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """To a few talks, in a few steps."""
    monkeypatch.setattr("benchmarks.fit_roles.read", lambda path: read(path)[::12])
    monkeypatch.setattr(fit_roles, "SHAPE", replace(fit_roles.SHAPE, epochs=2))
    with_words(monkeypatch, "--to", str(tmp_path / "weights.npz"))
    fit_roles.main()
    assert "propose: " in capsys.readouterr().out
    with (tmp_path / "weights.npz").open("rb") as file:
        assert set(roles_in(file)) == set(PlanRole)


def test_requests_to_forget_are_fitted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With authors left out, so that no weights are written."""
    for name in ("tune", "tune-lines", "tune-segments"):
        lines = (DATA / "forgetting-requests" / f"{name}.jsonl").read_text("utf-8").splitlines()
        some = "\n".join(lines[:: max(1, len(lines) // 16)])
        (tmp_path / f"{name}.jsonl").write_text(some, "utf-8")
    with_words(monkeypatch, str(tmp_path), "--check")
    fit_forgetting.main()
    assert capsys.readouterr().out.strip()


def test_what_is_claimed_is_fitted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """To a part of the material, and read in a part of a half."""
    for language in ("en", "fr"):
        (tmp_path / language).mkdir()
        for name in ("train-a", "train-s", "questions", "tune-natural", "tune-traps", "tune-plain"):
            lines = (DATA / "claims" / language / f"{name}.jsonl").read_text("utf-8").splitlines()
            few = "".join(f"{line}\n" for line in lines[:20])
            (tmp_path / language / f"{name}.jsonl").write_text(few, "utf-8")
    copy(DATA / "claims" / "values.tsv", tmp_path)
    weights = tmp_path / "weights.npz"
    with_words(monkeypatch, str(tmp_path), "--to", str(weights))
    fit_claims.main()
    with weights.open("rb") as file:
        assert heads_in(file).questions.words.any()
    printed = capsys.readouterr().out
    assert "look-alikes taken" in printed
    assert "en plain" in printed


def test_what_messages_are_is_fitted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With authors left out, so that no weights are written."""
    for path in islice(sorted((DATA / "manners" / "en").glob("*.tsv")), 3):
        lines = path.read_text("utf-8").splitlines()
        there = tmp_path / "en" / path.name
        there.parent.mkdir(exist_ok=True)
        there.write_text("\n".join(lines[:300]), "utf-8")
    with_words(monkeypatch, str(tmp_path), "--check")
    fit_manners.main()
    assert capsys.readouterr().out.strip()
