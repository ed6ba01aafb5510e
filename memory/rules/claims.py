"""Whose word a statement is and whom it speaks of: no claim changes another author's. Pure.

A statement about people is a claim of its author. What one person says of another stands beside
what that person says of themselves, and beside what others claim: it repeats, sharpens and replaces
its author's own claims only. Two claims that cannot both hold stay, tied by `contradicts`.

People are told apart by their ids. A name is looked up by its person where that is known.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace

from memory.language.names import MOST_WORDS
from memory.language.text import words
from memory.model.audience import person_audience
from memory.model.people import PersonId
from memory.model.statements import Memory, Statement
from memory.model.stores import Store
from memory.statements.readings.attribute import Attribute, attribute_of, denied_attribute_of
from memory.statements.readings.preference import StatedPreference, stance_of
from memory.statements.readings.subject import WE, clause_of, spoken_words
from memory.statements.readings.symptom import Symptom, symptom_of

_OWNED = "'s "
"""What stands between a name and a relative of theirs in the subject of a reading."""

_FIRST_PERSON = frozenset(("i", "my", "je", "j", "mon", "ma", "mes"))


def of_one_author(one: Statement, other: Statement) -> bool:
    """Whether two statements are one author's; what the pet keeps of itself has no other."""
    return one.store is not Store.MEMORY or one.author == other.author


def are_about_one(new: Statement, kept: Memory) -> bool:
    """Whether two statements may speak of one person.

    An author may have spoken of a person before the pet knew them; between two authors a name that
    stands for no one in particular names no one.
    """
    if new.about_person == kept.about_person:
        return True
    is_unknown = None in (new.about_person, kept.about_person)
    return is_unknown and of_one_author(new, kept)


def attribute_in(statement: Statement) -> Attribute | None:
    """The attribute that a statement gives, of a person where that one is known."""
    return _of_person(attribute_of(statement.content, statement.said_by), statement)


def denied_attribute_in(statement: Statement) -> Attribute | None:
    """The attribute that a statement denies, of a person where that one is known."""
    return _of_person(denied_attribute_of(statement.content, statement.said_by), statement)


def stance_in(statement: Statement) -> StatedPreference | None:
    """The stance that a statement takes, of a person where that one is known."""
    stance = stance_of(statement.content, statement.said_by)
    return stance and replace(stance, subject=_person_in(statement, stance.subject))


def symptom_in(statement: Statement) -> Symptom | None:
    """The ache that a statement tells of, of a person where that one is known."""
    symptom = symptom_of(statement.content, statement.said_by)
    return symptom and replace(symptom, subject=_person_in(statement, symptom.subject))


def _of_person(found: Attribute | None, statement: Statement) -> Attribute | None:
    return found and replace(found, subject=_person_in(statement, found.subject))


def _person_in(statement: Statement, subject: str) -> str:
    """A folded name as the key of its person, a relative of theirs included."""
    owner, owned, relative = subject.partition(_OWNED)
    is_own = owner != "" and owner == folded(statement.said_by or "")
    person = statement.author if is_own and statement.author else statement.about_person
    if person is None or not owner:
        return subject
    return f"{person_audience(person)}{owned}{relative}"


def names_before(statement: Statement) -> tuple[str, ...]:
    """The folded names that a statement may begin with, the surest and the longest first."""
    said = spoken_words(statement.content, statement.said_by).words
    found = words(said)[:MOST_WORDS]
    runs = [" ".join(found[:size]) for size in range(len(found), 0, -1)]
    owner = _owner(statement)
    return tuple(dict.fromkeys((*([owner] if owner else []), *runs)))


def _owner(statement: Statement) -> str:
    """The folded name of whose attribute a statement gives, "" where it gives none."""
    read = attribute_of(statement.content, statement.said_by)
    return read.subject.partition(_OWNED)[0] if read else ""


def person_spoken_of(
    statement: Statement, known: Mapping[str, Collection[PersonId]]
) -> PersonId | None:
    """Whom a statement is about: its author, or the only one who goes by the name it gives.

    `known` are the people behind folded names where it was said. Whom it begins with counts, and
    else its subjects: its author if they are among them, or the only person who is.
    """
    if _is_own(statement):
        return statement.author
    subjects = [key for subject in statement.subjects if (key := folded(subject))]
    names = (one for one in names_before(statement) if one in known or one in subjects)
    lead = _owner(statement) or next(names, None)
    if lead is not None:
        return _only(known.get(lead, ()))
    if folded(statement.said_by or "") in subjects:
        return statement.author
    return _only({person for key in subjects for person in known.get(key, ())})


def _is_own(statement: Statement) -> bool:
    """Whether a statement begins with its speaker, by name or in the first person.

    What follows their name and a colon may be about another all the same: "Maya: Sam is ill".
    """
    said, speaker = words(statement.content), folded(statement.said_by or "")
    begins = speaker != "" and " ".join(said[: len(speaker.split())]) == speaker
    if not begins and said[:1] != [] and said[0] in _FIRST_PERSON:
        return True
    people = clause_of(statement.content, statement.said_by).people
    return begins and {one.partition(_OWNED)[0] for one in people} <= {speaker, WE}


def _only(people: Collection[PersonId]) -> PersonId | None:
    return next(iter(people)) if len(people) == 1 else None


def folded(name: str) -> str:
    """A name as readings write it: its folded words."""
    return " ".join(words(name.lstrip("@")))
