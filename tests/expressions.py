"""Every expression of the product, tried on texts made against it: `python -m tests.expressions`.

It is a process of its own, because it imports every module with `re.compile` watched. What fails is
printed, a line each.
"""

import ast
import importlib
import re
import sys
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FrameType

from memory.language.expressions import LONGEST_SENTENCE, SentencePattern
from tests.adversary import Attack, attacks
from tests.processor_limit import Measure, undisturbed

ROOT = Path(__file__).parents[1]
PACKAGES = ("config", "memory", "observers", "bot")

LENGTH = 20_000
"""Characters of a text that is judged: the longest message of any platform."""

_GLANCE = 1_000
"""Characters of the same text as it is tried first."""

_SUSPECT_S = 0.000_5
"""Processor seconds of that try past which the long text is tried: what takes the square of a
text's length, and all that is allowed for the long one, takes 0.000 6."""

LIMIT_S = 0.25
"""Processor seconds for the long text: a linear expression takes 0.01, a quadratic one 0.5."""

SENTENCE_LIMIT_S = 0.03
"""The same for a sentence: what takes its square needs 0.001, what takes its cube 0.3."""

_TRIES = 5
"""Tries of which the fastest counts: a processor that is shared may be slow once."""

SEARCHING = frozenset({"search", "findall", "finditer", "sub", "subn", "split"})
WAYS = SEARCHING | {"match", "fullmatch"}


@dataclass(frozen=True, slots=True)
class Expression:
    """A compiled expression, the line that compiled it, and how it is used."""

    pattern: re.Pattern[str]
    place: str
    ways: frozenset[str]
    is_of_sentence: bool

    @property
    def length(self) -> int:
        """Characters of the longest text that it is used on."""
        return LONGEST_SENTENCE if self.is_of_sentence else LENGTH

    @property
    def limit_s(self) -> float:
        """Processor seconds that it may take for such a text."""
        return SENTENCE_LIMIT_S if self.is_of_sentence else LIMIT_S


_MADE_IN_USE: tuple[tuple[str, str, str | tuple[str, ...]], ...] = (
    ("memory.language.names", "_forms", "Jean Luc"),
    ("memory.retrieval.question_reader", "_calls", ("Eko", "Ekko")),
    ("memory.language.questions.patterns", "_edges", ("eko",)),
    ("memory.language.times.phrase_readings", "_form", "jours?"),
    ("bot.llm.offline.manners.reading", "_patterns", "crisis.toml"),
    ("bot.llm.offline.questions.eligibility", "_naming", "lea"),
    ("bot.llm.offline.questions.eligibility", "_vocative", "lea"),
    ("memory.claims.signs", "signs_in", "one day"),
    ("bot.conversation.placement", "_calls", "Eko"),
    ("bot.conversation.splitting", "_atom", r"<@!?\d+>"),
    ("bot.commands.syntax", "_spelt", "->"),
)
"""What compiles expressions of names and the like when it is first asked, with an example each."""

_WRAPPER = "memory/language/expressions.py"

_MAKERS = (str(ROOT / _WRAPPER), __file__)
"""Whose frames stand between an expression and the line that made it."""

Place = tuple[str, int, bool]
"""A file, a line, and whether the expression is one of a sentence there."""


def compiled() -> dict[Place, list[re.Pattern[str]]]:
    """Every expression that importing the product compiles."""
    found: dict[Place, list[re.Pattern[str]]] = defaultdict(list)
    compile_ = re.compile

    def watched(pattern: str, flags: int = 0) -> re.Pattern[str]:
        made = compile_(pattern, flags)
        if place := _place(sys._getframe(1)):
            found[place].append(made)
        return made

    make = SentencePattern.__init__

    def made_at_once(self: SentencePattern, pattern: str, flags: int = 0) -> None:
        make(self, pattern, flags)
        self.compile()

    re.compile = watched  # type: ignore[assignment]
    SentencePattern.__init__ = made_at_once  # type: ignore[method-assign]
    try:
        for module in _modules():
            importlib.import_module(module)
        for module, name, example in _MADE_IN_USE:
            getattr(importlib.import_module(module), name)(example)
    finally:
        re.compile = compile_
        SentencePattern.__init__ = make  # type: ignore[method-assign]
    return found


def _place(frame: FrameType) -> Place | None:
    is_of_sentence = frame.f_code.co_filename == str(ROOT / _WRAPPER)
    while frame.f_back is not None and frame.f_code.co_filename in _MAKERS:
        frame = frame.f_back
    file = Path(frame.f_code.co_filename)
    if not any(file.is_relative_to(ROOT / package) for package in PACKAGES):
        return None
    return file.relative_to(ROOT).as_posix(), frame.f_lineno, is_of_sentence


