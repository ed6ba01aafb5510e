"""The values of a look-up: what was asked, what was considered, what was kept and why."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple
from uuid import UUID

from memory.model.audience import Audience, Scope
from memory.model.knowledge import KnowledgeId
from memory.model.messages import TurnId
from memory.model.people import AccountId, PersonId
from memory.model.rooms import Room, RoomId
from memory.model.shown import Shown
from memory.model.statements import Association
from memory.model.stores import Collection

LEAST_STEP = 0.001
"""What a row that another stands for loses at least: what answers an open question says none of its
words, so it has nothing to lose, and would be shown beside the other."""


class Section(StrEnum):
    """The headings of an injection, in the order they appear."""

    LIVE = "live"
    CORE = "core"
    MEMORY = "memory"
    NOTES = "notes"
    SUMMARIES = "summaries"
    HISTORY = "history"
    SELF = "self"
    GOALS = "goals"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is looked up before a turn, by whom, where, and what is in the window already.

    Without a `person` the question is no one's in particular; `account` is what they ask from.

    `text` is the whole batch; `context` is the quoted message or the pet's last question. `window`
    are the turns whose words are before the model, `replayed` those whose injection still is,
    `summarised` the summaries that it is told besides, `told` the lobby messages and statements
    that stand there besides. `quiet_topics` are not to be brought up.
    """

    text: str
    context: str
    speaker: str
    room: Room
    scope: Scope
    person: PersonId | None = None
    account: AccountId | None = None
    window: tuple[TurnId, ...] = ()
    replayed: tuple[TurnId, ...] = ()
    summarised: tuple[KnowledgeId, ...] = ()
    told: frozenset[UUID] = frozenset()
    quiet_topics: tuple[str, ...] = ()

    @property
    def query(self) -> str:
        """The text that is embedded and searched."""
        return f"{self.text}\n{self.context}".strip()


@dataclass(slots=True, kw_only=True)
class Candidate:
    """One row that may be worth injecting; nothing changes it once it is made.

    It is not frozen because hundreds are made for a question, which takes four times as long then.

    `ref` names the row and its revision. `words` are its stems. `sources` holds each source's rank
    (1 is best), `signals` what each signal adds to its score. `similarity` is the cosine to the
    query, None when only words found it.
    """

    section: Shown[Section]
    collection: Collection
    id: Shown[UUID]
    revision: int
    content: Shown[str]
    at: Shown[datetime]
    author: str | None = None
    author_id: PersonId | None = None
    """Who wrote a message, or whose claim a statement is."""
    author_now: str = ""
    """What they are called by now, where that is another name."""
    renamed: tuple[tuple[str, str], ...] = ()
    """Names in its words that people no longer go by, each with the name they have now."""
    teller: PersonId | None = None
    """Whose words an exchange replies to."""
    about: PersonId | None = None
    """Whom it is about, where that is known."""
    against: tuple["Candidate", ...] = ()
    """Statements of others that cannot hold beside it."""
    subjects: tuple[str, ...] = ()
    importance: float = 0.5
    words: str = ""
    question: str = ""
    """What the person said whom an exchange replies to."""
    room: RoomId | None = None
    uses: int = 0
    similarity: Shown[float | None] = None
    proven: bool = False
    """Whether it needs no further evidence: it was looked up as such, and not searched."""
    searched_for: bool = False
    """Whether it is what a search wants, and not what its look-ups brought along."""
    only_asks: bool = False
    """Whether it is found by what it asks, and answers nothing."""
    duplicate: bool = False
    """Whether another candidate tells the same and stands for both."""
    sources: Shown[dict[str, int]] = field(default_factory=dict)
    signals: dict[str, float] = field(default_factory=dict)
    worth: float = 0.0
    """What candidates are ordered by: how well it fits, with its age and use."""
    surprise: float = 0.0
    """How unlikely it is by chance that it says so much of the question; 1 is a word that no other
    row has."""
    stands_out: float = 0.0
    """Standard deviations by which its similarity is above what unrelated lines of the store have.
    """
    in_context: float = 0.0
    """The same of it together with what was said right beside it."""

    @property
    def said_by(self) -> Shown[str | None]:
        """Who wrote it, or whose claim it is."""
        return self.author

    @property
    def ref(self) -> str:
        """The row and its revision, as the ledger and the window know it."""
        return f"{self.collection}:{self.id}@{self.revision}"

    @property
    def score(self) -> float:
        """How well it fits: 1 is what a row has that says every word of the question.

        One that another stands for fits no better than what says nothing of it.
        """
        fits = sum(self.signals.values())
        return min(0.0, fits - LEAST_STEP) if self.duplicate else fits

    @property
    def is_reported(self) -> bool:
        """Whether it is what its author says of others, and is told as that."""
        is_claim = self.section is Section.MEMORY and self.author_id is not None
        return is_claim and bool(self.author) and self.about != self.author_id

    @property
    def is_wanted(self) -> bool:
        """Whether it is ranked however many there are, and stands for what is not wanted."""
        return self.proven or self.searched_for


