"""What can be changed while the pet runs: each key reads what it writes, and refuses the rest."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.model.errors import UnknownSetting, WrongValue
from memory.model.settings import KEYS, Tuning, changed, restored, written
from memory.model.statements import GoalCategory, MemoryType, SelfCategory
from memory.model.ttl import parse_ttl, ttl_text


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("auto_retrieve_enabled", "off", "false"),
        ("auto_retrieve_enabled", " True ", "true"),
        ("auto_retrieve_max_results", "4", "4"),
        ("auto_retrieve_max_results", "20", "20"),
        ("auto_retrieve_min_score", "0.65", "0.65"),
        ("obsidian_context_notes", "a.md, Projets/é.md,,a.md", '["a.md", "Projets/é.md"]'),
        ("obsidian_context_notes", '["with, comma.md"]', '["with, comma.md"]'),
        ("obsidian_context_notes", "", "[]"),
        ("obsidian_context_tag", "#eko", "eko"),
        ("ttl_default_event", "30d", "30d"),
        ("ttl_default_observation", "48h", "2d"),
        ("ttl_default_connection", "none", "none"),
    ],
)
def test_a_setting_is_written_as_it_is_read(key: str, text: str, value: str) -> None:
    """Reading what was written changes nothing."""
    tuning = changed(Tuning(), key, text)
    assert written(tuning, key) == value
    assert changed(tuning, key, value) == tuning


@pytest.mark.parametrize(
    ("key", "text", "said"),
    [
        ("auto_retrieve_enabled", "perhaps", "on or off"),
        ("auto_retrieve_max_results", "3", "from 4 to 20"),
        ("auto_retrieve_max_results", "21", "from 4 to 20"),
        ("auto_retrieve_max_results", "1e1", "whole number"),
        ("auto_retrieve_min_score", "nan", "from 0 to 1"),
        ("auto_retrieve_min_score", "-0.1", "from 0 to 1"),
        ("obsidian_context_notes", "../secrets.md", "inside the vault"),
        ("obsidian_context_notes", "/etc/passwd", "inside the vault"),
        ("obsidian_context_notes", "[1]", "JSON list"),
        ("obsidian_context_notes", ",".join(f"{n}.md" for n in range(51)), "50 notes"),
        ("obsidian_context_tag", "two words", "one tag"),
        ("ttl_default_event", "3 moons", "12h, 7d"),
    ],
)
def test_a_wrong_value_is_refused_in_a_sentence(key: str, text: str, said: str) -> None:
    """It names the setting and what it may be."""
    with pytest.raises(WrongValue, match=said) as refused:
        changed(Tuning(), key, text)
    assert key in str(refused.value)


def test_an_unknown_setting_is_refused_with_the_one_that_was_meant() -> None:
    """For reading, changing and resetting alike."""
    for attempt in (
        lambda: changed(Tuning(), "auto_retrieve_max", "5"),
        lambda: written(Tuning(), "auto_retrieve_max"),
        lambda: restored(Tuning(), Tuning(), "auto_retrieve_max"),
    ):
        with pytest.raises(UnknownSetting, match="did you mean auto_retrieve_max_results"):
            attempt()


def test_every_type_and_category_has_a_default_time_to_live() -> None:
    """What is added to the model can be set too."""
    kinds = {*MemoryType, *SelfCategory, *GoalCategory}
    assert {f"ttl_default_{kind}" for kind in kinds} <= set(KEYS)


def test_a_default_that_could_not_be_set_can_be_gone_back_to() -> None:
    """The settings file may inject more lines than can be asked for while the pet runs."""
    defaults = Tuning(auto_retrieve_max_results=50)
    tuning = changed(defaults, "auto_retrieve_max_results", "8")
    assert restored(tuning, defaults, "auto_retrieve_max_results") == defaults


@given(st.sampled_from(KEYS), st.text())
def test_no_text_breaks_a_setting(key: str, text: str) -> None:
    """It is taken, and then read as it is written, or refused."""
    try:
        tuning = changed(Tuning(), key, text)
    except WrongValue:
        return
    assert changed(Tuning(), key, written(tuning, key)) == tuning


@given(st.integers(1, 99_999), st.sampled_from("mhdw"))
def test_a_time_to_live_is_written_as_it_is_read(amount: int, unit: str) -> None:
    """In the largest unit that is exact."""
    ttl = parse_ttl(f"{amount}{unit}")
    assert ttl is not None
    if ttl < timedelta(days=99_999):
        assert parse_ttl(ttl_text(ttl)) == ttl
