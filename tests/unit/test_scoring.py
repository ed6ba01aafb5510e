"""A score is the sum of its signals, whatever the order of the rows; each can be switched off."""

from dataclasses import replace
from datetime import timedelta
from math import inf
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.language.times.intervals import Grain
from memory.language.times.parser import Period
from memory.model.retrieval import LEAST_STEP, Candidate
from memory.model.rooms import RoomId
from memory.model.statements import Relation
from memory.retrieval.background import Background
from memory.retrieval.query import Query
from memory.retrieval.weights import Weights
from memory.retrieval.word_scores import STRETCH
from tests.cast import NOON
from tests.rows import asking, names, near, said, score, stated, tie, told

LATER = STRETCH + timedelta(minutes=1)
AROUND = Background(0.2, 0.1)
MICKAEL, LEA = names("mickael", "dev"), names("lea")


def period(grain: Grain, days: int = 1) -> Period:
    """So many days from noon on."""
    return Period(start=NOON, end=NOON + timedelta(days=days), grain=grain)


SWITCHES = {
    "meaning": {"meaning": 0},
    "named": {"named": 0, "mentioned": 0},
    "proper": {"proper": 0},
    "speaker": {"speaker": 0},
    "period": {"period": 0},
    "recent": {"recent": 0},
    "tied": {"tied": 0},
}


def everything() -> tuple[list[Candidate], Query, dict[str, Any]]:
    """Rows and a question for which every signal adds something."""
    rows = [
        said(1, "le violoncelle de Lisbonne", by="Léa", similarity=0.9),
        said(2, "demain", by="Mickael"),
        stated(3, "Léa joue du violoncelle", "Léa", similarity=0.8),
        stated(4, "Mickael a mal au dos", "Mickael"),
        said(5, "il pleut", at=NOON + LATER),
    ]
    asked = asking(
        "violoncelle",
        named=[LEA],
        speaker=MICKAEL,
        proper=frozenset({"lisbon"}),
        periods=[period(Grain.DAY)],
    )
    links: dict[str, Any] = {
        "near": [near(1, 2, 1), near(2, 1, -1)],
        "told": [told(3, 1)],
        "ties": [tie(3, 4, Relation.CAUSED_BY)],
        "around": AROUND,
    }
    return rows, asked, links


@pytest.mark.parametrize("signal", SWITCHES)
def test_a_signal_whose_weight_is_0_adds_nothing(signal: str) -> None:
    """And it added something before, to what the others leave as it is."""
    rows, asked, links = everything()
    links["told"] = []
    before = score(rows, asked, **links)
    weights = replace(Weights(), **SWITCHES[signal])  # type: ignore[arg-type]
    without = score(rows, asked, **links, weights=weights)
    assert before.signals[signal].any()
    assert not without.signals[signal].any()
    for name, each in before.signals.items():
        if name not in {signal, "tied"}:  # which is a share of the others
            assert np.allclose(each, without.signals[name])


@pytest.mark.parametrize(
    "lent", [{"stretch": 0}, {"after": ()}, {"before": ()}, {"enough": 0}, {"meaning_near": 0}]
)
def test_what_is_lent_can_be_switched_off(lent: dict[str, Any]) -> None:
    """The total changes, nothing breaks, and every number stays one."""
    rows, asked, links = everything()
    links["near"] = [near(1, 2, 1), near(1, 5, -1)]
    links["told"] = []
    without = score(rows, asked, **links, weights=replace(Weights(), **lent)).total
    assert np.isfinite(without).all()
    assert not np.allclose(without, score(rows, asked, **links).total)


def test_a_long_row_takes_less_of_what_is_lent_to_it() -> None:
    """It speaks for itself: an assistant's page is not what its one line asked."""
    asked = asking("violoncelle Lisbonne")
    brief = [said(1, "violoncelle Lisbonne"), said(2, "mardi soir")]
    page = said(2, " ".join(f"mot{number}x" for number in range(500)))
    links: dict[str, Any] = {"near": [near(1, 2, 1), near(2, 1, -1)]}
    lent = score(brief, asked, **links).signals["words"][1]
    less = score([brief[0], page], asked, **links).signals["words"][1]
    assert 0 < less < lent / 5
    everything_lent = replace(Weights(), brief=inf)
    all_of_it = score([brief[0], page], asked, **links, weights=everything_lent)
    assert all_of_it.signals["words"][1] >= lent


def test_no_rows_no_words_and_no_names_add_up_to_nothing() -> None:
    """Nothing is divided by nothing."""
    assert score([], asking("violoncelle", named=[LEA])).total.shape == (0,)
    rows = [said(1, "violoncelle"), said(2, "")]
    assert list(score(rows, asking("")).total) == [0, 0]
    silent = replace(rows[1], author=None)
    assert list(score([silent], asking("violoncelle")).total) == [0]
    everywhere = asking("violoncelle", seen={"violoncel": 1000}, rows=1000)
    assert np.isfinite(score(rows, everywhere).total).all()


