from typing import Any

import pytest

from bot.channels.discord.interactions.handler import choices_of
from bot.channels.discord.interactions.invocation import CommandInput, asked_in
from bot.commands.syntax import YES
from bot.model.commands import Choice


def option(name: str, value: object, **more: Any) -> dict[str, Any]:
    """What was given for one option."""
    return {"name": name, "type": 3, "value": value, **more}


@pytest.mark.parametrize(
    ("data", "asked"),
    [
        ({"name": "help"}, CommandInput(command="help", arguments={})),
        (
            {"name": "box", "options": [{"name": "set", "type": 1, "options": [option("a", "b")]}]},
            CommandInput(command="box set", arguments={"a": "b"}),
        ),
        (
            {"name": "box", "options": [{"name": "get", "type": 1}]},
            CommandInput(command="box get", arguments={}),
        ),
        (
            {
                "name": "ask",
                "options": [
                    option("on", value=True),
                    option("off", value=False),
                    option("blank", " "),
                    option("many", 7),
                    option("what", "br", focused=True),
                ],
            },
            CommandInput(
                command="ask", arguments={"on": YES, "many": "7", "what": "br"}, focused="what"
            ),
        ),
    ],
)
def test_a_command_is_read_with_its_options(data: dict[str, Any], asked: CommandInput) -> None:
    """By the words of its name; what says nothing was not given."""
    assert asked_in(data) == asked


def test_proposals_are_as_discord_takes_them() -> None:
    """On one line, short, of different names; a value cannot be cut."""
    long = "x" * 150
    given = [
        Choice(label="a\nb", value="1"),
        Choice(label="", value="2"),
        Choice(label=long, value="3"),
        Choice(label=long, value="4"),
        Choice(label="again", value="1"),
        Choice(label="too long", value=long),
        Choice(label="empty", value=""),
    ]
    taken = choices_of(given)
    assert [one.value for one in taken] == ["1", "2", "3", "4"]
    assert [one.name for one in taken[:2]] == ["a b", "2"]
    names = [one.name for one in taken]
    assert len(set(names)) == len(names)
    assert all(1 <= len(name) <= 100 for name in names)
