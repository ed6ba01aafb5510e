"""What fits by descent share: sparse rows as a dense block, and Adam (Kingma and Ba 2015)."""

from collections.abc import Sequence

import numpy as np

from memory.claims.features import Floats, Places


class Adam:
    """Moves weights against a slope; those of a row move only with the batches it is in."""

    def __init__(self, weights: Floats) -> None:
        self.weights = weights
        self._first, self._second = (np.zeros_like(weights) for _ in range(2))

    def step(self, slope: Floats, pace: float, at: Places | slice = slice(None)) -> None:
        """Move the rows `at`, all by default."""
        self._first[at] = 0.9 * self._first[at] + 0.1 * slope
        self._second[at] = 0.999 * self._second[at] + 0.001 * slope**2
        self.weights[at] -= pace * self._first[at] / (np.sqrt(self._second[at]) + 1e-6)


def dense_block(
    batch: Places, rows: Sequence[Places], values: Sequence[Floats]
) -> tuple[Floats, Places]:
    """Some sparse rows as a dense block, and the places that are its columns.

    What stands twice at one place of a row is added.
    """
    among = [rows[one] for one in batch]
    columns, where = np.unique(np.concatenate(among), return_inverse=True)
    dense = np.zeros((len(batch), len(columns)), dtype=np.float32)
    row = np.repeat(np.arange(len(batch)), [len(one) for one in among])
    np.add.at(dense, (row, where), np.concatenate([values[one] for one in batch]))
    return dense, columns
