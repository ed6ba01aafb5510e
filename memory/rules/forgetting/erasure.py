"""What becomes of a statement when the words it rests on go: it goes, keeps a part, or stays. Pure.

What rests on the words of several people is everybody's: the others keep their part of it. Whose it
is to have forgotten says `memory/model/authority.py`.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from memory.language.names import names_in
from memory.language.text import fold, stems
from memory.model.audience import Audience
from memory.model.authority import Actor, Ownership, RowChange, Ruling, ruling
from memory.model.messages import MessageId
from memory.model.people import PersonId
from memory.rules.corroboration import corroborates
from memory.rules.forgetting.topic import Topic


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceMessage:
    """A message a statement rests on; `goes` when it is to be forgotten itself.

    It `stands` unless its author says otherwise by now, or has a statement of their own of it.
    """

    message: MessageId
    person: PersonId | None
    author: str
    text: str
    goes: bool
    stands: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """A statement that may have to go, with the messages behind it that still stand.

    `named` when it was chosen by its id; `muted` when it is recalled no more already, at the wish
    of whom it is about.
    """

    id: UUID
    store: str
    content: str
    subjects: tuple[str, ...]
    said_by: str | None
    person: PersonId | None
    about: PersonId | None
    audience: Audience
    grounds: tuple[SourceMessage, ...]
    ownership: Ownership
    said_at: datetime
    named: bool = False
    muted: bool = False

    @property
    def lost(self) -> tuple[SourceMessage, ...]:
        """What it rests on that goes."""
        return tuple(one for one in self.grounds if one.goes)

    @property
    def left(self) -> tuple[SourceMessage, ...]:
        """What it rests on that stays."""
        return tuple(one for one in self.grounds if not one.goes)

    @property
    def loses_author(self) -> bool:
        """Whether all that its author said of it goes."""
        return any(map(self._is_authors, self.lost)) and not any(map(self._is_authors, self.left))

    @property
    def heirs(self) -> tuple[SourceMessage, ...]:
        """What stays and says the same on the word of others, the earliest first."""
        speakers = {one.author for one in self.grounds}
        said = (
            one
            for one in self.left
            if one.stands
            and corroborates(one.text, self.content, subjects=self.subjects, speakers=speakers)
        )
        return tuple(sorted(said, key=lambda one: one.message))

    def _is_authors(self, ground: SourceMessage) -> bool:
        if self.ownership.speaker is not None:
            return ground.person == self.ownership.speaker
        return self.said_by is not None and fold(ground.author) == fold(self.said_by)

    @property
    def words(self) -> list[str]:
        """The stems of what it says and is about."""
        return stems(" ".join((self.content, *self.subjects)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Someone:
    """A person by their id and every name they go by, beside the names of everybody else."""

    id: PersonId
    names: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()

    def goes_by(self, name: str | None) -> bool:
        """Whether a name is theirs."""
        return name is not None and fold(name) in {fold(one) for one in self.names}


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is to be forgotten, as far as it decides about one statement.

    `topic` and `person` are those of the selector, `about` whether what others said about the
    person goes too. `actor` is who asks; `asker` the same by their names, where they ask by their
    own word.
    """

    actor: Actor
    topic: Topic | None = None
    person: Someone | None = None
    about: bool = False
    asker: Someone | None = None


class KeptBecause(StrEnum):
    """Why a row that was looked at is kept."""

    SHARED = "shared"
    """Others said it too: their part of it stays."""
    SAID_BY_OTHERS = "said by others"
    """Others said it, and it is not about who asks."""
    NAMES_OTHERS = "names others"
    """It is about others as well."""


@dataclass(frozen=True, slots=True)
class ErasureVerdict:
    """What becomes of a statement: it `goes`, or is kept, and `why`; None when it is not meant.

    One that is `muted` is kept and recalled no more.
    """

    goes: bool
    why: KeptBecause | None = None
    muted: bool = False


