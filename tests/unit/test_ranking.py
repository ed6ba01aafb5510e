"""Fusion orders, the gate asks for evidence, diversity drops copies, the budget holds."""

from dataclasses import replace
from datetime import UTC, timedelta
from uuid import UUID

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.injection import Wording, block_of, lines_of
from memory.model import Collection
from memory.ports import Vectors
from memory.ranking import (
    Background,
    Evidence,
    Limits,
    Rarity,
    background,
    chosen,
    fused,
    rank_score,
    tokens_in,
)
from memory.retrieval import Candidate, Considered, Section
from memory.vectors import direction_of
from tests.cast import NOON

LIMITS = Limits(
    min_score=0.5,
    max_results=20,
    live_results=10,
    max_tokens=600,
    duplicate_similarity=0.85,
    rrf_k=60,
)


def candidate(number: int, content: str = "", section: Section = Section.MEMORY) -> Candidate:
    """A row with a number for an id."""
    return Candidate(
        section=section,
        collection=Collection.LIVE if section is Section.LIVE else Collection.MEMORY,
        id=UUID(int=number),
        revision=1,
        content=content or f"statement number {number}",
        at=NOON,
        author="David",
    )


def sure(rows: list[Candidate], score: float = 0.9) -> dict[str, tuple[float, str]]:
    """The same confidence for all of them."""
    return {row.ref: (score, "words") for row in rows}


def apart(rows: list[Candidate]) -> dict[UUID, Vectors]:
    """A direction of its own for each."""
    return {row.id: direction_of(str(row.id), 64) for row in rows}


def kept(considered: list[Considered]) -> list[int]:
    """The numbers of those that were kept, in order."""
    return [one.candidate.id.int for one in considered if one.kept]


RANKINGS = st.dictionaries(
    st.sampled_from(["memory_text", "memory_vector", "speaker", "live_vector"]),
    st.lists(st.integers(1, 12), unique=True, max_size=12),
)


@given(RANKINGS, st.integers(1, 100))
def test_fusion_keeps_every_row_once_best_score_first(
    rankings: dict[str, list[int]], k: int
) -> None:
    """Each row remembers its rank in every source, and the sum of those orders the list."""
    merged = fused({name: [candidate(n) for n in rows] for name, rows in rankings.items()}, k)
    assert sorted(one.id.int for one in merged) == sorted({n for r in rankings.values() for n in r})
    scores = [rank_score(one, k) for one in merged]
    assert scores == sorted(scores, reverse=True)
    for one in merged:
        places = {name: r.index(one.id.int) + 1 for name, r in rankings.items() if one.id.int in r}
        assert one.sources == places


def test_fusion_prefers_agreement_to_one_first_place() -> None:
    """Second in two sources beats first in one; words count more than the embedder."""
    rows = {"a_vector": [1, 2, 3], "b_vector": [4, 2, 5]}
    merged = fused({name: [candidate(n) for n in r] for name, r in rows.items()}, 60)
    assert merged[0].id.int == 2
    text, vector = fused({"x_vector": [candidate(1)], "x_text": [candidate(2)]}, 60)
    assert (text.id.int, vector.id.int) == (2, 1)


def test_the_greatest_similarity_and_the_fixed_mark_survive_fusion() -> None:
    """Found by words and by meaning, a row keeps its similarity; fixed anywhere is fixed."""
    plain = candidate(1)
    near, fixed = replace(plain, similarity=0.4), replace(plain, fixed=True)
    (merged,) = fused({"t_text": [plain], "v_vector": [near], "speaker": [fixed]}, 60)
    assert (merged.similarity, merged.fixed) == (0.4, True)


EVIDENCE = Evidence(
    frozenset({"david", "habit", "quoi"}),
    Rarity({"david": 2, "habit": 400, "quoi": 900}, 1000),
    frozenset({"david"}),
    Background(0.1, 0.05),
)


@pytest.mark.parametrize(
    ("stems", "least", "most"),
    [
        ({"david", "lyon"}, 0.5, 1.0),
        ({"habit", "lyon"}, 0.0, 0.49),
        ({"quoi"}, 0.0, 0.2),
        ({"lyon"}, 0.0, 0.0),
    ],
)
def test_a_rare_word_is_evidence_and_a_common_one_is_not(
    stems: set[str], least: float, most: float
) -> None:
    """Sharing a name that hardly anybody wrote opens the gate, sharing "habite" does not."""
    score, _ = EVIDENCE.confidence(candidate(1), frozenset(stems))
    assert least <= score <= most


def test_a_similarity_counts_by_how_far_it_stands_out() -> None:
    """The same cosine is evidence where texts are far apart, and none where they are not."""
    near = replace(candidate(1), similarity=0.5)
    assert EVIDENCE.confidence(near, frozenset())[0] > 0.9
    crowded = replace(EVIDENCE, around=Background(0.45, 0.1))
    assert crowded.confidence(near, frozenset())[0] < 0.1
    assert replace(EVIDENCE, around=None).confidence(near, frozenset())[0] == 0
    even = replace(candidate(1), similarity=0.1 + 3 * 0.05)
    assert EVIDENCE.confidence(even, frozenset())[0] == pytest.approx(0.5)


