"""Activation goes along ties, weaker with each hop and each tie that a statement has."""

from math import sqrt
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.model.statements import Association, MemoryId, Relation
from memory.retrieval.spreading_activation import RELATION_WEIGHTS, Reaching, spread

ALL_ONE = dict.fromkeys(Relation, 1.0)


def row(number: int) -> MemoryId:
    """The id of a statement."""
    return MemoryId(UUID(int=number))


def tie(
    start: int, end: int, relation: Relation = Relation.CAUSED_BY, weight: float = 1.0
) -> Association:
    """One statement tied to another."""
    return Association(start=row(start), end=row(end), relation=relation, weight=weight)


def gained(seeds: dict[int, float], *associations: Association, hops: int = 1) -> dict[int, float]:
    """What each statement gains, by its number, when every relation counts fully."""
    reaching = Reaching(hops=hops, decay=0.5, weights=ALL_ONE)
    found = spread({row(seed): score for seed, score in seeds.items()}, associations, reaching)
    return {reached.int: score for reached, score in found.items()}


def test_nothing_is_reached_without_ties() -> None:
    """And nothing gained."""
    assert gained({1: 1.0}) == {}


@pytest.mark.parametrize("association", [tie(1, 2), tie(2, 1)])
def test_a_tie_leads_both_ways(association: Association) -> None:
    """A reason brings up its outcome as much as the other way round."""
    assert gained({1: 1.0}, association) == {2: 0.5}


def test_two_seeds_that_are_tied_gain_from_each_other() -> None:
    """Each what the other passes on."""
    assert gained({1: 1.0, 2: 0.4}, tie(1, 2)) == pytest.approx({1: 0.2, 2: 0.5})


def test_a_seed_gains_nothing_from_its_own_echo() -> None:
    """What it passed on does not come straight back."""
    assert gained({1: 1.0}, tie(1, 2), hops=2) == {2: 0.5}


def test_the_second_hop_is_weaker_and_only_taken_when_asked() -> None:
    """One hop ends at the neighbours."""
    chain = (tie(1, 2), tie(2, 3))
    assert gained({1: 1.0}, *chain) == {2: 0.5}
    assert gained({1: 1.0}, *chain, hops=2) == pytest.approx({2: 0.5, 3: 0.25 / sqrt(2)})


def test_a_hub_passes_less_along_each_tie() -> None:
    """Divided by the root of how many it has."""
    spokes = [tie(1, other) for other in range(2, 11)]
    assert gained({1: 1.0}, *spokes) == pytest.approx(dict.fromkeys(range(2, 11), 0.5 / 3))


def test_each_relation_has_its_weight_and_one_without_is_no_tie() -> None:
    """So that an ablation leaves the others as if it were not there."""
    ties = [tie(1, 2, Relation.PART_OF, 0.5), tie(1, 3, Relation.RELATED_TO)]
    weights = {Relation.PART_OF: 0.8, Relation.RELATED_TO: 0.0}
    found = spread({row(1): 1.0}, ties, Reaching(decay=0.5, weights=weights))
    assert found == pytest.approx({row(2): 0.2})


def test_every_relation_has_a_default_weight() -> None:
    """Words that say that two things belong together weigh more than likeness."""
    assert set(RELATION_WEIGHTS) == set(Relation)
    assert RELATION_WEIGHTS[Relation.CAUSED_BY] > RELATION_WEIGHTS[Relation.RELATED_TO]


numbers = st.integers(1, 6)
associations = st.lists(
    st.builds(
        tie, numbers, st.integers(7, 12), st.sampled_from(list(Relation)), st.floats(0.01, 1)
    ),
    max_size=20,
)


@given(
    st.dictionaries(st.integers(1, 12), st.floats(0.01, 1), max_size=6),
    associations,
    st.integers(1, 2),
)
def test_more_activation_never_lessens_what_is_gained(
    seeds: dict[int, float], ties: list[Association], hops: int
) -> None:
    """Gains are positive, grow with the seeds, and only tied statements have them."""
    found = gained(seeds, *ties, hops=hops)
    doubled = gained({seed: 2 * score for seed, score in seeds.items()}, *ties, hops=hops)
    assert doubled == pytest.approx({reached: 2 * score for reached, score in found.items()})
    assert all(score > 0 for score in found.values())
    assert set(found) <= {end.int for one in ties for end in (one.start, one.end)}
