"""Questions people asked, and how the answers were graded."""

from dataclasses import dataclass
from datetime import datetime

from memory.model.messages import TurnId


@dataclass(frozen=True, slots=True, kw_only=True)
class PastQuestion:
    """Something a person asked once, for which something was injected."""

    turn: TurnId
    text: str
    speaker: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Graded:
    """What a rater's labels came to; the shares and the mean reciprocal rank are in 0..1.

    `ranking` names the settings the lines were ranked with.
    """

    ranking: str
    questions: int
    lines: int
    precision: float
    helped: float
    mrr: float
