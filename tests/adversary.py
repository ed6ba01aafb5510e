"""Texts that make an expression search for long, read off the expression itself; pure.

An expression that is not linear reads again what it has read: a run that one of its repeats takes,
from each place where it can begin. So every repeat is given its fill, behind what leads to it, once
and again and again, with an end that fails.
"""

import re
import re._compiler as compiler  # type: ignore[import-not-found]
import re._constants as c  # type: ignore[import-not-found]
import re._parser as parser  # type: ignore[import-not-found]
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

PUMPS = (
    *" \n\taAé1-_\"'«([{<`*.…,/:@#\\~=|中ж😀\u200d\x1b\x9b",
    *("a ", "A ", "Aa ", "1 ", " .", ", ", "\n\n ", "a'", "a-", "a.", '"a', "«a» ", "[a](", "[[a"),
    *("![[", "`a", "```\n", "**a", "__a", "- ", "> ", "# ", "1:", "1/1 ", "12-", "@a ", "aé中ж "),
    *("\x1b]", "\r\n"),
)
"""What is repeated whatever the expression: blanks, letters, digits, quotes, marks."""

_ENDS = ("", "\0", "x", " x", "\n\0")
"""What may make a run fail after all."""

_PROBES = " a1\n.-'A,é\t:\"_/中"
"""The characters that a repeat is given its fill of, as far as it takes them."""

_FILLS = 3
"""Kinds of fill for one repeat."""

_MANY = 10
"""Repeats that go on at least so often are given their fill."""


@dataclass(frozen=True, slots=True)
class _Repeat:
    """One repeat: what leads to it, what it repeats, what has to follow."""

    before: str
    fills: tuple[str, ...]
    after: str


@dataclass(frozen=True, slots=True)
class Attack:
    """A text of any length: what comes first, what is repeated, what comes last."""

    first: str
    pump: str
    last: str

    def text(self, length: int) -> str:
        """The text with its repetitions about as long as that."""
        return self.first + self.pump * (length // len(self.pump)) + self.last


_GENERAL = tuple(Attack("", pump, end) for pump in PUMPS for end in ("", "\0"))


def attacks(pattern: re.Pattern[str]) -> Iterator[Attack]:
    """What to try on an expression: what is tried on every one, then what its own repeats say."""
    yield from dict.fromkeys((*_GENERAL, *_particular(pattern)))


def _particular(pattern: re.Pattern[str]) -> Iterator[Attack]:
    tree = parser.parse(pattern.pattern, pattern.flags)
    for repeat in dict.fromkeys(_repeats(list(tree), "", "", tree.state)):
        before, nearly = repeat.before, repeat.after[:-1]
        for fill in repeat.fills:
            for end in dict.fromkeys((*_ENDS, nearly, nearly + "\0")):
                yield Attack(before, fill, end)
            for run in (fill, fill * 40, fill + nearly):
                yield Attack("", before + run, "\0")
            yield Attack(before, fill + nearly, "\0")
        if before:
            yield Attack("", before, "\0")
    if whole := _example(list(tree), 0):
        yield Attack("", whole, "")
        yield Attack("", whole + " ", "\0")


def _repeats(nodes: Sequence[Any], before: str, after: str, state: Any) -> Iterator[_Repeat]:
    """Every repeat of a sequence and of what stands in it."""
    for place, (kind, value) in enumerate(nodes):
        lead = before + _example(nodes[:place], 1)
        rest = _example(nodes[place + 1 :], 1) + after
        if kind in _REPEATING:
            _, most, body = value
            if most >= _MANY:
                yield _Repeat(lead, _fills(list(body), state), rest)
            yield from _repeats(list(body), lead, rest, state)
        else:
            for inner in _inside(kind, value):
                yield from _repeats(inner, lead, rest, state)


_REPEATING = (c.MAX_REPEAT, c.MIN_REPEAT, c.POSSESSIVE_REPEAT)


def _inside(kind: Any, value: Any) -> list[list[Any]]:
    """The sequences that stand in a node which repeats nothing."""
    if kind is c.SUBPATTERN:
        return [list(value[-1])]
    if kind is c.BRANCH:
        return [list(branch) for branch in value[1]]
    if kind is c.ATOMIC_GROUP:
        return [list(value)]
    if kind in (c.ASSERT, c.ASSERT_NOT):
        return [list(value[1])]
    if kind is c.GROUPREF_EXISTS:
        return [list(one) for one in value[1:] if one is not None]
    return []


def _fills(body: list[Any], state: Any) -> tuple[str, ...]:
    """What a repeat takes again and again: characters where it repeats one, examples otherwise."""
    taken = _compiled(body, state)
    single = [probe for probe in _PROBES if taken.fullmatch(probe)]
    longer = [_example(body, turn) for turn in range(_FILLS)]
    return tuple(dict.fromkeys(one for one in (*single[:_FILLS], *longer) if one))


def _compiled(body: list[Any], state: Any) -> re.Pattern[str]:
    compiled: re.Pattern[str] = compiler.compile(parser.SubPattern(state, body), state.flags)
    return compiled


def _example(nodes: Sequence[Any], turn: int) -> str:
    """A text that the sequence takes; which branches and characters, the turn decides."""
    return "".join(_one(kind, value, turn) for kind, value in nodes)


def _one(kind: Any, value: Any, turn: int) -> str:
    match kind:
        case c.LITERAL:
            return chr(value)
        case c.NOT_LITERAL:
            return "a" if value != ord("a") else "b"
        case c.ANY:
            return "a "[turn % 2]
        case c.IN:
            return _member(value, turn)
        case _:
            return _of_several(kind, value, turn)


def _of_several(kind: Any, value: Any, turn: int) -> str:
    if kind in _REPEATING:
        least, most, body = value
        times: int = min(max(least, turn % 2), most)
        return _example(list(body), turn) * times
    if kind is c.BRANCH:
        return _example(list(value[1][turn % len(value[1])]), turn)
    if kind in (c.SUBPATTERN, c.ATOMIC_GROUP, c.ASSERT):
        return _example(_inside(kind, value)[0], turn)
    return ""


_MEMBERS = {
    c.CATEGORY_SPACE: " ",
    c.CATEGORY_DIGIT: "1",
    c.CATEGORY_WORD: "a",
    c.CATEGORY_NOT_SPACE: "a",
    c.CATEGORY_NOT_DIGIT: "a",
    c.CATEGORY_NOT_WORD: " ",
}


def _member(members: Sequence[Any], turn: int) -> str:
    """A character of a class; of a class that is denied, the first probe that it takes."""
    taken = compiler.compile(parser.SubPattern(parser.State(), [(c.IN, list(members))]), 0)
    of_class = [_named(kind, value) for kind, value in members if kind is not c.NEGATE]
    choices = [one for one in (*of_class, *_PROBES) if one and taken.fullmatch(one)]
    return choices[turn % min(len(choices), 2)] if choices else ""


def _named(kind: Any, value: Any) -> str:
    if kind is c.LITERAL:
        return chr(value)
    if kind is c.RANGE:
        return chr(value[0])
    return _MEMBERS.get(value, "")
