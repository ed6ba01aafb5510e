"""What the ledger keeps of model calls and of look-ups."""

from dataclasses import dataclass
from datetime import datetime

from memory.model.messages import TurnId
from memory.model.people import PersonId
from memory.model.retrieval import Section
from memory.model.rooms import RoomId, SpaceId
from memory.model.shown import Shown

DOLLAR = 1_000_000_000
"""A dollar, in the units of the ledger."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCall:
    """What one model call cost; tokens as the provider counted them.

    `injected` are estimated, and so are `estimated`: all that was sent, as it was taken for.
    `answers` is 1 where it began one; `cost` is in billionths of a dollar, 0 without a known price.
    `audio_ms` is how long the sound was that it listened to.
    """

    purpose: str
    model: str
    outcome: str
    person: PersonId | None
    space: SpaceId | None
    room: RoomId | None = None
    answers: int = 0
    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    injected: int = 0
    estimated: int = 0
    cost: int
    audio_ms: int = 0
    took_ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DaySpending:
    """What the calls of one purpose, person and community came to.

    `input` are fresh tokens, as an estimate for calls of which the provider counted nothing.
    """

    purpose: str
    person: PersonId | None
    space: SpaceId | None
    answers: int
    input: int
    output: int
    cost: int
    audio_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CallTotals:
    """What calls came to; `injected` are estimated, a part of what was sent.

    `input` and `cache_write` are fresh, `cache_read` is what a cache had. `answers` are turns
    begun. `cost` is in billionths of a dollar, `audio_ms` is how much sound was listened to.
    """

    calls: Shown[int] = 0
    answers: Shown[int] = 0
    input: Shown[int] = 0
    output: Shown[int] = 0
    cache_read: Shown[int] = 0
    cache_write: Shown[int] = 0
    cost: int = 0
    injected: Shown[int] = 0
    audio_ms: int = 0

    @property
    def minutes(self) -> Shown[float]:
        """How many minutes of sound were listened to."""
        return round(self.audio_ms / 60_000, 1)

    @property
    def sent(self) -> int:
        """All tokens that were sent, whether a cache had them or not."""
        return self.input + self.cache_read + self.cache_write

    @property
    def dollars(self) -> Shown[float]:
        """What they cost."""
        return self.cost / DOLLAR

    @property
    def injected_share(self) -> Shown[float]:
        """The part of what was sent that automatic recall added, in 0..1."""
        return round(self.injected / self.sent, 3) if self.sent else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PurposeUsage(CallTotals):
    """What the calls of one purpose came to."""

    purpose: Shown[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookup:
    """Why something was looked up for a turn or not, what it cost, how many rows were judged.

    `query` is "" once a message of the turn was edited or taken back. `late` are the sources that
    missed the deadline, and `elsewhere` the process that gave each line which is not of this
    one. At `trimmed_at` the rows that had been dropped were removed.
    """

    reason: Shown[str]
    query: str = ""
    considered: Shown[int] = 0
    tokens: Shown[int] = 0
    took_ms: Shown[float] = 0.0
    late: Shown[tuple[str, ...]] = ()
    elsewhere: Shown[tuple[str, ...]] = ()
    trimmed_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """One row that was considered for a turn, with what spoke for it and what became of it.

    `sources` holds its rank in each source (1 is best), `signals` what each signal added to its
    `score`. `worth` is the score with age and use, by which rows were ordered; `confidence` is in
    0..1, and a `proven` row needs none. For a `duplicate` another one stood.
    """

    section: Section
    ref: str
    sources: dict[str, int]
    signals: dict[str, float]
    score: float
    worth: float
    confidence: float
    proven: bool
    duplicate: bool
    kept: bool
    reason: str
    useful: bool | None = None
    """What a person said of it; None is not said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PastQuestion:
    """Something a person asked once in a room, for which something was looked up."""

    turn: TurnId
    text: str
    speaker: str
    person: PersonId
    room: RoomId
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
