"""Which lines of a preview a person means: "only the second", "pas le premier", "3 too". Pure.

A message is read only where every word of it belongs to such an answer: any other word says more
than which lines are meant, and that is another matter.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from memory.language.text import fold
from memory.model.errors import EkoMemoryError
from memory.rules.forgetting.selector import NamedRows, Selector

LONGEST = 200
"""Characters of a message that names lines; a longer one is about something else."""

MOST = 20
"""Lines that one message may name."""


class NotShown(EkoMemoryError):
    """A line is named that was not shown to this person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Narrowing:
    """The lines that are to go, by their numbers from 1: `only` these, or others than were to.

    These `also`, and all `without` those. -1 is the last one. Lines that are only numbered, and
    nothing said of them, are the only ones, unless all of them were offered.
    """

    only: tuple[int, ...] = ()
    without: tuple[int, ...] = ()
    also: tuple[int, ...] = ()
    only_numbered: bool = False


@dataclass(frozen=True, slots=True)
class ShownRows:
    """The rows of each line that was shown: of those that go, then of those that were offered."""

    goes: tuple[NamedRows, ...] = ()
    offered: tuple[NamedRows, ...] = ()

    @property
    def every(self) -> tuple[NamedRows, ...]:
        """All of them, in the order of their numbers."""
        return (*self.goes, *self.offered)

    def were_offered(self, numbers: Iterable[int]) -> bool:
        """Whether all of these lines were only offered."""
        return all(_place(number, self.every) >= len(self.goes) for number in numbers)


def read_narrowing(text: str) -> Narrowing | None:
    """The lines that a message names; None where it says anything else."""
    if len(text) > LONGEST:
        return None
    named: dict[_Meant, list[int]] = {meant: [] for meant in _Meant}
    into = _Meant.AS_BEFORE
    for clause in _clauses(text):
        lines, meant = _lines(clause), _meant(clause)
        if lines is None or (lines and meant is _Meant.UNCLEAR):
            return None
        if meant is not _Meant.AS_BEFORE:
            into = meant
        named[into] += lines
    numbered, only, also = named[_Meant.AS_BEFORE], named[_Meant.GO], named[_Meant.ALSO]
    without = tuple(dict.fromkeys(named[_Meant.STAY]))
    going = tuple(dict.fromkeys(one for one in (*numbered, *only, *also) if one not in without))
    if not 0 < len(going) + len(without) <= MOST:
        return None
    if only or (numbered and not also):
        return Narrowing(only=going, only_numbered=not only) if going else None
    return Narrowing(also=going, without=without)


def names_all(text: str) -> bool:
    """Whether a message means all lines and says nothing besides: "both of them", "oui, tout"."""
    said = {word for clause in _clauses(text[:LONGEST]) for word in clause}
    return bool(said & (_ALL | _BOTH)) and said <= _ALL | _BOTH | _TAKE | _ALSO | _LIGHT


def restricts(text: str) -> bool:
    """Whether a message that agrees leaves something out: "yes, but not the one about Bob"."""
    return _RESTRICTS.search(fold(text)) is not None


def picked(numbers: Iterable[int], shown: Sequence[NamedRows]) -> NamedRows:
    """The rows of lines that are named by their numbers, of those that were shown.

    Raises:
        NotShown: one of them was not.

    """
    rows = NamedRows()
    for number in numbers:
        place = _place(number, shown)
        if not 0 <= place < len(shown):
            seen = f"lines 1 to {len(shown)} were shown" if shown else "no lines were shown"
            raise NotShown(f"No such line: {seen}.")
        rows |= shown[place]
    return rows


def _place(number: int, shown: Sequence[NamedRows]) -> int:
    return number + len(shown) if number < 0 else number - 1


def only_these(selector: Selector, rows: NamedRows) -> Selector:
    """What chooses these rows of what a selector chose, and nothing else."""
    return Selector(
        messages=tuple(sorted(rows.messages)),
        turns=tuple(sorted(rows.turns)),
        memories=tuple(sorted(rows.memories)),
        knowledge=tuple(sorted(rows.knowledge)),
        reminders=tuple(sorted(rows.reminders)),
        kept=selector.kept,
        asking=selector.asking,
    )


def with_these(selector: Selector, rows: NamedRows) -> Selector:
    """What chooses these rows besides what a selector chose."""
    return replace(
        selector,
        messages=tuple(sorted({*selector.messages, *rows.messages})),
        turns=tuple(sorted({*selector.turns, *rows.turns})),
        memories=tuple(sorted({*selector.memories, *rows.memories})),
        knowledge=tuple(sorted({*selector.knowledge, *rows.knowledge})),
        reminders=tuple(sorted({*selector.reminders, *rows.reminders})),
    )


def without_these(selector: Selector, rows: NamedRows) -> Selector:
    """What chooses all but these rows of what a selector chose; a name is no line, and stays."""
    return replace(selector, kept=selector.kept | rows, erase=False)


class _Meant(Enum):
    GO = "go"
    STAY = "stay"
    ALSO = "also"
    AS_BEFORE = "as before"
    UNCLEAR = "unclear"


def _split(text: str) -> frozenset[str]:
    return frozenset(text.split())


_NUMBER = re.compile(r"(\d{1,2})(?:st|nd|rd|th|er|re|ere|e|eme|nde)?")

_RANGE = re.compile(r"(?<!\d)(\d{1,2}) ?(?:-|–|to|a|through|jusqu'?a) ?(\d{1,2})(?!\d)")

_TOKENS = re.compile(r"\d+[a-z]*|[a-z]+|\S")

