"""What a forgetting comes to: what it will take, what it keeps, what it took. Values."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from memory.model.elsewhere import NOWHERE, Elsewhere
from memory.model.errors import EkoMemoryError
from memory.model.forgetting import Counts, Kind
from memory.model.people import PersonId
from memory.model.rooms import SpaceId
from memory.model.shown import Shown
from memory.rules.forgetting.erasure import KeptBecause
from memory.rules.forgetting.selector import NamedRows

CONFIRM_WITHIN = timedelta(minutes=10)
"""How long a preview can be confirmed: later, what it showed is no longer remembered."""

UNDO_WITHIN = timedelta(hours=24)
"""How long it can be undone: then it is purged, for good."""


class ForgettingState(StrEnum):
    """How far a forgetting has come."""

    PREVIEWED = "previewed"
    FORGOTTEN = "forgotten"
    """Out of reach of everything, and it can still be undone."""
    UNDONE = "undone"
    PURGING = "purging"
    """It cannot be undone any more; its bytes are being removed."""
    PURGED = "purged"


@dataclass(frozen=True, slots=True)
class Sample:
    """What rows that go say, when the latest of them was said, and which they are."""

    kind: Shown[Kind]
    text: Shown[str]
    at: Shown[datetime]
    rows: NamedRows


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A line of a preview, and the rows that say it."""

    text: str
    rows: NamedRows


@dataclass(frozen=True, slots=True)
class KeptRow:
    """One row that stays although it was looked at, and why; who said it, as far as is known."""

    text: Shown[str]
    why: Shown[KeptBecause]
    said_by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What would be forgotten, with at most five samples of each kind, and what would stay.

    What is `offered` may be meant as well, and stays unless it is named. Of all of it only what
    the asker may read is shown; all that goes is counted. `token` confirms it; "" when it was only
    looked at.
    """

    counts: Shown[Counts]
    samples: Shown[tuple[Sample, ...]]
    kept: Shown[tuple[KeptRow, ...]]
    offered: tuple[Sample, ...] = ()
    token: str = ""
    elsewhere: Elsewhere = NOWHERE
    """What would go in other processes of the pet; it is in `counts` as well."""

    @property
    def lines(self) -> tuple[ShownLine, ...]:
        """The samples as they are shown, in this order: each text once."""
        return _lines(self.samples)

    @property
    def offered_lines(self) -> tuple[ShownLine, ...]:
        """The lines that may be meant as well, numbered on from the others."""
        said = {line.text for line in self.lines}
        return tuple(line for line in _lines(self.offered) if line.text not in said)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing of the kind."""
        return not any(self.counts.values())


def _lines(samples: Iterable[Sample]) -> tuple[ShownLine, ...]:
    said: dict[str, NamedRows] = {}
    for one in samples:
        said[one.text] = said.get(one.text, NamedRows()) | one.rows
    return tuple(ShownLine(text, rows) for text, rows in said.items() if text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What stays known of a forgetting: figures and moments, no words and no names.

    Without a `person` it was asked for by a manager of the community that it `manages`, or by the
    operator. `more` is how many messages came in between its preview and its confirmation.
    """

    id: Shown[int]
    state: Shown[ForgettingState]
    kinds: tuple[str, ...]
    person: PersonId | None
    manages: SpaceId | None = None
    counts: Shown[Counts]
    previewed_at: Shown[datetime]
    forgotten_at: Shown[datetime | None]
    undone_at: Shown[datetime | None]
    purged_at: Shown[datetime | None]
    more: Shown[int] = 0
    elsewhere: Elsewhere = NOWHERE
    """Which other processes of the pet have forgotten it too, as far as is known."""

    @property
    def by(self) -> Shown[tuple[str, ...]]:
        """By which criteria it was chosen."""
        return self.kinds

    @property
    def asked_by(self) -> Shown[str]:
        """A person's id; a manager by their community, as the audit log has it; or the operator."""
        if self.person is None and self.manages is not None:
            return f"manager:{self.manages}"
        return self.person or "operator"

    @property
    def undo_until(self) -> Shown[datetime | None]:
        """The first moment at which it cannot be undone any more."""
        is_open = self.state is ForgettingState.FORGOTTEN and self.forgotten_at is not None
        return self.forgotten_at + UNDO_WITHIN if is_open and self.forgotten_at else None


@dataclass(frozen=True, slots=True, kw_only=True)
class LookedFor:
    """One place where what was forgotten was looked for afterwards, and how much of it is there.

    `looked_for` are texts, or the marks that are left of them. `same_words` are rows that say the
    same without being what was forgotten: other people's own, or told anew since.
    """

    place: Shown[str]
    looked_for: Shown[int]
    found: Shown[int]
    same_words: Shown[int] = 0
    at: Shown[datetime]


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone:
    """What an undoing gave back; `changed_since` were changed meanwhile and left as they are."""

    receipt: Shown[Receipt]
    restored: Shown[int]
    changed_since: Shown[int]
    elsewhere: Elsewhere = NOWHERE
    """Which other processes of the pet have given it back too, as far as is known."""


class NothingToConfirm(EkoMemoryError):
    """No preview of this person waits, or it is too old."""


class NothingToUndo(EkoMemoryError):
    """There is no such forgetting, or it can no longer be undone."""


class NothingChosen(EkoMemoryError):
    """A selector that chooses by nothing."""
