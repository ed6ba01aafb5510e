"""What the pet remembers: storing, recalling, forgetting, learning; no channel, no model.

Rooms, each of which may import those before it: `model`, `language` and `embedders`, `statements`
and `vectorstores`, `rules`, `storage`, `vaults` and `transfer`, `retrieval`, `forgetting` and
`upkeep`, `learning`. Start with `model/statements.py`, then `retrieval/recall.py`.
"""

import os

# Before numpy is loaded: products of vectors this small gain nothing from OpenBLAS's threads, which
# spin for 30 ms after each one and took four times the processor time of a whole recall.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
