"""Who may change a row, as `audience.py` says who may know it. Values, and pure.

Both must hold: a reader who may not know a row cannot change it either. The
rule is asked with people and not with names: two people of one name are two people.
"""

from dataclasses import dataclass
from enum import StrEnum

from memory.model.people import PersonId
from memory.model.rooms import SpaceId, Visibility
from memory.model.stores import Store


class Mandate(StrEnum):
    """How far the word of an actor goes, by the way in which it was given."""

    OWN = "own"
    """Talk, an operator's too, and what a model or the offline pet makes of it; commands of people
    without a further right. Their own affairs."""
    SPACE = "space"
    """An explicit command of the manager of a community: what was said there."""
    PET = "pet"
    """An explicit command of the operator: everything."""


class RowChange(StrEnum):
    """What is to become of a row."""

    DELETE = "delete"
    """It is forgotten."""
    CORRECT = "correct"
    """Another statement is put in its place, by its id."""
    SUPERSEDE = "supersede"
    """A statement takes its place because of what it says."""


class Ruling(StrEnum):
    """What an actor can have done to a row."""

    ALLOWED = "allowed"
    MUTED = "muted"
    """It is recalled no more, and stays where its author said it."""
    REFUSED = "refused"
    """Nothing; they may add what they say themselves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """Who wants a row changed; `person` is None for the command line and for the pet's own jobs.

    `space` is the community that an actor of mandate `SPACE` manages. `via` is the way by which the
    command came, for the audit log, where that is not the command line: a session, a key.
    """

    person: PersonId | None = None
    mandate: Mandate = Mandate.OWN
    space: SpaceId | None = None
    via: str = ""

    @property
    def commands(self) -> bool:
        """Whether it is an explicit command, and not one's own word."""
        return self.mandate is not Mandate.OWN

    @property
    def is_operator(self) -> bool:
        """Whether it is an explicit command of the operator."""
        return self.mandate is Mandate.PET


BY_OPERATOR = Actor(mandate=Mandate.PET)
"""An explicit command on the machine of the pet; tests/rules holds that no talk is one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ownership:
    """Whose a row is: the people on whose words it rests, and whom it is about.

    Where several people's words are behind it, `speaker` is the one of them who said it so, and
    the others are what it was said in answer to; None where that cannot be told. `private_to` is
    the one person who may know it. No author is known of what came by a note, a seed or an import
    without one: such a row is changed by an explicit command only.
    """

    store: Store = Store.MEMORY
    authors: frozenset[PersonId] = frozenset()
    speaker: PersonId | None = None
    about: PersonId | None = None
    private_to: PersonId | None = None
    visibility: Visibility = Visibility.SPACE
    space: SpaceId | None = None


def ruling(actor: Actor, row: Ownership, change: RowChange) -> Ruling:
    """What becomes of a row that an actor wants changed."""
    if _commands(actor, row) or _owns(actor, row, change):
        return Ruling.ALLOWED
    if change is RowChange.DELETE and row.store is Store.MEMORY and _is_about(actor, row):
        return Ruling.MUTED
    return Ruling.REFUSED


def _commands(actor: Actor, row: Ownership) -> bool:
    """Whether an explicit command reaches the row."""
    if actor.mandate is Mandate.PET:
        return True
    shared = row.visibility in {Visibility.SPACE, Visibility.ROOM}
    return actor.mandate is Mandate.SPACE and shared and row.space == actor.space


def _owns(actor: Actor, row: Ownership, change: RowChange) -> bool:
    """Whether it is the actor's own; what the pet says of itself to everybody has no owner."""
    if actor.person is None or _is_for_everybody(row):
        return False
    if row.authors == {actor.person} or row.private_to == actor.person:
        return True
    # A change of mind takes one's own word back, whatever question it answered; deleting would
    # also take what the others said of it.
    return change is not RowChange.DELETE and row.speaker == actor.person


def _is_for_everybody(row: Ownership) -> bool:
    return row.store is not Store.MEMORY and row.visibility is Visibility.EVERYONE


def _is_about(actor: Actor, row: Ownership) -> bool:
    return actor.person is not None and row.about == actor.person
