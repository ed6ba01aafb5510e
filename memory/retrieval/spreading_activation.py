"""Spreading activation over associations: what hangs together with what was found. Pure.

Collins and Loftus 1975; constrained as Crestani 1997 surveys it: by distance (a few hops, each
weaker), by relation, and by fan-out (a statement with many ties passes less along each).
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt

from memory.model.statements import Association, MemoryId, Relation

RELATION_WEIGHTS: Mapping[Relation, float] = {
    Relation.RELATED_TO: 0.5,
    Relation.UPDATES: 0.5,
    Relation.CONTRADICTS: 0.3,
    Relation.CAUSED_BY: 1.0,
    Relation.RESULT_OF: 1.0,
    Relation.PART_OF: 0.8,
}
"""What a tie passes on: most where words said that the two belong together, less for likeness,
which search sees by itself. What was superseded is recalled no more, so its ties seldom count."""

Scores = Mapping[MemoryId, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reaching:
    """How activation spreads: `hops` from the seeds, each passing on `decay` of what it gets."""

    hops: int = 1
    decay: float = 0.5
    weights: Mapping[Relation, float] = field(default_factory=lambda: RELATION_WEIGHTS)


def spread(
    seeds: Scores, associations: Sequence[Association], reaching: Reaching | None = None
) -> dict[MemoryId, float]:
    """What each statement gains from the seeds: the score of one reached, the addition to a seed's.

    Ties lead both ways. Nothing flows straight back along the tie that it came by, or every seed
    would gain from its own neighbours merely for having some. A statement that gains nothing is
    left out.
    """
    reaching = reaching or Reaching()
    ties = _ties_of(associations, reaching)
    gained: dict[MemoryId, float] = defaultdict(float)
    flows: list[_Flow] = [(seed, None, score) for seed, score in seeds.items()]
    for _ in range(reaching.hops):
        flows = _passed_on(flows, ties, reaching.decay)
        for reached, _by, amount in flows:
            gained[reached] += amount
    return dict(gained)


_Tie = tuple[int, MemoryId, float]
"""Which association it is, where it leads, and what part of the activation it passes on."""

_Flow = tuple[MemoryId, int | None, float]
"""Where activation has come, by which association, and how much."""


def _ties_of(associations: Sequence[Association], reaching: Reaching) -> dict[MemoryId, list[_Tie]]:
    counted = [one for one in associations if reaching.weights.get(one.relation, 0.0) > 0]
    degrees = Counter(end for one in counted for end in (one.start, one.end))
    ties: dict[MemoryId, list[_Tie]] = defaultdict(list)
    for number, one in enumerate(counted):
        passes = reaching.weights[one.relation] * one.weight
        ties[one.start].append((number, one.end, passes / sqrt(degrees[one.start])))
        ties[one.end].append((number, one.start, passes / sqrt(degrees[one.end])))
    return ties


def _passed_on(
    flows: Sequence[_Flow], ties: Mapping[MemoryId, Sequence[_Tie]], decay: float
) -> list[_Flow]:
    """Every flow one hop further; those that take one tie together go on as one."""
    amounts: dict[tuple[MemoryId, int], float] = defaultdict(float)
    for at, came_by, amount in flows:
        for number, leads_to, passes in ties.get(at, ()):
            if number != came_by:
                amounts[leads_to, number] += decay * passes * amount
    return [(reached, by, amount) for (reached, by), amount in amounts.items() if amount > 0]
