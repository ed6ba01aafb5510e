"""`python -m benchmarks.year`, whole, at a size at which it takes seconds."""

from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.year import Setup, TooFew, measure, written
from benchmarks.year_chatter import NothingSaid
from benchmarks.year_report import MUST_BE_NONE
from benchmarks.year_topics import Kind

TALK = """
=== Gull [n=gull@harbour] has joined #port
[09:00] <gull> morning, the ferry is late again
[09:01] <tern> gull: which one, the noon ferry or the small boat?
[09:01] <gull> the small boat, fog all over the harbour
[09:02] * tern waves a lamp
[09:04] <plover> does anybody know how to splice a rope without the tool?
[09:05] <tern> plover, ask gull
"""


@pytest.fixture
def setup(tmp_path: Path) -> Setup:
    """A week of six people."""
    (tmp_path / "port-2024-05-02.txt").write_text(TALK * 20, "utf-8")
    return Setup(irc=tmp_path, messages=400, days=7, people=6, embedder="none", questions=70)


def test_the_same_numbers_write_the_same_year(setup: Setup) -> None:
    """To the word and the second; chatter fills it up, and names no stranger."""
    year = written(setup)
    assert year == written(setup)
    assert len(year.utterances) == 400
    chatter = [one for one in year.utterances if not one.fact]
    assert any("ferry" in one.text for one in chatter)
    assert not any("gull" in one.text for one in chatter)
    assert {fact.kind for fact in year.facts} == set(Kind)
    assert {fact.language for fact in year.facts} == {"fr", "en"}
    assert all(year.span.start <= one.at < year.span.end for one in year.utterances)


def test_numbers_that_leave_no_room_are_refused(setup: Setup, tmp_path: Path) -> None:
    """In a sentence, before anything is lived."""
    with pytest.raises(TooFew, match="--people"):
        written(replace(setup, people=2))
    with pytest.raises(TooFew, match="ask for more"):
        written(replace(setup, messages=10))
    (tmp_path / "empty").mkdir()
    with pytest.raises(NothingSaid, match="no recorded message"):
        written(replace(setup, irc=tmp_path / "empty"))


async def test_a_week_is_lived_and_asked_about(setup: Setup) -> None:
    """Nothing private or expired comes up; how often it was swept changes no ranking."""
    found, lives = await measure(replace(setup, sweeps=("hourly", "never")))
    assert found["same_order"] == {"never": 1.0}
    counted = found["wrong"]
    assert isinstance(counted, dict)
    assert counted.keys() >= set(MUST_BE_NONE)
    assert counted["leaked"] == counted["expired_injected"] == counted["expired_listed"] == 0
    recalled = found["recalled"]
    assert isinstance(recalled, dict)
    assert recalled["durable"]["injected"] > 0.8
    assert recalled["private"]["injected"] > 0.8
    first, second = (life.figures["rows"] for life in lives)
    assert isinstance(first, dict)
    assert isinstance(second, dict)
    assert first["messages"] == second["messages"] > 400
