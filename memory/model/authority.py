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

    `space` is the community that an actor of mandate `SPACE` manages.
    """

    person: PersonId | None = None
    mandate: Mandate = Mandate.OWN
    space: SpaceId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ownership:
    """Whose a row is: the people on whose words it rests, and whom it is about.

    No author is known of what came by a note, a seed or an import without one: such a row is
    changed by an explicit command only.
    """

    store: Store = Store.MEMORY
    authors: frozenset[PersonId] = frozenset()
    about: PersonId | None = None
    visibility: Visibility = Visibility.SPACE
    space: SpaceId | None = None


def ruling(actor: Actor, row: Ownership, change: RowChange) -> Ruling:
    """What becomes of a row that an actor wants changed."""
    if _commands(actor, row) or _said_it_alone(actor, row):
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


def _said_it_alone(actor: Actor, row: Ownership) -> bool:
    """Whether it rests on the actor's words alone; what is for everybody has no owner."""
    if row.store is not Store.MEMORY and row.visibility is Visibility.EVERYONE:
        return False
    return actor.person is not None and row.authors == {actor.person}


def _is_about(actor: Actor, row: Ownership) -> bool:
    return actor.person is not None and row.about == actor.person
