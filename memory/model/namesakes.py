"""What to call people beside what they said, so that two of one name are told apart. Pure."""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping

from memory.model.people import PersonId

Author = tuple[PersonId | None, str]
"""Who said a row: their person, where that is known, and what they were called."""

MARK_OF_NAMESAKE = 4
"""Characters of a person's id behind a name that several people share."""

NAMESAKE_SIGN = "#"
"""What stands before them. Names lose it where they come in, and whatever looks like it."""


def author_names(said: Iterable[Author], reader: Author | None = None) -> Mapping[Author, str]:
    """What to call each of these authors.

    Where several people share a name, all but the reader get the beginning of their id behind it:
    "Lea#3f2a".
    """
    every = set(said) | ({reader} if reader else set())
    known: dict[str, set[PersonId]] = defaultdict(set)
    for person, name in every:
        if person is not None:
            known[_key(name)].add(person)
    own = None if reader is None else reader[0]
    return {
        (person, name): f"{name}{NAMESAKE_SIGN}{person[:MARK_OF_NAMESAKE]}"
        if person not in (None, own) and len(known[_key(name)]) > 1
        else name
        for person, name in every
    }


def is_namesake(called: str, name: str) -> bool:
    """Whether this is what another person of a name is called."""
    bare, mark, _ = called.rpartition(NAMESAKE_SIGN)
    return bool(mark) and _key(bare) == _key(name)


def _key(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()
