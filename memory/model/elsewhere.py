"""What the other processes of a pet did for one that asked them. Values."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from memory.model.forgetting import Counts, Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Elsewhere:
    """Which of the pet's other processes did what they were asked, and which have not yet.

    They are named as people read them. `counts` is what would go there, where that was asked.
    """

    done: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    counts: Counts = field(default_factory=dict)

    def __bool__(self) -> bool:
        """Whether there are other processes at all."""
        return bool(self.done or self.missing)


NOWHERE = Elsewhere()
"""What a pet of one process has of others."""


def added(counts: Iterable[Counts]) -> Counts:
    """All counts together, in the order of the kinds; no kind of which there is nothing."""
    every = list(counts)
    both = {kind: sum(one.get(kind, 0) for one in every) for kind in Kind}
    return {kind: count for kind, count in both.items() if count}
