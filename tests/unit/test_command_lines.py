from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.commands.syntax import YES, faults, read_line, usage, written
from bot.model.commands import Answer, Call, Command, Option, OptionKind

TWO = {"en": "x", "fr": "x"}


async def _nothing(_call: Call) -> Answer:
    return Answer(text="")


def command(name: str, *options: Option, default: bool = False) -> Command:
    """A command that does nothing."""
    return Command(name=name, summary=TWO, run=_nothing, options=options, default=default)


def option(name: str, kind: OptionKind = OptionKind.TEXT, **fields: Any) -> Option:
    """An option that is for nothing."""
    return Option(name=name, summary=TWO, kind=kind, **fields)


TABLE: Mapping[str, Command] = {
    one.name: one
    for one in (
        command("help"),
        command(
            "forget",
            option("topic"),
            option("undo", OptionKind.FLAG),
            option("all", OptionKind.FLAG),
            option("confirm", OptionKind.FLAG, shown=False),
            option("token", OptionKind.WORD, shown=False),
        ),
        command("settings get", option("name", OptionKind.WORD), default=True),
        command(
            "settings set",
            option("name", OptionKind.WORD, required=True),
            option("value", required=True),
        ),
        command("memory search", option("query", required=True)),
        command("correct", option("what"), option("to", mark="->")),
        command("privacy", option("reading", OptionKind.WORD, choices=("on", "off"))),
    )
}


@pytest.mark.parametrize(
    ("text", "name", "arguments"),
    [
        ("/help", "help", {}),
        ("/HELP me", "help", {}),
        ("/forget la Grèce et la mer", "forget", {"topic": "la Grèce et la mer"}),
        ("/forget undo", "forget", {"undo": YES}),
        ("/forget --undo", "forget", {"undo": YES}),
        ("/forget Confirm", "forget", {"confirm": YES}),
        ("/forget undo the knot", "forget", {"topic": "undo the knot"}),
        ("/forget --all bread", "forget", {"all": YES, "topic": "bread"}),
        ("/forget bread --all", "forget", {"all": YES, "topic": "bread"}),
        ("/forget the --all bread", "forget", {"topic": "the --all bread"}),
        ("/forget --confirm --token=ab12", "forget", {"confirm": YES, "token": "ab12"}),
        ("/forget --unknown bread", "forget", {"topic": "--unknown bread"}),
        ("/forget --all=maybe bread", "forget", {"topic": "--all=maybe bread"}),
        ("/forget", "forget", {}),
        ("/settings", "settings get", {}),
        ("/settings get window", "settings get", {"name": "window"}),
        ("/Settings SET key a value  of words", "settings set", {}),
        ("/privacy off", "privacy", {"reading": "off"}),
        ("/privacy off please", "privacy", {"reading": "off"}),
        ("/correct a b -> c d", "correct", {"what": "a b", "to": "c d"}),
        ("/correct a b→c", "correct", {"what": "a b", "to": "c"}),
        ("/correct a => b -> c", "correct", {"what": "a", "to": "b -> c"}),
        ("/correct a b", "correct", {"what": "a b"}),
        ("/correct a ->", "correct", {"what": "a"}),
        ("/correct -> b", "correct", {"to": "b"}),
        ("/correct --to=b a -> c", "correct", {"what": "a", "to": "b"}),
        ("/memory search bread\nand wine", "memory search", {"query": "bread\nand wine"}),
    ],
)
def test_a_typed_line_is_read(text: str, name: str, arguments: dict[str, str]) -> None:
    """By one or two words, then options by name, then the rest by place."""
    line = read_line(text, TABLE)
    assert line is not None
    assert line.name == name
    expected = arguments or (
        {"name": "key", "value": "a value  of words"} if name == "settings set" else {}
    )
    assert line.arguments == expected


@pytest.mark.parametrize("text", ["", "help", "/", "/ help", "/nothing", "//help", "a /help"])
def test_other_words_call_nothing(text: str) -> None:
    """A slash, then a name of the table, or it is only said."""
    assert read_line(text, TABLE) is None


@pytest.mark.parametrize("text", ["/memory", "/memory what", "/settings nonsense"])
def test_the_first_word_of_several_is_known_without_the_second(text: str) -> None:
    """So that whoever types it is told what there is."""
    line = read_line(text, TABLE)
    assert line is not None
    assert line.command is None


def test_what_is_missing_and_what_is_wrong_is_told() -> None:
    """A required option that is not there, and a value that is none of the choices."""
    missing = read_line("/settings set lonely", TABLE)
    assert missing is not None
    assert [one.name for one in missing.missing] == ["value"]
    wrong = faults(TABLE["privacy"], {"reading": "perhaps"})
    assert [one.name for one in wrong["wrong"]] == ["reading"]


def test_usage_says_how_a_command_is_typed() -> None:
    """Required options bare, others in brackets, those for buttons not at all."""
    assert usage(TABLE["settings set"], "en") == "/settings set NAME VALUE"
    assert usage(TABLE["forget"], "en") == "/forget [TOPIC] [--undo] [--all]"
    assert usage(TABLE["correct"], "en") == "/correct [WHAT] [-> TO]"
    assert usage(TABLE["privacy"], "en") == "/privacy [on|off]"


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "undo": st.just(YES),
            "all": st.just(YES),
            "confirm": st.just(YES),
            "token": st.text("abcdef0123456789", min_size=1, max_size=8),
        },
    )
)
def test_what_is_written_is_read_back(arguments: dict[str, str]) -> None:
    """A button carries its command as a line."""
    line = read_line(written("forget", arguments), TABLE)
    assert line is not None
    assert line.arguments == arguments


@given(st.text(max_size=60))
def test_whatever_is_typed_is_read_or_left_alone(text: str) -> None:
    """Nothing fails, and every argument belongs to an option."""
    line = read_line("/" + text, TABLE)
    if line is not None and line.command is not None:
        assert set(line.arguments) <= {one.name for one in line.command.options}


def test_a_command_answers_to_its_name_in_another_language_too() -> None:
    """And goes by its own afterwards; what it is called depends on who reads."""
    named = replace(TABLE["privacy"], names={"fr": "confidentialité"})
    line = read_line("/Confidentialité off", {**TABLE, "privacy": named})
    assert line is not None
    assert (line.name, line.arguments) == ("privacy", {"reading": "off"})
    assert usage(named, "fr") == "/confidentialité [on|off]"
    assert usage(named, "en") == "/privacy [on|off]"
