"""The entries of tests/data/claims that a pet is examined with: lines, and what is asked then."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Literal, get_args

from benchmarks.checkout import ROOT
from benchmarks.claim_material import material
from benchmarks.companion_pet import PET
from benchmarks.companion_set import ToldLine, ago_of
from memory.model.claims import Status

ClaimHalf = Literal["tune", "held"]
HALVES: tuple[ClaimHalf, ...] = get_args(ClaimHalf)

Kind = Literal["natural", "changes", "unchanged", "traps", "unknown", "talks", "utterances"]
KINDS: tuple[Kind, ...] = get_args(Kind)

CLAIMS = ROOT / "tests" / "data" / "claims"

_SPEAKERS = {"en": "Maya", "fr": "Léa"}
"""Who says what is claimed, and whom the questions are about."""

_OTHER = "Tom"
"""Who asks where the material names nobody else."""

_GREETINGS = {"en": "hi all", "fr": "salut tout le monde"}
"""A line that claims nothing: the asker is no stranger to the lobby."""

_LOBBY, _DIRECT = "lobby", "direct"
_TOLD_AGO = timedelta(days=2)
_EARLIER = timedelta(minutes=10)
"""How long before the first line the asker says hello."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """One thing said to the pet, with the words of right and of wrong replies, if it has any."""

    by: str
    text: str
    where: str = _LOBBY
    answers: tuple[str, ...] = ()
    misleading: tuple[str, ...] = ()
    kind: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimEntry:
    """Lines that are said, oldest first, and what the pet is asked after them.

    `message` is the place among the lines of the message under test, or None where there are
    several. `values` are those of the claims that it states.
    """

    id: str
    language: str
    kind: Kind
    lines: tuple[ToldLine, ...]
    asks: tuple[Ask, ...]
    message: int | None = None
    values: tuple[str, ...] = ()
    good: str = ""
    bad: str = ""

    @property
    def people(self) -> frozenset[str]:
        """Everyone who speaks in it."""
        return frozenset(line.by for line in self.lines) | {one.by for one in self.asks}

    @property
    def heard(self) -> tuple[int, ...]:
        """The places of the lines that people say: the pet's own are no messages to it."""
        return tuple(place for place, line in enumerate(self.lines) if line.by != PET)


def entries(folder: Path, half: ClaimHalf, language: str, kind: Kind) -> list[ClaimEntry]:
    """The entries of one file, in the folder that has a folder for each language."""
    made = _MAKERS[kind]
    return [made(given, language) for given in material(folder / language, half, kind)]


def _natural(given: Mapping[str, Any], language: str) -> ClaimEntry:
    by = given.get("by", _OTHER)
    asker = _SPEAKERS[language] if by == "self" else by
    stated = [one["value"] for one in given["claims"] if Status(one["status"]).is_stated]
    return _of_one_message(
        given, language, "natural", asker, given["answers"], given["misleading"], stated
    )


def _trap(given: Mapping[str, Any], language: str) -> ClaimEntry:
    return _of_one_message(given, language, "traps", _OTHER, (), given["wrong"], ())


def _of_one_message(
    given: Mapping[str, Any],
    language: str,
    kind: Kind,
    asker: str,
    answers: Sequence[str],
    misleading: Sequence[str],
    values: Sequence[str],
) -> ClaimEntry:
    hello = _line(_OTHER, _TOLD_AGO + _EARLIER, _GREETINGS[language])
    return ClaimEntry(
        id=given["id"],
        language=language,
        kind=kind,
        lines=(hello, _line(_SPEAKERS[language], _TOLD_AGO, given["text"])),
        asks=(_ask(asker, given["ask"], answers, misleading),),
        message=1,
        values=tuple(values),
    )


def _changes(given: Mapping[str, Any], language: str) -> ClaimEntry:
    return _of_speaker(given, language, "changes", given["latest"], given["former"])


def _unchanged(given: Mapping[str, Any], language: str) -> ClaimEntry:
    return _of_speaker(given, language, "unchanged", given["still"], given["wrong"])


def _of_speaker(
    given: Mapping[str, Any],
    language: str,
    kind: Kind,
    answers: Sequence[str],
    misleading: Sequence[str],
) -> ClaimEntry:
    lines = tuple(_lines(given))
    others = (line.by for line in lines if line.by not in {PET, _SPEAKERS[language]})
    asker = next(others, _OTHER)
    hello = _line(asker, lines[0].ago + _EARLIER, _GREETINGS[language])
    return ClaimEntry(
        id=given["id"],
        language=language,
        kind=kind,
        lines=(hello, *lines),
        asks=(_ask(asker, given["ask"], answers, misleading),),
    )


def _unknown(given: Mapping[str, Any], language: str) -> ClaimEntry:
    return ClaimEntry(
        id=given["id"],
        language=language,
        kind="unknown",
        lines=tuple(_lines(given)),
        asks=(_ask(given["by"], given["ask"], (), given["wrong"]),),
    )


def _talk(given: Mapping[str, Any], language: str) -> ClaimEntry:
    asks = (
        _ask(one["by"], one["text"], one["answers"], one["misleading"], one["kind"])
        for one in given["asks"]
    )
    return ClaimEntry(
        id=given["id"],
        language=language,
        kind="talks",
        lines=tuple(_lines(given)),
        asks=tuple(asks),
    )


def _utterance(given: Mapping[str, Any], language: str) -> ClaimEntry:
    """Of a talk with the pet alone, its lines are said to it in private, as the last one is."""
    is_private = {one["by"] for one in given["lines"]} <= {given["by"], "Pet", PET}
    where = _DIRECT if is_private else _LOBBY
    return ClaimEntry(
        id=given["id"],
        language=language,
        kind="utterances",
        lines=tuple(_lines(given, where)),
        asks=(Ask(by=given["by"], text=given["text"], where=where),),
        good=given["good"],
        bad=given["bad"],
    )


_MAKERS: Mapping[Kind, Callable[[Mapping[str, Any], str], ClaimEntry]] = {
    "natural": _natural,
    "changes": _changes,
    "unchanged": _unchanged,
    "traps": _trap,
    "unknown": _unknown,
    "talks": _talk,
    "utterances": _utterance,
}


def _lines(given: Mapping[str, Any], where: str = _LOBBY) -> Iterator[ToldLine]:
    for one in given["lines"]:
        by = PET if one["by"] == "Pet" else one["by"]
        yield _line(by, ago_of(one["ago"]), one["text"], where)


def _line(by: str, ago: timedelta, text: str, where: str = _LOBBY) -> ToldLine:
    return ToldLine(by=by, where=where, ago=ago, text=text, to_pet=where == _DIRECT)


def _ask(
    by: str, text: str, answers: Sequence[str], misleading: Sequence[str], kind: str = ""
) -> Ask:
    return Ask(by=by, text=text, answers=tuple(answers), misleading=tuple(misleading), kind=kind)
