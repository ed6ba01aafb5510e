"""A similarity is judged against what texts that have nothing to do with a query have."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.ports import Vectors
from memory.retrieval.background import LEAST_DEVIATION, OUTLIER, Background, background
from memory.vectors import direction_of, unit

AXIS: Vectors = np.array([1.0, 0.0], dtype=np.float32)


def texts_at(*similarities: float) -> Vectors:
    """Texts with these similarities to the first axis, shape (n, 2)."""
    along = np.array(similarities)
    return unit(np.stack([along, np.sqrt(1 - along**2)], axis=1))


def test_the_mean_and_the_deviation_of_the_sample_are_the_background() -> None:
    """Of the query's own similarities to it."""
    around = background(AXIS, texts_at(0.1, 0.3, 0.5))
    assert around.mean == pytest.approx(0.3)
    assert around.deviation == pytest.approx(np.std([0.1, 0.3, 0.5]), abs=1e-6)
    assert around.deviations(0.3) == pytest.approx(0, abs=1e-6)
    assert around.deviations(0.3 + 2 * around.deviation) == pytest.approx(2, abs=1e-6)


def test_the_same_similarity_counts_by_how_far_it_stands_out() -> None:
    """It is evidence where texts are far apart, and none where they are not."""
    assert Background(0.1, 0.05).confidence(0.5) > 0.9
    assert Background(0.45, 0.1).confidence(0.5) < 0.1
    assert Background(0.1, 0.05).confidence(0.1 + OUTLIER * 0.05) == pytest.approx(0.5)


@given(st.floats(-1, 1), st.floats(-1, 1), st.floats(-1, 1), st.floats(LEAST_DEVIATION, 1))
def test_confidence_is_a_share_that_grows_with_the_similarity(
    one: float, other: float, mean: float, deviation: float
) -> None:
    """Never outside 0..1."""
    around = Background(mean, deviation)
    less, more = around.confidence(min(one, other)), around.confidence(max(one, other))
    assert 0 <= less <= more <= 1


@pytest.mark.parametrize("texts", [1, 3])
def test_texts_that_are_all_alike_make_no_outlier_of_every_row(texts: int) -> None:
    """One text, or the same one three times, has no deviation to divide by."""
    query = direction_of("question", 64)
    flat = background(query, np.stack([direction_of("answer", 64)] * texts))
    assert flat.deviation == LEAST_DEVIATION
    assert flat.confidence(flat.mean + 0.01) < 0.01


def test_a_store_of_one_subject_has_a_background_of_its_own() -> None:
    """What is near everything there stands out less than where texts differ."""
    nearby = background(AXIS, texts_at(0.5, 0.6, 0.7, 0.6))
    far = background(AXIS, texts_at(0.0, 0.1, 0.2, 0.1))
    assert nearby.deviations(0.75) < far.deviations(0.75)