_GOES = ErasureVerdict(goes=True)
_SHARED = ErasureVerdict(goes=False, why=KeptBecause.SHARED)
_MUTED = ErasureVerdict(goes=False, muted=True)
_NOT_MEANT = ErasureVerdict(goes=False)


def fate_of(stated: Stated, wanted: Wanted) -> ErasureVerdict:
    """What becomes of a statement."""
    if stated.named:
        return _for_asker(stated, wanted)
    if stated.lost and not stated.left:
        return _GOES if _may_delete(stated, wanted) else _SHARED
    if stated.lost:
        return _SHARED if _is_shared(stated, wanted) else _GOES
    if wanted.topic is not None and not wanted.topic.is_among(stated.words):
        return _NOT_MEANT
    return _by_person(stated, wanted)


def fate_unsaid(stated: Stated) -> ErasureVerdict:
    """What becomes of a statement when words it rests on are taken back where they were said.

    What another person said stays theirs, also if nothing else is left of what is behind it.
    """
    if not stated.left:
        writers = {None, *(one.person for one in stated.lost)}
        return _GOES if stated.person in writers else _NOT_MEANT
    if not stated.loses_author:
        return _NOT_MEANT
    return _SHARED if stated.heirs else _GOES


def _by_person(stated: Stated, wanted: Wanted) -> ErasureVerdict:
    person = wanted.person
    if person is None or _is_said_by(stated, person):
        return _for_asker(stated, wanted)
    if not wanted.about or not _is_about(stated, person):
        return _NOT_MEANT
    if _names_others(stated, person):
        return ErasureVerdict(goes=False, why=KeptBecause.NAMES_OTHERS)
    return _for_asker(stated, wanted)


def _may_delete(stated: Stated, wanted: Wanted) -> bool:
    return ruling(wanted.actor, stated.ownership, RowChange.DELETE) is Ruling.ALLOWED


def _for_asker(stated: Stated, wanted: Wanted) -> ErasureVerdict:
    match ruling(wanted.actor, stated.ownership, RowChange.DELETE):
        case Ruling.ALLOWED:
            return _GOES
        case Ruling.MUTED if wanted.asker is not None and _names_others(stated, wanted.asker):
            return ErasureVerdict(goes=False, why=KeptBecause.NAMES_OTHERS)
        case Ruling.MUTED:
            return _NOT_MEANT if stated.muted else _MUTED
        case Ruling.REFUSED:
            others = KeptBecause.SAID_BY_OTHERS
            return _NOT_MEANT if stated.muted else ErasureVerdict(goes=False, why=others)


def _is_said_by(stated: Stated, person: Someone) -> bool:
    if stated.grounds:
        return all(one.person == person.id for one in stated.grounds)
    return stated.person == person.id or (stated.person is None and person.goes_by(stated.said_by))


def _is_about(stated: Stated, person: Someone) -> bool:
    named = any(person.goes_by(subject) for subject in stated.subjects)
    return stated.about == person.id or named or bool(names_in(stated.content, person.names))


def _names_others(stated: Stated, person: Someone) -> bool:
    text = " ".join((stated.content, *stated.subjects))
    return bool(names_in(text, person.others))


def _is_shared(stated: Stated, wanted: Wanted) -> bool:
    """Whether what others said carries a part of it, and of the topic where there is one.

    What was one author's claim stays only where others say it too.
    """
    kept = stated.heirs if stated.loses_author else stated.left
    left = stems(" ".join(one.text for one in kept))
    topic = wanted.topic
    if topic is not None and topic.is_among(stated.words) and not topic.is_among(left):
        return False
    if stated.loses_author:
        return bool(kept)
    names = stems(" ".join((*stated.subjects, *(one.author for one in stated.grounds))))
    return bool(_telling(stems(stated.content), names) & {*left})


def _telling(said: Sequence[str], names: Collection[str]) -> set[str]:
    return {*said} - {*names}
