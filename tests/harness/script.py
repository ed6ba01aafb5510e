"""Attacks as data: setups, lines of people, and what a placeholder in them stands for."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

DATA = Path(__file__).parents[1] / "data" / "attacks"

LANGUAGES = ("en", "fr")

_SAID = re.compile(r"(\w+)@(\w+): (.*)", re.DOTALL)
_BLANKS = re.compile(r"\{blanks:(\d+)\}")
_REPEATED = re.compile(r"\{repeat:(\d+):([^}]*)\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A line of a script: who says what and where."""

    who: str
    where: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """A line of a script that does something: a verb and what it is done with."""

    verb: str
    rest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """A question in a scope, and the word that its answer has or names `by` whom."""

    who: str
    where: str
    text: str
    word: str
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """One attack in one language."""

    id: str
    family: str
    language: str
    setup: tuple[Said | Done, ...]
    lines: tuple[Said | Done, ...]
    secrets: tuple[str, ...] = ()
    recall: tuple[Probe, ...] = ()
    claims: tuple[Probe, ...] = ()
    still_answers: tuple[Said | Done, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    rooms: Mapping[str, str] = field(default_factory=dict)
    files: tuple[str, ...] = ()
    quotes_setup: bool = False
    processor_s: float | None = None

    @property
    def label(self) -> str:
        """What it is called in figures and on the command line."""
        return f"{self.family}/{self.id}/{self.language}"

    @property
    def attackers(self) -> frozenset[str]:
        """Who says something in it and had said nothing before."""
        return spoken_by(self.lines) - spoken_by(self.setup)


def spoken_by(lines: Sequence[Said | Done]) -> frozenset[str]:
    """Everybody who says something in these lines, floods included."""
    said = [line.who for line in lines if isinstance(line, Said)]
    floods = [
        line.rest.split(maxsplit=1)[1]
        for line in lines
        if isinstance(line, Done) and line.verb == "flood"
    ]
    return frozenset(said) | {flood.partition("@")[0] for flood in floods}


def attacks() -> list[Attack]:
    """Every attack of the data, in the order of families and entries."""
    setups = tomllib.loads((DATA / "setups.toml").read_text("utf-8"))
    files = sorted(path for path in DATA.glob("*.toml") if path.stem != "setups")
    return [
        _attack(path.stem, entry, setups[entry["setup"]], language)
        for path in files
        for entry in tomllib.loads(path.read_text("utf-8"))["attack"]
        for language in LANGUAGES
    ]


def read_line(line: str) -> Said | Done:
    """A line as it stands in the data, but for what only a running pet knows."""
    if line.startswith("!"):
        verb, _, rest = line[1:].partition(" ")
        return Done(verb=verb, rest=expanded(rest))
    said = _SAID.fullmatch(line)
    if said is None:
        raise ValueError(f"Not a line of a script: {line}")
    return Said(who=said[1], where=said[2], text=expanded(said[3]))


def expanded(text: str) -> str:
    """The text with long runs and invisible marks written out."""
    text = _BLANKS.sub(lambda found: " " * int(found[1]), text)
    text = _REPEATED.sub(lambda found: found[2] * int(found[1]), text)
    return text.replace("{zw}", "\u200d")


def probe(line: str) -> Probe:
    """`who@where: words => word`, or `=> word / name`."""
    asked, _, wanted = line.rpartition(" => ")
    said = read_line(asked)
    assert isinstance(said, Said)
    word, _, by = wanted.partition(" / ")
    return Probe(who=said.who, where=said.where, text=said.text, word=word, by=by)


def _attack(
    family: str, entry: Mapping[str, Any], setup: Mapping[str, Any], language: str
) -> Attack:
    return Attack(
        id=entry["id"],
        family=family,
        language=language,
        setup=tuple(map(read_line, setup[language])),
        lines=tuple(map(read_line, entry[language])),
        secrets=tuple(setup.get("secrets", ())),
        recall=tuple(map(probe, setup.get(f"recall_{language}", ()))),
        claims=tuple(map(probe, entry.get(f"claims_{language}", ()))),
        still_answers=tuple(map(read_line, entry.get(f"still_answers_{language}", ()))),
        names={who: expanded(name) for who, name in entry.get("names", {}).items()},
        rooms=entry.get("rooms", {}),
        files=tuple(entry.get("files", ())),
        quotes_setup=entry.get("reply_to_setup", False),
        processor_s=entry.get("processor_s"),
    )
