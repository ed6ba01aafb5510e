"""How often benchmarks repeat what they time: as figures need it, or to see that they run."""

import os

SHORT = "BENCHMARKS_SHORT"
"""Set in the environment, it has a benchmark run through, whatever its figures are worth then."""


def is_short() -> bool:
    """Whether nobody reads the figures of this run."""
    return bool(os.environ.get(SHORT))


def times(for_figures: int, to_see: int) -> int:
    """How often something is done: so often for figures, or just to see that it runs."""
    return to_see if is_short() else for_figures
