"""Commands as typed lines: read from `/settings set NAME VALUE`, and written as one. Pure."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache

from bot.model.commands import Command, Option, OptionKind

YES = "yes"
"""The value of a flag that was given."""

NO = frozenset({"no", "non", "cancel", "annule", "annuler"})
"""Words that decline what was just offered."""

LONGEST_NAME = 32
"""Characters of the name of a command: no platform takes more."""

_NAMED = re.compile(rf"/([^\W\d_](?:[^\W\d_]|-){{0,{LONGEST_NAME - 1}}})(?:\s|$)")
_SPELT = {
    "->": r"(?<!-)-+>|(?<!=)=+>|→|➔|➜",
    "cancel": r"(?<!\w)(?:cancel|annule[rz]?|supprime[rz]?)(?!\w)",
}
"""What a mark is typed as: keyboards make one sign of an arrow, and people use their language."""

_GIVEN = re.compile(r"--(?P<name>[a-z-]+)(?:=(?P<value>\S*))?(?:\s+|$)")


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandLine:
    """A line that names a command of the table, or the first word of several.

    `command` is None for the first word of several without a default; `missing` are the required
    options that it does not have, `wrong` those with a value that is none of their choices.
    """

    name: str
    command: Command | None
    arguments: Mapping[str, str]
    missing: tuple[Option, ...] = ()
    wrong: tuple[Option, ...] = ()


def read_line(text: str, table: Mapping[str, Command]) -> CommandLine | None:
    """The command that a text calls, with its arguments; None when it calls none."""
    words = text[1:].split(maxsplit=2) if text.startswith("/") else []
    if not words or text[1:2].isspace():
        return None
    first, *others = words
    two = f"{first} {others[0]}".lower() if others else ""
    if two in table:
        return _filled(two, table[two], others[1] if len(others) > 1 else "")
    rest = text[1:].split(maxsplit=1)[1].strip() if others else ""
    return _of_one_word(first.lower(), rest, table)


def name_in(text: str) -> str | None:
    """The name in a text that is written like a command, whether there is such a one or not."""
    found = _NAMED.match(text)
    return found[1].lower() if found else None


def nearest(name: str, table: Iterable[str]) -> str | None:
    """The command of a table that may have been meant by a name it does not have."""
    firsts = list(dict.fromkeys(one.split()[0] for one in table))
    return next(iter(get_close_matches(name, firsts, n=1)), None)


def written(command: str, arguments: Mapping[str, str]) -> str:
    """The line that calls a command with these arguments; values are single words."""
    given = (
        f"--{name}" if value == YES else f"--{name}={value}" for name, value in arguments.items()
    )
    return " ".join((f"/{command}", *given))


def usage(command: Command, locale: str) -> str:
    """How a command is typed: `/settings set NAME VALUE`."""
    shown = [_placeholder(option, locale) for option in command.options if option.shown]
    return " ".join((f"/{command.called(locale)}", *shown))


def _placeholder(option: Option, locale: str) -> str:
    if option.kind is OptionKind.FLAG:
        return f"[--{option.name}]"
    name = "|".join(option.choices) or option.called(locale).upper().replace("-", "_")
    marked = f"{option.mark} {name}" if option.mark else name
    return marked if option.required else f"[{marked}]"


def _of_one_word(first: str, rest: str, table: Mapping[str, Command]) -> CommandLine | None:
    command = table.get(first) or _named_elsewhere(first, table)
    if command is not None:
        return _filled(command.name, command, rest)
    of_group = [one for one in table.values() if one.name.split()[0] == first]
    default = next((one for one in of_group if one.default), None)
    if default is not None and not rest:
        return _filled(default.name, default, rest)
    return CommandLine(name=first, command=None, arguments={}) if of_group else None


def _named_elsewhere(first: str, table: Mapping[str, Command]) -> Command | None:
    """The command that has this name in another language than English."""
    return next((one for one in table.values() if first in one.names.values()), None)


def _filled(name: str, command: Command, rest: str) -> CommandLine:
    arguments, rest = _given_by_name(command.options, rest)
    marked, rest = _given_by_mark(command.options, rest)
    arguments = marked | arguments
    arguments |= _given_by_place(
        [one for one in command.options if one.name not in arguments and not one.mark], rest
    )
    return CommandLine(
        name=name, command=command, arguments=arguments, **faults(command, arguments)
    )


def faults(command: Command, arguments: Mapping[str, str]) -> dict[str, tuple[Option, ...]]:
    """What is `missing` and what is `wrong` among the arguments of a command."""
    missing = [one for one in command.options if one.required and one.name not in arguments]
    wrong = [
        one
        for one in command.options
        if one.choices and one.name in arguments and arguments[one.name] not in one.choices
    ]
    return {"missing": tuple(missing), "wrong": tuple(wrong)}


def _given_by_name(options: Sequence[Option], rest: str) -> tuple[dict[str, str], str]:
    """What stands at the beginning as `--name` or `--name=value`, and what is left."""
    known = {option.name: option for option in options}
    arguments: dict[str, str] = {}
    while (found := _GIVEN.match(rest)) and (option := known.get(found["name"])):
        is_flag = option.kind is OptionKind.FLAG
        if is_flag == (found["value"] is not None):
            break
        arguments[option.name] = YES if is_flag else found["value"]
        rest = rest[found.end() :]
    return _flags_at_the_end(options, rest, arguments)


def _flags_at_the_end(
    options: Sequence[Option], rest: str, arguments: dict[str, str]
) -> tuple[dict[str, str], str]:
    """The same with the flags that stand behind the words, as people write them, too."""
    flags = {f"--{one.name}": one.name for one in options if one.kind is OptionKind.FLAG}
    while (words := rest.split()) and (name := flags.get(words[-1])):
        arguments[name] = YES
        rest = rest.rstrip().removesuffix(words[-1]).rstrip()
    return arguments, rest


def _given_by_mark(options: Sequence[Option], rest: str) -> tuple[dict[str, str], str]:
    """What stands behind a mark that an option has, and what is left before it."""
    arguments: dict[str, str] = {}
    for option in filter(lambda one: one.mark, options):
        if found := _spelt(option.mark).search(rest):
            value = rest[found.end() :].strip()
            arguments |= {option.name: value} if value else {}
            rest = rest[: found.start()].strip()
    return arguments, rest


@cache
def _spelt(mark: str) -> re.Pattern[str]:
    return re.compile(_SPELT.get(mark, re.escape(mark)))


def _given_by_place(options: Iterable[Option], rest: str) -> dict[str, str]:
    lone = {one.name for one in options if one.kind is OptionKind.FLAG}
    if rest.lower() in lone:
        return {rest.lower(): YES}
    places = [one for one in options if one.kind is not OptionKind.FLAG and one.shown]
    words = rest.split(maxsplit=max(len(places) - 1, 0)) if rest else []
    if places and places[-1].kind is OptionKind.WORD and words:
        words = [*words[:-1], *words[-1].split()[:1]]
    return {one.name: word.strip() for one, word in zip(places, words, strict=False)}
