"""What is cut from a window, and when, is decided from its turns alone."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.model.audience import Audience
from memory.model.messages import TurnId
from memory.model.people import PersonId
from memory.model.rooms import RoomId
from memory.rules.compaction import (
    Checkpoint,
    CompactionRules,
    Exchange,
    SessionPlace,
    SpanState,
    crowded,
    headed,
    month_of,
    overflow,
    spans,
    summary_id,
    unheaded,
)
from memory.tokens import tokens_in
from tests.cast import NOON

PARIS = ZoneInfo("Europe/Paris")
RULES = CompactionRules(
    window_tokens=1000,
    keep=3,
    longest=16_000,
    rollup_of=2,
    attempts=3,
    zone=PARIS,
    locale="fr",
)
PLACE = SessionPlace(
    session="s", person=PersonId("david"), room=RoomId("r"), room_name="corner", started_at=NOON
)


def exchange(
    seq: int, chars: int = 360, *, text: str = "je pars à Rome", audience: str = "space:home"
) -> Exchange:
    """A turn of so many characters."""
    return Exchange(
        seq=seq,
        turn=TurnId(UUID(int=seq)),
        audience=Audience(audience),
        channel="web",
        speaker="David",
        text=text,
        reply="d'accord",
        chars=chars,
        at=NOON + timedelta(minutes=seq),
        is_found=True,
    )


def turns(*chars: int) -> list[Exchange]:
    """Turns of so many characters each."""
    return [exchange(seq, size) for seq, size in enumerate(chars, start=1)]


def seqs(due: Sequence[Exchange]) -> list[int]:
    """Which turns they are."""
    return [one.seq for one in due]


def test_a_window_that_has_room_is_not_cut() -> None:
    """However many turns it has."""
    assert overflow(turns(*[360] * 10), 1.0, RULES) == ()


def test_a_window_that_is_full_is_cut_before_its_newest_turns() -> None:
    """The rest leaves it at once, so that it is not cut again with each turn."""
    assert seqs(overflow(turns(*[360] * 11), 1.0, RULES)) == [1, 2, 3, 4, 5, 6, 7, 8]


def test_the_newest_turns_stay_however_long_they_are() -> None:
    """There is nothing to cut, or too little of it to be worth a call."""
    assert overflow(turns(*[40_000] * 3), 1.0, RULES) == ()
    assert overflow(turns(360, *[40_000] * 3), 1.0, RULES) == ()
    assert seqs(overflow(turns(900, *[40_000] * 3), 1.0, RULES)) == [1]


def test_a_turn_counts_with_what_a_model_is_shown_of_it() -> None:
    """A pasted log is shown in part."""
    short = replace(RULES, longest=360)
    assert overflow(turns(*[200_000] * 10), 1.0, short) == ()


def test_what_the_provider_counts_decides() -> None:
    """A tenth more for each token fills the window sooner."""
    assert seqs(overflow(turns(*[360] * 10), 1.1, RULES)) == [1, 2, 3, 4, 5, 6, 7]


@given(st.lists(st.integers(2, 20_000), max_size=40), st.floats(0.5, 4))
def test_a_cut_is_the_beginning_and_leaves_the_newest(sizes: list[int], counted: float) -> None:
    """At a turn, never inside one, and only where more than the window was there."""
    tail = turns(*sizes)
    due = overflow(tail, counted, RULES)
    assert list(due) == tail[: len(due)]
    if due:
        assert len(tail) - len(due) == RULES.keep
        assert sum(counted * tokens_in("x" * one.chars) for one in tail) > RULES.window_tokens


def test_a_span_is_of_one_audience() -> None:
    """A room that became confidential, and is no more, gives three."""
    said = [
        exchange(1),
        exchange(2, audience="room:r"),
        exchange(3, audience="room:r"),
        exchange(4),
    ]
    assert [seqs(one.exchanges) for one in spans(PLACE, said)] == [[1], [2, 3], [4]]


@pytest.mark.parametrize(
    ("texts", "says"),
    [
        (["ok", "merci", "mdr"], False),
        (["je pars à Rome", "ok"], False),
        (["je pars à Rome", "le train part à 8 heures"], True),
    ],
)
def test_small_talk_does_not_count_as_saying_something(texts: list[str], *, says: bool) -> None:
    """Two exchanges must."""
    said = [exchange(seq, text=text) for seq, text in enumerate(texts)]
    (span,) = spans(PLACE, said)
    assert span.says(2) is says


def test_what_must_not_be_told_again_is_not_told() -> None:
    """It keeps its place in the span all the same."""
    (span,) = spans(PLACE, [exchange(1), replace(exchange(2), is_found=False)])
    assert seqs(span.told) == [1]
    assert seqs(span.exchanges) == [1, 2]


def test_an_id_is_the_same_for_the_same_stretch_and_for_no_other() -> None:
    """Session, level and beginning make it."""
    ids = {summary_id(s, level, seq) for s in "ab" for level in (0, 1) for seq in (1, 2)}
    assert len(ids) == 8
    assert summary_id("a", 0, 1) == summary_id("a", 0, 1)


def checkpoint(seq: int, **fields: object) -> Checkpoint:
    """A stretch that was summarised."""
    given_: dict[str, object] = {
        "id": summary_id("s", 0, seq),
        "session": "s",
        "level": 0,
        "first_seq": seq,
        "last_seq": seq,
        "state": SpanState.SUMMARISED,
        "audience": Audience("space:home"),
        "person": PersonId("david"),
        "speaker": "David",
        "room": RoomId("r"),
        "room_name": "corner",
        "channel": "web",
        "content": "Rome.",
        "since": NOON,
        "at": NOON,
        "created_at": NOON,
        **fields,
    }
    return Checkpoint(**given_)  # type: ignore[arg-type]


def test_summaries_of_one_level_and_audience_are_rolled_up_together() -> None:
    """More than so many of them; others neither count nor go with them."""
    tops = [
        checkpoint(1),
        checkpoint(2),
        checkpoint(3, audience=Audience("room:r")),
        checkpoint(4, level=1),
        checkpoint(5, state=SpanState.UNSUMMARISED),
    ]
    assert crowded(tops, 2) == []
    (group,) = crowded([*tops, checkpoint(6)], 2)
    assert [one.first_seq for one in group] == [1, 2, 6]


@pytest.mark.parametrize(
    ("words", "head"),
    [
        ("on part à Rome avec Léa", "David (web, 31 déc. 2025 – 1 janv. 2026) : "),
        ("we are going to Rome", "David (web, Dec 31, 2025 – Jan 1, 2026): "),
        ("Roma Roma", "David (web, 31 déc. 2025 – 1 janv. 2026) : "),
    ],
)
def test_a_summary_says_whose_it_is_where_and_when(words: str, head: str) -> None:
    """In the language of its words, with days as the pet counts them; and it can be taken off."""
    when = (
        datetime(2025, 12, 31, 12, tzinfo=PARIS),
        datetime(2025, 12, 31, 23, 30, tzinfo=ZoneInfo("UTC")),
    )
    content = headed(words, "David", "web", when, RULES)
    assert content == head + words
    assert unheaded(content) == words
    assert unheaded(words) == words


@pytest.mark.parametrize(
    ("at", "start", "end"),
    [
        (datetime(2026, 1, 31, 23, 30, tzinfo=ZoneInfo("UTC")), (2026, 2), (2026, 3)),
        (datetime(2025, 12, 5, tzinfo=PARIS), (2025, 12), (2026, 1)),
    ],
)
def test_a_month_is_the_one_where_the_pet_lives(
    at: datetime, start: tuple[int, int], end: tuple[int, int]
) -> None:
    """It begins at midnight there, also across the year."""
    first, after = month_of(at, PARIS)
    assert first == datetime(*start, 1, tzinfo=PARIS)
    assert after == datetime(*end, 1, tzinfo=PARIS)
