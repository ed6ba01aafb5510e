"""Which backups are kept: the last of each day and of each week, as many as are asked for."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from bot.transfer.backups import moment_of, name_of, outlived

PET = "0123456789abcdef"
START = datetime(2026, 1, 5, 3, tzinfo=UTC)
"""A Monday."""


def made(*days: float) -> list[str]:
    """Backups made so many days after the start."""
    return [name_of(PET, START + timedelta(days=one), encrypted=False) for one in days]


def test_a_name_says_whose_it_is_and_when_it_was_made() -> None:
    """In UTC, with its kind; other files and other pets' backups are not among them."""
    name = name_of(PET, START, encrypted=True)
    assert name == f"eko-{PET}-20260105T030000Z.tar.gz.age"
    assert moment_of(name, PET) == START
    assert moment_of(name, "fedcba") is None
    for other in ("notes.txt", f"eko-{PET}.forgotten.jsonl", f".{name}.unfinished"):
        assert moment_of(other, PET) is None


def test_the_last_of_each_day_and_week_is_kept() -> None:
    """Twelve days, two on the last one: three days, and the last of the two weeks before."""
    names = made(*range(12), 11.5)
    kept = set(names) - set(outlived(names, PET, daily=3, weekly=2))
    assert kept == set(made(6, 9, 10, 11.5))


@given(
    st.lists(st.integers(0, 24 * 400), unique=True, max_size=80),
    st.integers(1, 10),
    st.integers(0, 10),
)
def test_the_newest_is_always_kept_and_no_more_than_asked_for(
    hours: list[int], daily: int, weekly: int
) -> None:
    """Whatever was made when; and what is let go of once is not missed later."""
    names = made(*(hour / 24 for hour in sorted(hours)))
    gone = outlived(names, PET, daily=daily, weekly=weekly)
    kept = [name for name in names if name not in gone]
    assert len(kept) <= daily + weekly
    assert not names or names[-1] in kept
    assert outlived(kept, PET, daily=daily, weekly=weekly) == []


def test_the_same_week_of_another_year_is_another_week() -> None:
    """A pet that was off for a year keeps the last backup of before."""
    names = made(0, 7 * 53)  # the second week of 2026, and of 2027
    assert outlived(names, PET, daily=1, weekly=2) == []


def test_an_impossible_date_in_a_name_is_no_backups() -> None:
    """What somebody else called so is neither kept nor let go of, and stops nothing."""
    name = f"eko-{PET}-20261399T256199Z.tar.gz"
    assert moment_of(name, PET) is None
    assert outlived([name, *made(0)], PET, daily=1, weekly=1) == []
