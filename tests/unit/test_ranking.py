"""Fusion orders, age and use settle what is even, copies are dropped, the budget holds."""

from collections.abc import Collection as Several
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.model.recalled import block_of
from memory.model.retrieval import Candidate, Considered, Section
from memory.model.stores import Collection
from memory.ports import Vectors
from memory.retrieval.gate import SHARE, shares
from memory.retrieval.ranking import MOST_USE, RECENCY, USE, Fusion, Limits, merged, ranked
from memory.retrieval.rendering import Wording, lines_of
from memory.retrieval.scoring import TOLD, Scored
from memory.retrieval.selection import chosen as chosen_of
from memory.retrieval.selection import fitting, repeated
from memory.storage.search.candidates import RowSource, ranked_anew
from memory.tokens import tokens_in
from memory.vectors import direction_of
from tests.cast import NOON
from tests.rows import RECALL_LIMITS


def candidate(number: int, content: str = "", section: Section = Section.MEMORY) -> Candidate:
    """A row with a number for an id."""
    return Candidate(
        section=section,
        collection=Collection.LIVE if section is Section.LIVE else Collection.MEMORY,
        id=UUID(int=number),
        revision=1,
        content=content or f"a statement{number * '!'}",
        at=NOON,
        author="David",
    )


def sure(rows: list[Candidate], score: float = 0.9) -> dict[UUID, tuple[float, str]]:
    """The same confidence for all of them."""
    return {row.id: (score, "words") for row in rows}


def apart(rows: list[Candidate]) -> dict[UUID, Vectors]:
    """A direction of its own for each."""
    return {row.id: direction_of(str(row.id), 64) for row in rows}


def chosen(
    rows: list[Candidate],
    confidences: Mapping[UUID, tuple[float, str]],
    vectors: Mapping[UUID, Vectors],
    shown: tuple[frozenset[str], Several[UUID]],
    limits: Limits,
) -> list[Considered]:
    """What is chosen of rows that fit as they are sure."""
    fits = {row.id for row in rows if confidences[row.id][0] >= limits.min_score}
    return chosen_of(rows, confidences, vectors, shown, limits, fits=fits)


def kept(considered: list[Considered]) -> list[int]:
    """The numbers of those that were kept, in order."""
    return [one.candidate.id.int for one in considered if one.kept]


RANKINGS = st.dictionaries(
    st.sampled_from(["memory_text", "memory_vector", "speaker", "live_vector"]),
    st.lists(st.integers(1, 12), unique=True, max_size=12),
)


@given(RANKINGS)
def test_merging_keeps_every_row_once_with_its_rank_in_every_list(
    rankings: dict[str, list[int]],
) -> None:
    """Whatever the lists have in common."""
    found = merged(
        ranked_anew(RowSource(name), map(candidate, rows)) for name, rows in rankings.items()
    )
    numbers = [one.id.int for one in found]
    assert sorted(numbers) == sorted({n for rows in rankings.values() for n in rows})
    for one in found:
        places = {name: r.index(one.id.int) + 1 for name, r in rankings.items() if one.id.int in r}
        assert one.sources == places


def test_the_greatest_similarity_and_the_fixed_mark_survive_merging() -> None:
    """Found by words and by meaning, a row keeps its similarity; proven anywhere is proven."""
    plain = candidate(1)
    near, nearer = replace(plain, similarity=0.4), replace(plain, similarity=0.6)
    (one,) = merged([[near], [plain], [nearer], [replace(plain, proven=True)]])
    assert (one.similarity, one.proven) == (0.6, True)


def scored(rows: Sequence[Candidate], **signals: list[float]) -> Scored:
    """The rows with what signals add to them."""
    added = {TOLD: [0.0] * len(rows), **signals}
    arrays = {name: np.array(each) for name, each in added.items()}
    nothing = np.zeros(len(rows))
    return Scored(
        rows=rows, signals=arrays, surprise=nothing, stands_out=nothing, in_context=nothing
    )


def order(found: Scored, fusion: Fusion = "score", now: datetime = NOON) -> list[int]:
    """The numbers of the rows, best first."""
    return [one.id.int for one in ranked(found, now, replace(RECALL_LIMITS, fusion=fusion), 99)]


SIGNALS = st.lists(st.tuples(st.floats(0, 2), st.floats(0, 2)), min_size=1, max_size=12)


