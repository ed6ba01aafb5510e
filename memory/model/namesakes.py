"""What to call people beside what they said: by their name of now, two of one name apart. Pure."""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from memory.model.people import PSEUDONYM, PersonId

Author = tuple[PersonId | None, str]
"""Who said a row: their person, where that is known, and what they were called."""

NamesOfPeople = Mapping[PersonId, tuple[str, ...]]
"""Every name that people spoke under where a reader may know it, the latest first."""

MARK_OF_NAMESAKE = 4
"""Characters of a person's id behind a name that several people share."""

NAMESAKE_SIGN = "#"
"""What stands before them. Names lose it where they come in, and whatever looks like it."""


@dataclass(frozen=True, slots=True)
class AuthorName:
    """What an author is called now, and what they were called then: "" where that is the same."""

    name: str
    then: str = ""

    def __str__(self) -> str:
        """Both, as a model reads it."""
        return f"{self.name}, then called {self.then}" if self.then else self.name


def name_now(author: Author, names: NamesOfPeople) -> AuthorName:
    """The latest name of the person who wrote a row under some name; no forgotten name is told."""
    person, name = author
    known = names.get(person, ()) if person is not None else ()
    if not (name and known) or name == PSEUDONYM or _key(name) == _key(known[0]):
        return AuthorName(name)
    return AuthorName(known[0], then=name)


def former_names(names: NamesOfPeople) -> Mapping[str, str]:
    """The names that people here went by once, with what they are called now.

    A name that another of them has, or had, tells no people apart.
    """
    borne: dict[str, set[PersonId]] = defaultdict(set)
    for person, known in names.items():
        for name in known:
            borne[_key(name)].add(person)
    return {
        name: known[0]
        for known in names.values()
        for name in known[1:]
        if len(borne[_key(name)]) == 1 and PSEUDONYM not in (name, known[0])
    }


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


def present_names(
    said: Iterable[Author], names: NamesOfPeople, reader: Author | None = None
) -> Mapping[Author, AuthorName]:
    """What to call each of these authors by now, namesakes told apart as `author_names` does."""
    now = {author: name_now(author, names) for author in said}
    marked = author_names(((person, one.name) for (person, _), one in now.items()), reader)
    return {
        author: AuthorName(marked[author[0], one.name], one.then) for author, one in now.items()
    }


def is_own(author: Author, reader: Author, *, alone: bool) -> bool:
    """Whether words are those of who reads them, by the name that is shown with them.

    Where others read along, words under another name are not told to be theirs: that would tell
    of a link between accounts.
    """
    (person, called), (own, name) = author, reader
    return person is not None and person == own and (alone or _key(called) == _key(name))


def unmarked(called: str) -> str:
    """A name without the mark of a namesake."""
    return called.partition(NAMESAKE_SIGN)[0]


def _key(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()
