"""Who goes by which names, as far as a turn of the offline pet knows it; pure."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from memory.language.text import fold
from memory.model.namesakes import NAMESAKE_SIGN, NamesOfPeople, unmarked
from memory.model.people import PersonId


@dataclass(frozen=True, slots=True, kw_only=True)
class Asker:
    """Who is answered: their id where it is known, and every name they went by."""

    person: PersonId | None = None
    name: str = ""
    others: tuple[str, ...] = ()

    @property
    def names(self) -> frozenset[str]:
        """Their names, folded."""
        return frozenset(map(fold, filter(None, (self.name, *self.others))))

    def is_author(self, person: PersonId | None, called: str) -> bool:
        """Whether a line is theirs: by its person, or by what its author is called."""
        if self.person is not None and person is not None:
            return person == self.person
        return fold(called) in self.names

    def is_namesake(self, person: PersonId | None, called: str) -> bool:
        """Whether the author of a line has a name of theirs and is another person."""
        has_name = fold(unmarked(called)) in self.names
        return has_name and (NAMESAKE_SIGN in called or not self.is_author(person, called))


@dataclass(frozen=True, slots=True)
class Acquaintances:
    """The people behind names: each by a key, their id, or a folded name where none is known.

    `bearers` has the keys of who goes or went by each folded first name.
    """

    bearers: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def key_of(self, person: PersonId | None, called: str) -> str:
        """Whose a line is; by its author's name alone where just one person has it."""
        if person is not None:
            return person
        name = first_name(called)
        known = self.bearers.get(name, frozenset())
        return next(iter(known)) if len(known) == 1 else name

    def behind(self, names: Iterable[str]) -> frozenset[str]:
        """The keys of everybody who goes by these folded first names."""
        keys = (self.bearers.get(name) or frozenset({name}) for name in names)
        return frozenset(key for each in keys for key in each)

    def names_of(self, keys: Collection[str]) -> frozenset[str]:
        """Every folded first name of these people."""
        found = {name for name, bearers in self.bearers.items() if bearers & set(keys)}
        return frozenset(found | {key for key in keys if key not in self._people})

    @property
    def _people(self) -> frozenset[str]:
        return frozenset(key for keys in self.bearers.values() for key in keys)


def acquaintances_of(
    names: NamesOfPeople, authors: Iterable[tuple[PersonId | None, str]]
) -> Acquaintances:
    """Those whose names are known, and the authors of lines."""
    bearers: dict[str, set[str]] = defaultdict(set)
    told = [(person, called) for person, known in names.items() for called in known]
    for person, called in (*told, *authors):
        if person is not None and (name := first_name(called)):
            bearers[name].add(person)
    return Acquaintances({name: frozenset(keys) for name, keys in bearers.items()})


def first_name(called: str) -> str:
    """The folded first word of a name; "" where it has none."""
    return next(iter(fold(called).split()), "")
