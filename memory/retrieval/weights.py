"""What each signal of the ranking counts."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from memory.model.statements import Relation
from memory.retrieval.spreading_activation import RELATION_WEIGHTS

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """What each signal counts, as `benchmarks.fit_ranking` leaves it. 0 switches a signal off."""

    repetition: float = 1.0
    """BM25's k1: chat repeats a word for no reason, so a second one adds little."""
    length: float = 0.7
    """BM25's b: a longer message is less about its words."""
    after: tuple[float, ...] = (0.4, 0.2)
    """What a row lends to the next and the one after it: answers follow their question's words."""
    before: tuple[float, ...] = (0.32, 0.16)
    """What it lends to the rows before it."""
    enough: float = 1.2
    """Where one word stops adding up, however many neighbours say it too; 0 for nowhere."""
    brief: float = 50.0
    """Stems up to which a row takes all of what is lent to it; a longer one takes less."""
    stretch: float = 0.2
    """What a word counts that is said in the same stretch of talk."""
    named: float = 0.4
    """A message of, or a statement about, a person the question names."""
    named_too: float = 0.5
    """What each further one counts beside the first."""
    proper: float = 0.12
    """Says the proper nouns of the question; a part of them counts in part."""
    speaker: float = 0.1
    """A message of, or a statement about, who asks, when the question is about them."""
    mentioned: float = 0.1
    """Says the name of a person the question names."""
    period: float = 0.6
    """Said in a time the question names; half of it a little before or after."""
    tied: float = 0.1
    """What a statement gains of the fit of those it is tied to."""
    hops: int = 1
    """How far that reaches."""
    relations: Mapping[Relation, float] = field(default_factory=lambda: RELATION_WEIGHTS)
    """What each kind of tie passes on."""
    recent: float = 0.15
    """What was said last, for the part of a message that asks nothing: it goes on with the talk."""
    recent_rows: float = 15.0
    """By the how manieth row, counted back from now, most of that is gone."""
    meaning: float = 0.05
    """For each standard deviation by which a similarity stands out of the store's background."""
    meaning_from: float = 1.0
    """The deviations at which that begins."""
    meaning_near: float = 0.3
    """What similarity a row lends to the rows right beside it."""
    meaning_told: float = 0.5
    """What similarity a statement lends to the message it was learnt from."""