@given(SIGNALS, st.sampled_from(["rrf", "score"]), st.integers(1, 14))
def test_ranking_gives_the_best_few_with_what_made_them_so(
    added: list[tuple[float, float]], fusion: Fusion, most: int
) -> None:
    """Best first, no more than asked for, each with its own signals and what it is worth."""
    rows = [candidate(number) for number in range(len(added))]
    words, meaning = ([one[side] for one in added] for side in (0, 1))
    limits = replace(RECALL_LIMITS, fusion=fusion)
    found = ranked(scored(rows, words=words, meaning=meaning), NOON, limits, most)
    assert len(found) == min(most, len(rows))
    worths = [one.worth for one in found]
    assert worths == sorted(worths, reverse=True)
    for one in found:
        assert one.score == pytest.approx(sum(added[one.id.int]), abs=1e-3)


@pytest.mark.parametrize("fusion", ["rrf", "score"])
def test_fixed_rows_are_judged_however_many_others_fit(fusion: Fusion) -> None:
    """What answers an open question says none of its words, and is no answer if it is cut off."""
    rows = [*map(candidate, range(1, 9)), replace(candidate(9), proven=True)]
    found = scored(rows, words=[0.5] * 8 + [0.0])
    best = ranked(found, NOON, replace(RECALL_LIMITS, fusion=fusion), 3)
    assert [one.id.int for one in best] == [1, 2, 3, 9]


def test_the_sum_of_what_signals_add_orders_by_score() -> None:
    """One that is far ahead in one of them needs no other."""
    rows = [candidate(n) for n in (1, 2, 3)]
    found = scored(rows, words=[1.0, 0.5, 0.1], meaning=[0.0, 0.2, 0.3])
    assert order(found) == [1, 2, 3]


def test_ranks_alone_order_by_reciprocal_rank() -> None:
    """Second in two signals beats first in one, however far ahead that is."""
    rows = [candidate(n) for n in (1, 2, 3)]
    found = scored(rows, words=[9.0, 0.5, 0.0], meaning=[0.0, 0.2, 0.3], named=[0.0, 0.0, 0.0])
    assert order(found, "rrf") == [2, 1, 3]
    best = ranked(found, NOON + timedelta(days=9999), replace(RECALL_LIMITS, fusion="rrf"), 1)[0]
    assert best.worth == pytest.approx((61 / 62 + 61 / 62) / 2, abs=1e-4)


def test_what_another_stands_for_comes_last_by_ranks_too() -> None:
    """And what stands for both gains no further rank by it."""
    rows = [candidate(n) for n in (1, 2, 3)]
    gained = scored(rows, words=[1.0, 0.9, 0.5], told=[0.0, 0.1, 0.0])
    found = replace(gained, duplicates=frozenset({0}))
    assert order(found, "rrf") == order(found, "score") == [2, 3, 1]
    last = ranked(found, NOON, replace(RECALL_LIMITS, fusion="rrf"), 3)[2]
    assert (last.duplicate, last.score, last.worth) == (True, 0, 0)


AGES = st.floats(-10, 10_000)
MOST_FRESH = 1 + RECENCY + USE * MOST_USE


@given(AGES, AGES, st.integers(0, 10_000), st.integers(0, 10_000))
def test_age_and_use_add_a_little_and_never_take_away(
    days: float, other_days: float, uses: int, other_uses: int
) -> None:
    """The newer and the more used is worth more, within bounds that no number of either passes."""

    def worth(age: float, used: int) -> float:
        row = replace(candidate(1), at=NOON - timedelta(days=age), uses=used)
        return ranked(scored([row], words=[100.0]), NOON, RECALL_LIMITS, 1)[0].worth

    fresh, other = worth(days, uses), worth(other_days, other_uses)
    assert 100 <= fresh <= 100 * MOST_FRESH + 1e-3
    if days <= other_days and uses >= other_uses:
        assert fresh >= other


def test_age_settles_what_is_even_and_nothing_more() -> None:
    """Of two that fit alike the newer comes first; one that fits clearly better, before both."""
    long_ago, now = NOON - timedelta(days=3000), NOON
    rows = [replace(candidate(n), at=at) for n, at in ((1, long_ago), (2, now), (3, long_ago))]
    assert order(scored(rows, words=[0.5, 0.5, 0.6])) == [3, 2, 1]


def test_use_settles_what_is_as_old() -> None:
    """What helped before comes before what never did."""
    rows = [candidate(1), replace(candidate(2), uses=3)]
    assert order(scored(rows, words=[0.5, 0.5])) == [2, 1]


def test_nothing_found_is_ranked_as_nothing() -> None:
    """By score and by ranks."""
    assert order(scored([], words=[]), "rrf") == order(scored([], words=[]), "score") == []


