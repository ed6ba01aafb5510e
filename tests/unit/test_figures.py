from benchmarks.figures import middle, p95_of_each, percentile


def test_a_percentile_is_a_value_that_was_measured() -> None:
    """The nearest rank, so that one slow run in a hundred is not averaged away."""
    values = [float(value) for value in range(100, 0, -1)]
    assert percentile(values, 0.5) == 50
    assert percentile(values, 0.99) == 99
    assert percentile(values, 1) == 100
    assert percentile([7.0], 0.01) == 7


def test_nothing_measured_is_zero() -> None:
    """A source that was never asked has no slow end."""
    assert percentile([], 0.95) == 0


def test_one_strange_run_does_not_move_the_middle() -> None:
    """That is why there are several."""
    assert middle([3, 1, 100]) == 3


def test_sources_are_listed_slowest_first() -> None:
    """Whoever reads the figures looks for what dominates."""
    assert list(p95_of_each({"quick": [1.0], "slow": [9.0]})) == ["slow", "quick"]