_REWRITTEN = (
    (re.compile(r"\b(?:don'?t|do not|doesn'?t)\b"), "not"),
    (re.compile(r"\b(?:all|everything)(?: of (?:them|it))? but\b(?! not\b)"), "except"),
    (re.compile(r"\b(?:nothing|none) but\b|\brien que\b"), "only"),
    (re.compile(r"\ba part\b|\bexcept for\b|\bapart from\b|\bother than\b"), "except"),
    (re.compile(r"\bleave out\b|\bskip\b"), "keep"),
    (re.compile(r"\bas well\b"), "also"),
    (re.compile(r"(?:n°|#|\bno\. ?)(?=\d)"), "number "),
    (re.compile(r"\bs'il (?:te|vous) plait\b|\bd'accord\b|\ben fait\b"), "ok"),
    (_RANGE, lambda found: _spelt_out(int(found[1]), int(found[2]))),
)

_BREAKS = _split(", ; . : ! ? & - and et or ou ni nor but mais puis ( )")

_ONLY = _split("only just solely seulement juste uniquement que qu simplement")

_EXCEPT = _split("except excluding without sauf excepte hormis sans")

_NOT = _split("not pas")

_KEEP = _split(
    "keep leave spare garde gardes garder gardez laisse laisses laisser conserve conserver"
)

_TAKE = _split("""
    forget delete erase remove drop wipe oublie oublies oublier oubliez efface effaces effacer
    effacez supprime supprimes supprimer supprimez enleve enlever retire retirer
    """)

_ALSO = _split("""
    also too plus add include including aussi egalement ajoute ajoutes ajouter ajoutez inclus
    """)

_ALL = _split("all everything tout tous toute toutes")

_BOTH = _split("both deux")

_NAMING = _split("number numero line ligne la")
"""Words after which a number may be spelt: "line two", but "les deux" are both."""

_LIGHT = _split("""
    yes yeah yep yup ok okay oui ouais no non nope please stp svp the le la les of de du des one
    ones celui celle ceux celles ci line lines ligne lignes number numbers numero numeros then so
    alors donc actually finalement n ne i je want to veux that this ce cette merci thanks rest reste
    others autres them elles eux
    """)

_ORDINALS = {
    name: place
    for place, names in enumerate(
        (
            "first premier premiere premiers premieres",
            "second seconde deuxieme",
            "third troisieme",
            "fourth quatrieme",
            "fifth cinquieme",
            "sixth sixieme",
            "seventh septieme",
            "eighth huitieme",
            "ninth neuvieme",
            "tenth dixieme",
        ),
        start=1,
    )
    for name in names.split()
} | dict.fromkeys(_split("last dernier derniere derniers dernieres"), -1)

_CARDINALS = {
    name: number
    for number, names in enumerate(
        ("two deux", "three trois", "four quatre", "five cinq", "six", "seven sept", "eight huit"),
        start=2,
    )
    for name in names.split()
}

_KNOWN = frozenset().union(
    _ONLY, _ALSO, _EXCEPT, _NOT, _KEEP, _TAKE, _ALL, _LIGHT, _ORDINALS, _CARDINALS
)

_RESTRICTS = re.compile(
    r"\b(?:but|mais|except|sauf|only|seulement|uniquement)\b"
    r"|\b(?:not|pas) (?:the|that|this|le|la|les|l'|ce|cette|celui|celle)\b"
)


def _spelt_out(start: int, end: int) -> str:
    return " , ".join(str(number) for number in range(start, min(end, start + MOST) + 1))


def _clauses(text: str) -> Iterator[list[str]]:
    """The words of a message between what parts them."""
    said = fold(text).replace("’", "'")
    for pattern, plain in _REWRITTEN:
        said = pattern.sub(plain, said)
    clause: list[str] = []
    for token in _TOKENS.findall(said.replace("'", " ")):
        if token not in _BREAKS:
            clause.append(token)
            continue
        yield clause
        clause = []
    yield clause


def _meant(clause: Sequence[str]) -> _Meant:
    """What is to become of the lines that a clause names."""
    said = {*clause}
    leaves_out, denies, keeps = said & _EXCEPT, said & _NOT, said & _KEEP
    if denies and (leaves_out or said & _ONLY):
        return _Meant.UNCLEAR
    if leaves_out or denies or keeps:
        return _Meant.GO if keeps and (leaves_out or denies) else _Meant.STAY
    if said & _ALL:
        return _Meant.UNCLEAR
    if said & _ALSO:
        return _Meant.ALSO
    return _Meant.GO if said & (_ONLY | _TAKE) else _Meant.AS_BEFORE


def _lines(clause: Sequence[str]) -> list[int] | None:
    """The numbers that a clause names; None where it says anything besides."""
    ordinals = [_ORDINALS[word] for word in clause if word in _ORDINALS]
    figures = [int(found[1]) for word in clause if (found := _NUMBER.fullmatch(word))]
    spelt = [
        (_CARDINALS[word], before in _NAMING)
        for before, word in zip(("", *clause), clause, strict=False)
        if word in _CARDINALS
    ]
    if not all(word in _KNOWN or _NUMBER.fullmatch(word) for word in clause):
        return None
    if not ordinals:
        return [*figures, *(number for number, _ in spelt)] if all(it for _, it in spelt) else None
    counts = [*figures, *(number for number, _ in spelt)]
    if len(ordinals) > 1 or len(counts) > 1 or (counts and ordinals[0] not in {1, -1}):
        return None
    return _counted_from(ordinals[0], counts[0] if counts else 1)


def _counted_from(end: int, count: int) -> list[int]:
    """So many lines from the first or the last one on: "the first two", "les 3 derniers"."""
    if end < 0:
        return list(range(-min(count, MOST), 0))
    return list(range(end, end + min(count, MOST)))