def test_a_named_subject_is_even_evidence_and_a_fixed_row_needs_none() -> None:
    """Whatever the case of the name."""
    assert EVIDENCE.confidence(replace(candidate(1), subjects=("DAVID",)), frozenset())[0] == 0.5
    assert EVIDENCE.confidence(replace(candidate(1), fixed=True), frozenset())[0] == 1


@given(st.sets(st.sampled_from(["david", "habit", "quoi", "lyon"])), st.floats(-1, 1))
def test_confidence_is_a_share(stems: set[str], similarity: float) -> None:
    """Never outside 0..1."""
    near = replace(candidate(1), similarity=similarity)
    assert 0 <= EVIDENCE.confidence(near, frozenset(stems))[0] <= 1


def test_an_empty_store_and_equal_texts_divide_by_nothing() -> None:
    """No rows, no deviation: numbers all the same."""
    flat = background(direction_of("q", 8), np.stack([direction_of("q", 8)] * 3))
    assert flat.deviation > 0
    empty = Evidence(frozenset({"a"}), Rarity({}, 0), frozenset(), None)
    assert empty.confidence(candidate(1), frozenset({"a"}))[0] <= 1


def test_without_evidence_nothing_is_kept() -> None:
    """Being the nearest of ten things that do not fit is no reason."""
    rows = [candidate(n) for n in range(1, 11)]
    verdicts = chosen(rows, sure(rows, 0.49), apart(rows), (frozenset(), []), LIMITS)
    assert kept(verdicts) == []
    assert {one.reason for one in verdicts} == {"no evidence"}


def test_what_the_window_shows_is_not_shown_again() -> None:
    """By id and revision, or by meaning; a new revision comes again."""
    rows = [candidate(1), candidate(2), candidate(3)]
    changed = replace(rows[0], revision=2)
    vectors = apart(rows)
    shown = (frozenset({rows[0].ref}), [vectors[rows[1].id]])
    verdicts = chosen([*rows, changed], sure([*rows, changed]), vectors, shown, LIMITS)
    reasons = {one.candidate.ref: one.reason for one in verdicts if not one.kept}
    assert reasons == {rows[0].ref: "in the window", rows[1].ref: "said in the window"}
    assert {one.candidate.ref for one in verdicts if one.kept} == {rows[2].ref, changed.ref}


def test_of_two_that_say_the_same_the_surer_one_is_kept() -> None:
    """The copy is named as one."""
    rows = [candidate(1), candidate(2)]
    vectors = dict.fromkeys((row.id for row in rows), direction_of("same", 64))
    confidences = {rows[0].ref: (0.6, "words"), rows[1].ref: (0.9, "words")}
    verdicts = chosen(rows, confidences, vectors, (frozenset(), []), LIMITS)
    assert kept(verdicts) == [2]
    assert verdicts[1].reason == "says the same as another"


CONTENTS = st.lists(
    st.tuples(st.integers(1, 2500), st.sampled_from(list(Section)), st.floats(0, 1)), max_size=40
)


@given(CONTENTS, st.integers(0, 25), st.integers(0, 800))
def test_the_budget_holds_for_the_block_as_it_is_written(
    contents: list[tuple[int, Section, float]], lines: int, tokens: int
) -> None:
    """Lines, lobby lines and tokens, headings and fences included; every row has one verdict."""
    rows = [candidate(n, "mot " * (size // 4), s) for n, (size, s, _) in enumerate(contents, 1)]
    scores = {row.ref: (score, "words") for row, (_, _, score) in zip(rows, contents, strict=True)}
    limits = Limits(
        min_score=0.5,
        max_results=lines,
        live_results=3,
        max_tokens=tokens,
        duplicate_similarity=0.85,
        rrf_k=60,
    )
    verdicts = chosen(rows, scores, apart(rows), (frozenset(), []), limits)
    assert sorted(one.candidate.ref for one in verdicts) == sorted(row.ref for row in rows)
    picked = [one.candidate for one in verdicts if one.kept]
    assert len(picked) <= lines
    assert sum(one.section is Section.LIVE for one in picked) <= 3
    block = block_of(lines_of(picked, NOON + timedelta(days=400), Wording(locale="fr", zone=UTC)))
    assert tokens_in(block) <= tokens
    assert all(scores[one.ref][0] >= 0.5 for one in picked)


def test_a_long_row_costs_what_its_line_shows_of_it() -> None:
    """An exchange of three pages is cut to one line, so it can be afforded."""
    row = candidate(1, "une longue histoire " * 300)
    assert kept(chosen([row], sure([row]), apart([row]), (frozenset(), []), LIMITS)) == [1]


def test_the_best_comes_first_and_a_smaller_one_may_take_the_rest_of_the_budget() -> None:
    """What is too long for what is left does not end the list."""
    rows = [candidate(1, "a" * 300), candidate(2, "b" * 380), candidate(3, "c" * 30)]
    scores = {rows[0].ref: (0.9, "w"), rows[1].ref: (0.8, "w"), rows[2].ref: (0.7, "w")}
    small = replace(LIMITS, max_tokens=180)
    assert kept(chosen(rows, scores, apart(rows), (frozenset(), []), small)) == [1, 3]
