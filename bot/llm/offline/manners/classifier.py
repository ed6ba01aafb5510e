"""What a message is, by a fitted classifier: multinomial logistic regression. Pure.

A feature weighs the logarithm of how rare it is among the messages that were fitted to, a message
has length one, and the chances are the softmax of the sums (Bishop 2006, 4.3.4).
`benchmarks/fit_manners.py` fits the weights.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import inf

import numpy as np
from numpy.typing import NDArray

from bot.llm.offline.manners.acts import MEMBERS, Family, SpeechAct
from memory.language.text_features import text_features

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class ActWeights:
    """A row of weights for each feature, a column for each act and one for French.

    `rarity` scales the features.
    """

    acts: tuple[SpeechAct, ...]
    place: Mapping[str, int]
    rarity: Floats
    rows: NDArray[np.int8]
    scale: float
    bias: Floats

    def scores(self, features: Collection[str]) -> Floats:
        """A number for each act and, last, for French: logarithms of odds, but for a constant."""
        at = sorted(self.place[one] for one in features if one in self.place)
        if not at:
            return self.bias
        size = self.rarity[at] / np.linalg.norm(self.rarity[at])
        found = self.bias + self.scale * (size @ self.rows[at].astype(np.float32))
        return found.astype(np.float32)


@dataclass(frozen=True, slots=True)
class Guess:
    """The likeliest act and family of a message, each with its chance, in 0..1.

    `french` is the logarithm of the odds that it is French, and not English.
    """

    act: SpeechAct
    chance: float
    family: Family
    family_chance: float
    french: float


@cache
def load_weights() -> ActWeights:
    """The fitted weights, read once."""
    with files(__package__).joinpath("weights.npz").open("rb") as file:
        kept = np.load(file, allow_pickle=False)
        return ActWeights(
            acts=tuple(map(SpeechAct, kept["acts"].tolist())),
            place={name: at for at, name in enumerate(str(kept["features"]).split("\n"))},
            rarity=kept["rarity"],
            rows=kept["rows"],
            scale=float(kept["scale"]),
            bias=kept["bias"],
        )


def guess(
    text: str,
    called: Collection[str],
    known: ActWeights | None = None,
    *,
    without: Collection[SpeechAct] = (),
) -> Guess:
    """What a message most likely is; `called` are the pet's names, folded.

    `without` are acts that it cannot be.
    """
    by = known or load_weights()
    *found, french = by.scores(text_features(text, called)).tolist()
    scores = [-inf if act in without else one for act, one in zip(by.acts, found, strict=True)]
    odds = np.exp(np.array(scores) - max(scores))
    chances = dict(zip(by.acts, (odds / odds.sum()).tolist(), strict=True))
    act = max(chances, key=chances.__getitem__)
    families = {family: sum(chances.get(one, 0.0) for one in MEMBERS[family]) for family in Family}
    family = max(families, key=families.__getitem__)
    return Guess(act, chances[act], family, families[family], french)
