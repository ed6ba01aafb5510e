"""Words that stand nowhere else, told in places of every kind, and who may read each of them."""

import random
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

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

TOPICS: Mapping[str, Sequence[str]] = tomllib.loads(
    (Path(__file__).parents[1] / "data" / "canaries" / "topics.toml").read_text("utf-8")
)
"""What the canaries are names of: each is told of once in a language."""

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
        return said if self.where == OVERHEARD else f"{_called(self.where)}{said}"

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
            case "dm" | "own":
                return f"person {self.who}"
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
    words = _words(number, chance)
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


def readable(where: str, who: str, *, alone: bool) -> frozenset[str]:
    """The audiences of those who read what is said there; `alone` adds those of one reader."""
    if where in {"dm", "own"}:
        spaces = {"space home"} if where == "own" else {f"space {s}" for s in _spaces(who)}
        return frozenset({f"person {who}"} | spaces)
    of_room = {
        "cellar": {"room cellar", f"space {A}"},
        "harbour": {f"space {B}"},
        "page": {"space home"},
    }
    private = {f"person {who}"} | {f"space {s}" for s in _spaces(who)} if alone else set()
    return frozenset(of_room.get(where, {f"space {A}"}) | private)


def _spaces(who: str) -> frozenset[str]:
    return frozenset(SPACES.get(who, frozenset({A})))


def _called(where: str) -> str:
    return "" if where in {"dm", "own"} else "Eko, "


def _words(number: int, chance: random.Random) -> Iterator[str]:
    made: set[str] = set()
    while len(made) < number:
        word = "".join(chance.choice(_PARTS) for _ in range(4)).capitalize()
        if word not in made:
            made.add(word)
            yield word