def expressions(found: Mapping[Place, list[re.Pattern[str]]]) -> Iterator[Expression]:
    """Every expression of the product with the ways it is used in, as its source says."""
    named, others = _uses()
    for (file, line, is_of_sentence), made in found.items():
        owner, name = _name_at(file, line)
        ways = named.get((owner, name)) if name else others.get(file)
        for pattern in dict.fromkeys(made):
            yield Expression(pattern, f"{file}:{line}", ways or WAYS, is_of_sentence)


def failure(expression: Expression) -> str | None:
    """How an expression is longer than linear, or None."""
    ways = {"search" if way in SEARCHING else way for way in expression.ways}
    tried = list(attacks(expression.pattern))
    with undisturbed() as measured:
        for way in sorted(ways):
            use = _use(expression.pattern, way)
            for attack in tried:
                if not expression.is_of_sentence and _is_quick(measured, use, attack):
                    continue
                text = attack.text(expression.length)
                if _takes_too_long(measured, use, text, expression.limit_s):
                    return f"{expression.place} {way} {text[:40]!r} … {text[-20:]!r}"
    return None


def _is_quick(measured: Measure, use: Callable[[str], object], attack: Attack) -> bool:
    return _takes(measured, use, attack.text(_GLANCE)) <= _SUSPECT_S


def _use(pattern: re.Pattern[str], way: str) -> Callable[[str], object]:
    if way == "search":
        return lambda text: deque(pattern.finditer(text), 0)
    return pattern.match if way == "match" else pattern.fullmatch


def _takes_too_long(
    measured: Measure, use: Callable[[str], object], text: str, limit_s: float
) -> bool:
    return all(_takes(measured, use, text) > limit_s for _ in range(_TRIES))


def _takes(measured: Measure, use: Callable[[str], object], text: str) -> float:
    return measured(lambda: use(text), LIMIT_S * 1.2)


def _modules() -> Iterator[str]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            if parts[-1] != "__main__":
                yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _uses() -> tuple[Mapping[tuple[str, str], frozenset[str]], Mapping[str, frozenset[str]]]:
    """The methods called on each name of each file, and those on what is no constant of it."""
    named: dict[tuple[str, str], frozenset[str]] = defaultdict(frozenset)
    others: dict[str, frozenset[str]] = defaultdict(frozenset)
    for file, tree in _trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr in WAYS:
                match node.value:
                    case ast.Name(id=name) if name.isupper():
                        named[file, name] |= {node.attr}
                    case ast.Attribute(attr=name):
                        named["", name] |= {node.attr}
                    case _:
                        others[file] |= {node.attr}
    return named, others


def _trees() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(one for package in PACKAGES for one in (ROOT / package).rglob("*.py")):
        file = path.relative_to(ROOT).as_posix()
        yield file, _tree(file)


@cache
def _tree(file: str) -> ast.Module:
    return ast.parse((ROOT / file).read_text(encoding="utf-8"))


def _name_at(file: str, line: int) -> tuple[str, str]:
    """The private constant or the field that a line of a file binds to an expression, if any."""
    for node in _tree(file).body:
        if isinstance(node, ast.Assign) and node.lineno <= line <= (node.end_lineno or 0):
            target = node.targets[0]
            is_one = isinstance(node.value, ast.Call) and isinstance(target, ast.Name)
            if is_one and isinstance(target, ast.Name) and target.id.startswith("_"):
                return file, target.id
    if (field := _fields(file).get(line)) is not None:
        return "", field
    return file, ""


@cache
def _fields(file: str) -> Mapping[int, str]:
    """The keyword that is given what stands on a line, the first one of each."""
    found: dict[int, str] = {}
    for inner in ast.walk(_tree(file)):
        if isinstance(inner, ast.keyword) and inner.arg:
            found.setdefault(inner.value.lineno, inner.arg)
    return found


def uncompiled(places: Collection[Place]) -> Iterator[str]:
    """Calls of `re` that nothing here has seen, and inline ones, which have no name to test."""
    known = {(file, line) for file, line, _ in places}
    for file, tree in _trees():
        for node in ast.walk(tree):
            match node:
                case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr=made)):
                    is_known = made == "compile" and (file, node.lineno) in known
                    if made != "escape" and not is_known and file != _WRAPPER:
                        yield f"{file}:{node.lineno} re.{made} is never tried"


def main() -> None:
    """Print every failure."""
    found = compiled()
    for failed in (*uncompiled(found), *filter(None, map(failure, expressions(found)))):
        print(failed, flush=True)  # noqa: T201 - what it is for


if __name__ == "__main__":
    main()