def test_what_a_row_gained_is_told_by_signal() -> None:
    """Those that add nothing are not named; a duplicate gained it for nothing."""
    rows, asked, links = everything()
    found = score(rows, asked, **links)
    signals = found.of(range(len(rows)))
    assert found.duplicates == {2}
    for place, (one, total) in enumerate(zip(signals, found.total, strict=True)):
        assert all(one.values())
        gained = 0.0 if place in found.duplicates else sum(one.values())
        assert total == pytest.approx(gained, abs=1e-3)
    assert set(signals[3]) == {"period", "tied", "speaker"}
    assert found.of([3, 0]) == [signals[3], signals[0]]
    assert found.of([]) == []


WORDS = ["violoncelle", "chat", "Lisbonne", "pluie", "demain", "Nora", "mickael"]
NUMBERS = st.integers(0, 9)


@st.composite
def stores(draw: st.DrawFn) -> tuple[list[Candidate], Query, dict[str, Any]]:
    """Rows with company, and a question."""
    text = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)
    by = st.sampled_from(["Léa", "Mickael", "David"])
    hours = st.integers(0, 200).map(lambda number: NOON + timedelta(minutes=7 * number))
    near_by = st.one_of(st.none(), st.floats(-1, 1))
    rows = [
        said(number, draw(text), draw(by), at=draw(hours), similarity=draw(near_by))
        if draw(st.booleans())
        else stated(number, draw(text), draw(by), at=draw(hours), similarity=draw(near_by))
        for number in range(draw(st.integers(0, 8)))
    ]
    offsets = st.sampled_from([-2, -1, 1, 2])
    pairs = st.tuples(NUMBERS, NUMBERS).filter(lambda pair: pair[0] != pair[1])
    live = {row.id.int for row in rows if not row.subjects}
    links: dict[str, Any] = {
        "near": [near(*pair, draw(offsets)) for pair in draw(st.lists(pairs, max_size=6))],
        "told": [
            told(*pair)
            for pair in draw(st.lists(pairs, max_size=4))
            if pair[1] in live and pair[0] not in live
        ],
        "ties": [
            tie(*pair, draw(st.sampled_from(list(Relation))))
            for pair in draw(st.lists(pairs, max_size=4))
        ],
        "around": draw(st.sampled_from([None, AROUND])),
    }
    asked = asking(
        draw(text),
        seen={"chat": draw(st.integers(0, 5000))},
        named=draw(st.sampled_from([(), (LEA,), (LEA, MICKAEL)])),
        speaker=draw(st.sampled_from([frozenset(), LEA])),
        proper=draw(st.sampled_from([frozenset(), frozenset({"lisbon", "nora"})])),
        periods=draw(st.sampled_from([(), (period(Grain.DAY),)])),
    )
    return rows, asked, links


@given(stores())
def test_every_total_is_a_number(store: tuple[list[Candidate], Query, dict[str, Any]]) -> None:
    """At least 0, or a little less for what steps back; whatever is asked of whatever store."""
    rows, asked, links = store
    total = score(rows, asked, **links).total
    assert total.shape == (len(rows),)
    assert np.isfinite(total).all()
    assert (total >= -LEAST_STEP - 1e-9).all()


@given(stores(), st.randoms(use_true_random=False))
def test_the_order_of_the_rows_changes_nothing(
    store: tuple[list[Candidate], Query, dict[str, Any]], chance: Any
) -> None:
    """Nor that of the links."""
    rows, asked, links = store
    mixed = chance.sample(rows, len(rows))
    shuffled = {
        name: chance.sample(each, len(each)) if isinstance(each, list) else each
        for name, each in links.items()
    }
    first, again = score(rows, asked, **links), score(mixed, asked, **shuffled)
    by_id = dict(zip([row.id for row in rows], first.total, strict=True))
    assert np.allclose([by_id[row.id] for row in mixed], again.total)


@given(stores())
def test_a_row_of_something_else_changes_nobodys_words(
    store: tuple[list[Candidate], Query, dict[str, Any]],
) -> None:
    """One that says nothing of the question, elsewhere; length aside, which is against the mean."""
    rows, asked, links = store
    weights = replace(Weights(), length=0.0)
    stranger = replace(said(99, "tout autre chose ailleurs"), room=RoomId("chat:elsewhere"))
    before = score(rows, asked, **links, weights=weights).signals["words"]
    after = score([*rows, stranger], asked, **links, weights=weights).signals["words"]
    assert np.allclose(after[:-1], before)
    assert after[-1] == 0