def test_without_evidence_nothing_is_kept() -> None:
    """Being the nearest of ten things that do not fit is no reason."""
    rows = [candidate(n) for n in range(1, 11)]
    verdicts = chosen(rows, sure(rows, 0.49), apart(rows), (frozenset(), ()), RECALL_LIMITS)
    assert kept(verdicts) == []
    assert {one.reason for one in verdicts} == {"no evidence"}


def test_of_a_statement_and_its_message_only_the_one_that_stands_is_kept() -> None:
    """However sure the other one is."""
    rows = [replace(candidate(1), signals={"words": 0.9}, duplicate=True), candidate(2)]
    verdicts = chosen(rows, sure(rows), apart(rows), (frozenset(), ()), RECALL_LIMITS)
    assert [(one.candidate.id.int, one.kept) for one in verdicts] == [(2, True), (1, False)]
    assert verdicts[1].reason == "another says the same"


def test_what_is_probable_comes_beside_what_surely_fits() -> None:
    """Where something is asked that is known here; a proven row says nothing about the question."""
    says = {"words": 0.8}
    sure_one = replace(candidate(1), signals=says, worth=0.8)
    less = replace(candidate(2), signals=says, worth=0.7)
    idle = replace(candidate(3), content="ok", worth=0.1)
    proven = replace(candidate(4), proven=True)
    scores = {
        **sure([less, idle], 0.3),
        sure_one.id: (0.9, "words"),
        proven.id: (1.0, "recent"),
    }
    assert fitting([sure_one, less, idle, proven], scores, 1.0, 0.5) == {
        sure_one.id,
        less.id,
        proven.id,
    }
    assert fitting([less, idle, proven], scores, 1.0, 0.5) == {proven.id}


def test_what_many_rows_say_alike_is_less_probable_of_each() -> None:
    """So few of them are told, where each would be told alone."""
    says = {"words": 0.3}
    row = replace(candidate(1), content="mon violoncelle est chez le luthier depuis lundi matin")
    row = replace(row, signals=says, surprise=0.3, worth=0.3)
    alike = [replace(row, id=candidate(n).id) for n in range(1, 40)]
    first, last = alike[0], alike[2]
    several, many = shares(alike[:3], 1.0), shares(alike, 1.0)
    assert shares([first], 1.0)[first.id] > several[first.id] > many[first.id]
    assert several[last.id] > SHARE > many[alike[-1].id]


def test_the_surest_row_fits_however_little_speaks_for_it_beside_others() -> None:
    """It is what says that the question is about something here."""
    row = candidate(1)
    assert fitting([row], sure([row]), 1.0, 0.5) == {row.id}


def test_what_the_window_shows_is_not_shown_again() -> None:
    """By id and revision, or by meaning; a new revision comes again."""
    rows = [candidate(1), candidate(2), candidate(3)]
    changed = replace(rows[0], revision=2)
    vectors = apart(rows)
    shown = (frozenset({rows[0].ref}), {rows[1].id})
    verdicts = chosen([*rows, changed], sure([*rows, changed]), vectors, shown, RECALL_LIMITS)
    reasons = {one.candidate.ref: one.reason for one in verdicts if not one.kept}
    assert reasons == {rows[0].ref: "in the window", rows[1].ref: "said in the window"}
    assert {one.candidate.ref for one in verdicts if one.kept} == {rows[2].ref, changed.ref}


def test_what_is_like_a_shown_line_is_said_again_unless_it_is_of_another_matter() -> None:
    """A number, a denial, a mood or a name that differs is another matter, however near it is."""
    rows = [candidate(1, content="I live in Lyon"), candidate(2, content="I do not live in Lyon")]
    vectors = dict.fromkeys((row.id for row in rows), direction_of("same", 64))
    asked_for: list[Several[UUID]] = []

    def contents(ids: Several[UUID]) -> Mapping[UUID, str]:
        asked_for.append(ids)
        return dict.fromkeys(ids, "i live in Lyon")

    window = {UUID(int=9): direction_of("same", 64), UUID(int=8): direction_of("other", 64)}
    assert repeated(rows, vectors, window, 0.85, contents) == {rows[0].id}
    assert asked_for == [{UUID(int=9)}]
    assert repeated(rows, vectors, {}, 0.85, contents) == frozenset()
    assert repeated(rows, {}, window, 0.85, contents) == frozenset()
    assert len(asked_for) == 1


