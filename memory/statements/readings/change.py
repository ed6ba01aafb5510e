"""Whether a statement says that what an earlier one says has ended, moved or come true. Pure.

A statement ends another one only of the same people and the same matter, and of the same thing
where people may have several. How each matter is put stands in `change_patterns.py`.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from memory.language.detection import negated
from memory.language.text import light_stems, stems
from memory.model.statements import Memory, NewMemory, Statement
from memory.statements.readings.change_patterns import (
    AGAIN,
    DIETS,
    EVENT_MOVED,
    FILLING,
    IN_PASSING,
    NO_ACTIVITY,
    NO_LONGER,
    NOT_EATEN,
    POSSESSES,
    STOPPED,
    TABLE,
    TRAVELS,
    TRIPS,
    WANTED,
    Agreement,
    Matter,
    first_thing,
    is_past,
)
from memory.statements.readings.decision import is_correction, of_one_kind
from memory.statements.readings.subject import SPEAKER, WE, Clause, clause_of
from memory.statements.readings.things import (
    ARTICLES,
    MATTERS,
    VAGUE,
    Sameness,
    Thing,
    all_of,
    first_clause,
    identity,
    is_elsewhere,
    meeting,
    thing_in,
    times,
    within,
)

_CACHED = 4_096
"""Statements whose reading is remembered."""

_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


@dataclass(frozen=True, slots=True)
class _Told:
    """A statement as it is compared: its people, its words without filling, whether it denies."""

    clause: Clause
    said: str
    is_negated: bool
    is_correction: bool
    year: int | None
    """The earliest year it names."""


def ends(new: Statement, kept: Statement) -> Sameness:
    """How surely a statement says that an earlier one holds no more.

    Both must be told of the same people. It is `SURELY` where the matter and the thing agree.
    """
    fresh, old = _told(new), _told(kept)
    if not fresh.clause.is_told or not old.clause.is_told:
        return Sameness.NO
    since = kept.valid_from if isinstance(kept, Memory) else None
    if fresh.year is not None and since is not None and fresh.year < since.year:
        return Sameness.NO  # "left Airbus in 2010" was so before
    same_person = None not in (new.about_person, kept.about_person)
    people = _People(fresh.clause, old.clause, are_known=same_person)
    return max(reading(fresh, old, people) for reading in _READINGS)


def may_be_of_one_person(new: Statement, kept: Statement) -> bool:
    """Whether two statements share their people, or one names those of the other."""
    one, other = _told(new), _told(kept)
    theirs, known = one.clause.people, other.clause.people
    if not theirs or not known or theirs & known:
        return True
    return _name(other.said, theirs) or _name(one.said, known)


def _name(said: str, people: frozenset[str]) -> bool:
    return set(stems(" ".join(people))) <= set(stems(said))


def is_of_one_matter(new: Statement, kept: Statement) -> bool:
    """Whether two statements of one person share their matter, whatever they say of it.

    Where the words of both tell a matter those must meet; otherwise what they name must.
    """
    if ends(new, kept) is not Sameness.NO:
        return True
    fresh, old = _told(new), _told(kept)
    people = frozenset(stems(" ".join(fresh.clause.people | old.clause.people)))
    one, other = (identity(told.said) - people - light_stems() for told in (fresh, old))
    matters = [{place for place, of in enumerate(MATTERS) if of & said} for said in (one, other)]
    if all(matters):
        return not matters[0].isdisjoint(matters[1])
    return bool(one & other) or of_one_kind(fresh.said, old.said)


@dataclass(frozen=True, slots=True)
class _People:
    """The people of two statements; `are_known` to be the same by their ids."""

    new: Clause
    kept: Clause
    are_known: bool

    @property
    def are_same(self) -> bool:
        if self.new.people == self.kept.people:
            return True
        names = [*self.new.people, *self.kept.people]
        return self.are_known and len(names) == 2 and not any("'s " in name for name in names)

    @property
    def of_thing(self) -> Sameness:
        """How surely a thing that is told of is one person's: the speaker's may be without any."""
        if self.are_same:
            return Sameness.SURELY
        owned = self.new.people | self.kept.people
        is_bare = not self.new.people or not self.kept.people
        if not is_bare:
            return Sameness.NO
        return Sameness.SURELY if owned <= {WE, SPEAKER} else Sameness.MAYBE


def _by_table(new: _Told, kept: _Told, people: _People) -> Sameness:
    found = Sameness.NO
    for matter in TABLE:
        ended = first_thing(matter.ends, new.said)
        if ended is None:
            continue
        held = first_thing(matter.holds, kept.said)
        if held is not None and not kept.is_negated and not _is_over(matter, kept):
            found = max(found, _LINKS[matter.link](thing_in(ended), thing_in(held), people))
    return found


def _is_over(matter: Matter, kept: _Told) -> bool:
    """Whether a statement tells of the end itself: "has recovered from the flu"."""
    is_end = first_thing(matter.ends, kept.said) is not None
    return is_end and matter.link is not Agreement.SUCCESSOR


def _of_one(ended: Thing, held: Thing, people: _People) -> Sameness:
    if not people.are_same:
        return Sameness.NO
    meets = not ended.head or not held.all or not ended.head.isdisjoint(held.all)
    return Sameness.SURELY if meets else Sameness.NO


def _of_successor(ended: Thing, held: Thing, people: _People) -> Sameness:
    is_other = not ended.head or not ended.head <= held.all
    return Sameness.SURELY if people.are_same and is_other else Sameness.NO


def _of_thing(ended: Thing, held: Thing, people: _People) -> Sameness:
    return meeting(ended, held) if people.are_same else Sameness.NO


def _of_couple(ended: Thing, held: Thing, people: _People) -> Sameness:
    if not people.new.people & people.kept.people and not people.are_same:
        return Sameness.NO
    others = people.new.people - people.kept.people
    named = ended.all | frozenset(stem for one in others for stem in stems(one))
    partner = held.all | frozenset(stem for one in people.kept.people for stem in stems(one))
    if not held.all or not named:
        return Sameness.SURELY
    return Sameness.SURELY if named & partner else Sameness.NO


_LINKS: Mapping[Agreement, Callable[[Thing, Thing, _People], Sameness]] = {
    Agreement.ONE: _of_one,
    Agreement.THING: _of_thing,
    Agreement.SUCCESSOR: _of_successor,
    Agreement.COUPLE: _of_couple,
}


def _stopped(new: _Told, kept: _Told, people: _People) -> Sameness:
    """What went on and does no more: "gave up Dutch", "n'est plus allergique aux noix"."""
    if not people.are_same or kept.is_negated or is_past(kept.said):
        return Sameness.NO
    ended = first_thing(STOPPED, new.said)
    denied = first_thing(NO_LONGER, new.said)
    held = all_of(kept.said)
    if ended is not None and not new.is_negated and _goes_on(kept.said):
        return _of_stopped(thing_in(ended), held, thing_in(kept.said))
    if denied is not None:
        said = first_clause(denied)
        return within(said, held) if said & thing_in(kept.said).head else Sameness.NO
    return Sameness.NO


def _goes_on(said: str) -> bool:
    """Whether it is something to stop: a subscription is, but not a piano."""
    if POSSESSES.match(said) and identity(said).isdisjoint(VAGUE):
        return False
    return NO_ACTIVITY.match(said) is None


def _of_stopped(ended: Thing, held: Thing, thing: Thing) -> Sameness:
    if ended.rest <= held.all:
        return within(ended.all, held)
    if ended.head <= VAGUE:
        return Sameness.NO
    meets = within(ended.head, held)
    return min(meets, Sameness.MAYBE) if is_elsewhere(ended, thing) else meets


def _resumed(new: _Told, kept: _Told, people: _People) -> Sameness:
    """What a person did not do and does again: "remange de la viande" of a vegetarian."""
    again = first_thing(AGAIN, new.said)
    if again is None or new.is_negated or not people.are_same:
        return Sameness.NO
    said = first_clause(again)
    if (diet := first_thing(DIETS, kept.said)) and not kept.is_negated:
        avoided = NOT_EATEN[diet]
        return Sameness.NO if said.isdisjoint(avoided) else Sameness.SURELY
    return within(said, all_of(kept.said)) if kept.is_negated else Sameness.NO


def _came_true(new: _Told, kept: _Told, people: _People) -> Sameness:
    """What was to be done and is: "must renew her passport", "renewed her passport"."""
    wanted = first_thing(WANTED, kept.said)
    if wanted is None or not people.are_same or not is_past(new.said):
        return Sameness.NO
    if new.is_negated or kept.is_negated:
        return Sameness.NO
    thing, done = thing_in(wanted), all_of(new.said)
    deed = thing.head if len(thing.head) > 1 else thing.all
    return Sameness.SURELY if len(deed) > 1 and deed <= done.all else Sameness.NO


def _moved(new: _Told, kept: _Told, people: _People) -> Sameness:
    """An appointment that is at another time, or never: both must name what it is."""
    what = first_thing(EVENT_MOVED, new.said)
    if what is None or not times(kept.said) or is_past(kept.said):
        return Sameness.NO
    named, held = identity(ARTICLES.sub("", what)) - IN_PASSING, identity(kept.said) - IN_PASSING
    if not named or not times(what) <= times(kept.said):
        return Sameness.NO
    if TRAVELS.match(kept.said) and named & TRIPS:
        held |= TRIPS
    elif named.isdisjoint(thing_in(POSSESSES.sub("", kept.said).strip()).head):
        return Sameness.NO  # the bank is moved, and not the meeting with it
    if named <= held:
        meets = Sameness.SURELY if named == held else Sameness.LOOSELY
    else:
        meets = Sameness.MAYBE if held and held <= named else Sameness.NO
    return min(meets, people.of_thing)


def _restated(new: _Told, kept: _Told, people: _People) -> Sameness:
    """The same with another time or number, said as a correction."""
    if not new.is_correction or is_past(kept.said) or new.is_negated != kept.is_negated:
        return Sameness.NO
    is_same = identity(new.said) == identity(kept.said) != frozenset()
    both = times(new.said), times(kept.said)
    differ = all(both) and both[0] != both[1]
    return people.of_thing if is_same and differ else Sameness.NO


_READINGS = (_by_table, _stopped, _resumed, _came_true, _moved, _restated)


def _told(statement: Statement) -> _Told:
    told = _read(statement.content, statement.said_by)
    corrects = isinstance(statement, NewMemory) and statement.corrects
    return replace(told, is_correction=True) if corrects else told


@lru_cache(maxsize=_CACHED)
def _read(content: str, said_by: str | None) -> _Told:
    clause = clause_of(content, said_by)
    years = [int(year) for year in _YEAR.findall(content)]
    return _Told(
        clause=clause,
        said=" ".join(FILLING.sub("", clause.said).split()),
        is_negated=negated(content),
        is_correction=is_correction(content),
        year=min(years, default=None),
    )
