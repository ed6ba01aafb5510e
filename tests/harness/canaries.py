"""Words that stand nowhere else, told in places of every kind, and who may read each of them."""

import random
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import MappingProxyType

from tests.harness.stage import PEOPLE, SPACES, A, B

PLACES = (
    ("dm", ("lea", "bob", "eve")),
    ("own", ("zed", "yan", "op")),
    ("hall", ("lea", "eve", "bob")),
    ("garden", ("alice", "lea", "kim")),
    ("cellar", ("alice", "lea", "bob")),
    ("harbour", ("bob", "mallory")),
    ("page", ("zed", "yan")),
)
"""Where canaries are told and by whom: in private, in confidence, before a community, at home."""

OVERHEARD = "garden"
"""What is said here is not said to the pet."""

FILES: Mapping[str, str] = MappingProxyType({"whatsapp": "Nadia K.", "telegram": "Tomás B."})
"""Who tells canaries in the export of a program: authors that are joined with Discord accounts."""

READERS: Mapping[str, str] = MappingProxyType({"lea": "whatsapp", "bob": "telegram"})
"""Whose those accounts are: they alone may know what their file says, in direct rooms."""

SAME: Mapping[str, str] = MappingProxyType({"yan": "eve"})
"""Accounts that are joined with another's before anything is told."""

TOPICS: Mapping[str, Sequence[str]] = tomllib.loads(
    (Path(__file__).parents[1] / "data" / "canaries" / "topics.toml").read_text("utf-8")
)
"""What the canaries are names of: each is told of once in a language."""

IMPORTED_TOPICS: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        "en": ("helicopter", "saxophone", "pharmacy", "windmill", "compass", "typewriter"),
        "fr": ("cerisier", "grenier", "parapluie", "pressoir", "carrosse", "pigeonnier"),
    }
)
"""The same of those that are told in files, beside the others."""

_PARTS = ("zu", "qo", "vra", "ply", "xi", "mbe", "dru", "jka", "wol", "thy", "gne", "sfo")


@dataclass(frozen=True, slots=True, kw_only=True)
class Canary:
    """A word, what it is the name of, who told it and where."""

    word: str
    topic: str
    language: str
    who: str
    where: str

    @property
    def statement(self) -> str:
        """The sentence that tells it."""
        said = (
            f"My {self.topic} is called {self.word}."
            if self.language == "en"
            else f"Mon {self.topic} s'appelle {self.word}."
        )
        return said if self.where in {OVERHEARD, *FILES} else f"{_called(self.where)}{said}"

    @property
    def question(self) -> str:
        """What its teller asks for it."""
        asked = (
            f"what is my {self.topic} called?"
            if self.language == "en"
            else f"comment s'appelle mon {self.topic} ?"
        )
        return f"{_called(self.where)}{asked}"

    @property
    def audience(self) -> str:
        """Who may know it: a person, a room or a space."""
        match self.where:
            case "whatsapp" | "telegram":
                return f"file {self.where}"
            case "dm" | "own":
                return f"person {SAME.get(self.who, self.who)}"
            case "cellar":
                return "room cellar"
            case "harbour":
                return f"space {B}"
            case "page":
                return "space home"
            case _:
                return f"space {A}"

    def asked_by_another(self, where: str) -> str:
        """What somebody else asks for it there."""
        name = PEOPLE[self.who].name
        asked = (
            f"what is {name}'s {self.topic} called?"
            if self.language == "en"
            else f"comment s'appelle le {self.topic} de {name} ?"
        )
        return f"{_called(where)}{asked}"


def canaries(number: int, seed: int) -> list[Canary]:
    """So many of them, spread over places, tellers and languages."""
    chance = random.Random(seed)
    words = words_of(number, chance)
    seats = [(who, where) for where, tellers in PLACES for who in tellers]
    free = {language: chance.sample(all_, len(all_)) for language, all_ in TOPICS.items()}
    told: list[Canary] = []
    for n, word in enumerate(words):
        who, where = seats[n % len(seats)]
        language = "en" if (n // len(seats)) % 2 == 0 else "fr"
        if not free[language]:
            language = "fr" if language == "en" else "en"
        topic = free[language].pop()
        told.append(Canary(word=word, topic=topic, language=language, who=who, where=where))
    return told


def with_files(told: Sequence[Canary], seed: int) -> list[Canary]:
    """The same, and one in ten more that files tell, at least one a file."""
    imported = max(len(FILES), len(told) // 10)
    known = {one.word for one in told}
    fresh = (
        word for word in words_of(len(told) + imported, random.Random(seed)) if word not in known
    )
    return [*told, *(_imported(n, word) for n, word in enumerate(islice(fresh, imported)))]


def _imported(n: int, word: str) -> Canary:
    """A canary of a file: each file tells of some topics in each language."""
    who, where = list(READERS.items())[n % len(READERS)]
    language = ("en", "fr")[n // len(READERS) % 2]
    topics = IMPORTED_TOPICS[language]
    return Canary(word=word, topic=topics[n % len(topics)], language=language, who=who, where=where)


def readable(where: str, who: str, *, alone: bool) -> frozenset[str]:
    """The audiences of those who read what is said there; `alone` adds those of one reader."""
    person = {f"person {SAME.get(who, who)}"}
    if who in READERS:
        person.add(f"file {READERS[who]}")
    if where in {"dm", "own"}:
        return frozenset(person | _alone(who, where))
    of_room = {
        "cellar": {"room cellar", f"space {A}"},
        "harbour": {f"space {B}"},
        "page": {"space home"},
    }
    private = person | _alone(who, "own" if where == "page" else "dm") if alone else set()
    return frozenset(of_room.get(where, {f"space {A}"}) | private)


def _alone(who: str, where: str) -> set[str]:
    """The spaces whose words one person may read where they are alone.

    Who has two accounts was answered on each out of its communities, and that is theirs on both.
    """
    of_page, of_discord = {"space home"}, {f"space {s}" for s in _spaces(SAME.get(who, who))}
    if who in {*SAME, *SAME.values()}:
        return of_page | of_discord
    return of_page if where == "own" else of_discord


def may_be_read(one: Canary, where: str, who: str, *, alone: bool) -> bool:
    """Whether those who read what is said there may read a canary."""
    return one.audience in readable(where, who, alone=alone)


def _spaces(who: str) -> frozenset[str]:
    return frozenset(SPACES.get(who, frozenset({A})))


def _called(where: str) -> str:
    return "" if where in {"dm", "own", *FILES} else "Eko, "


def words_of(number: int, chance: random.Random) -> Iterator[str]:
    """So many words that stand nowhere, each once."""
    made: set[str] = set()
    while len(made) < number:
        word = "".join(chance.choice(_PARTS) for _ in range(4)).capitalize()
        if word not in made:
            made.add(word)
            yield word