def target_of(ref: str) -> tuple[Collection, UUID]:
    """The collection and the row that a reference names, as `Candidate.ref` writes it."""
    collection, _, rest = ref.partition(":")
    return Collection(collection), UUID(rest.partition("@")[0])


class Near(NamedTuple):
    """A row `offset` places after `of` in one conversation (before it when negative)."""

    of: UUID
    row: UUID
    offset: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A statement and a lobby message it was learnt from."""

    memory: UUID
    message: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class Company:
    """What candidates have to do with each other."""

    near: tuple[Near, ...] = ()
    told: tuple[Told, ...] = ()
    ties: tuple[Association, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Considered:
    """A candidate with what became of it: its score, whether it was kept, and the reason."""

    candidate: Candidate
    score: float
    kept: bool
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenBy:
    """The process that gave a line: its address, and what people read of it.

    `ref` is its row there; `audiences` are who must be allowed to know it.
    """

    address: str
    name: str
    ref: str
    audiences: frozenset[Audience]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecalledLine:
    """One injected line, with its age in words as they were then.

    `said_by` goes by that name now. A `reported` one is what they say of others. `against` are
    those who say otherwise.
    """

    section: Section
    content: str
    age: str
    said_by: str | None
    reported: bool = False
    against: tuple[str, ...] = ()
    then: str = ""
    """What `said_by` was called then, where that is another name."""
    renamed: tuple[tuple[str, str], ...] = ()
    """Names in its words that people no longer go by, each with the name they have now."""
    own: bool = False
    """Whether the person who is answered said it."""
    person: PersonId | None = None
    """Who said it; it is not kept with a turn."""
    given: GivenBy | None = None
    """The other process of the pet that gave it; such a line is not kept with a turn at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieval:
    """One look-up before a turn, whole, as the ledger keeps it.

    `reason` says why nothing was looked up, or is "looked up". `lines` are put before the model;
    `tokens` is the estimated size of their text.
    """

    query: str
    reason: str
    lines: tuple[RecalledLine, ...] = ()
    items: tuple[Considered, ...] = ()
    tokens: int = 0
    took_ms: float = 0.0
    asks: float = 0.0
    """What part of the query asks, and by words that tell something; in 0..1."""
    late: tuple[str, ...] = ()
    """Sources that missed the deadline or failed."""
    steps_ms: Mapping[str, float] = field(default_factory=dict)
    """What each step took, by its name."""

    @property
    def own_lines(self) -> tuple[RecalledLine, ...]:
        """The lines of this process; those of others are kept nowhere here."""
        return tuple(line for line in self.lines if line.given is None)

    @property
    def given(self) -> tuple[GivenBy, ...]:
        """Where each of the other lines is from."""
        return tuple(line.given for line in self.lines if line.given is not None)

    @property
    def injected(self) -> tuple[UUID, ...]:
        """The ids of what was put before the model."""
        return tuple(item.candidate.id for item in self.items if item.kept)