def test_of_two_that_are_alike_both_are_kept_where_they_differ_in_what_counts() -> None:
    """Two children and five are two statements."""
    rows = [candidate(1, content="she has two kids"), candidate(2, content="she has five kids")]
    vectors = dict.fromkeys((row.id for row in rows), direction_of("same", 64))
    assert kept(chosen(rows, sure(rows), vectors, (frozenset(), ()), RECALL_LIMITS)) == [1, 2]


def test_of_two_that_say_the_same_the_surer_one_is_kept() -> None:
    """The copy is named as one."""
    rows = [candidate(1), candidate(2)]
    vectors = dict.fromkeys((row.id for row in rows), direction_of("same", 64))
    confidences = {rows[0].id: (0.6, "words"), rows[1].id: (0.9, "words")}
    verdicts = chosen(rows, confidences, vectors, (frozenset(), ()), RECALL_LIMITS)
    assert kept(verdicts) == [2]
    assert verdicts[1].reason == "says the same as another"


def test_of_what_one_person_says_twice_the_later_is_kept() -> None:
    """In the place of the surer one; not where the time of that one is asked about, nor of two."""
    first, again = candidate(1), replace(candidate(2), at=NOON + timedelta(days=3))
    confidences = {first.id: (0.9, "words"), again.id: (0.6, "words")}
    same = dict.fromkeys((first.id, again.id), direction_of("same", 64))

    def told(*rows: Candidate) -> list[int]:
        return kept(chosen([*rows], confidences, same, (frozenset(), ()), RECALL_LIMITS))

    assert told(first, again) == [2]
    assert told(replace(first, signals={"period": 0.6}), again) == [1]
    assert told(first, replace(again, author="Paul")) == [1]


def test_a_core_fact_and_its_statement_are_one_line() -> None:
    """Whether they are embedded or not; two people who say the same are two lines."""
    rows = [candidate(1, "David habite à Lyon"), candidate(2, "david habite  à Lyon")]
    assert kept(chosen(rows, sure(rows), {}, (frozenset(), ()), RECALL_LIMITS)) == [1, 2]
    fact = replace(rows[1], collection=Collection.KNOWLEDGE, section=Section.CORE)
    assert kept(
        chosen([rows[0], fact], sure([rows[0], fact]), {}, (frozenset(), ()), RECALL_LIMITS)
    ) == [1]


CONTENTS = st.lists(
    st.tuples(st.integers(1, 2500), st.sampled_from(list(Section)), st.floats(0, 1)), max_size=40
)


@given(CONTENTS, st.integers(0, 25), st.integers(0, 800))
def test_the_budget_holds_for_the_block_as_it_is_written(
    contents: list[tuple[int, Section, float]], lines: int, tokens: int
) -> None:
    """Lines, lobby lines and tokens, headings and fences included; every row has one verdict."""
    rows = [candidate(n, "mot " * (size // 4), s) for n, (size, s, _) in enumerate(contents, 1)]
    scores = {row.id: (score, "words") for row, (_, _, score) in zip(rows, contents, strict=True)}
    limits = replace(RECALL_LIMITS, max_results=lines, live_results=3, max_tokens=tokens)
    verdicts = chosen(rows, scores, apart(rows), (frozenset(), ()), limits)
    assert sorted(one.candidate.ref for one in verdicts) == sorted(row.ref for row in rows)
    picked = [one.candidate for one in verdicts if one.kept]
    assert len(picked) <= lines
    assert sum(one.section is Section.LIVE for one in picked) <= 3
    block = block_of(lines_of(picked, NOON + timedelta(days=400), Wording(locale="fr", zone=UTC)))
    assert tokens_in(block) <= tokens
    assert all(scores[one.id][0] >= limits.min_score for one in picked)


def test_a_long_row_costs_what_its_line_shows_of_it() -> None:
    """An exchange of three pages is cut to one line, so it can be afforded."""
    row = candidate(1, "une longue histoire " * 300)
    assert kept(chosen([row], sure([row]), apart([row]), (frozenset(), ()), RECALL_LIMITS)) == [1]


def test_the_best_comes_first_and_a_smaller_one_may_take_the_rest_of_the_budget() -> None:
    """What is too long for what is left does not end the list."""
    rows = [candidate(1, "a" * 300), candidate(2, "b" * 380), candidate(3, "c" * 30)]
    scores = {rows[0].id: (0.9, "w"), rows[1].id: (0.8, "w"), rows[2].id: (0.7, "w")}
    small = replace(RECALL_LIMITS, max_tokens=180)
    assert kept(chosen(rows, scores, apart(rows), (frozenset(), ()), small)) == [1, 3]
