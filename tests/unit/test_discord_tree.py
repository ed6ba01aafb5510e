import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from bot.channels.discord.interactions.command_tree import TableUnfit, tree_of
from bot.model.commands import Answer, Authority, Call, Caller, Choice, Command, Option, OptionKind
from tests.table import real_table

TWO = {"en": "x", "fr": "y"}
TREE = tree_of(real_table())


async def _nothing(_call: Call) -> Answer:
    return Answer(text="")


async def _none(_caller: Caller, _typed: str) -> list[Choice]:
    return []


def table(*commands: Command) -> dict[str, Command]:
    """A table of these."""
    return {command.name: command for command in commands}


def command(name: str, *options: Option, **fields: Any) -> Command:
    """A command that does nothing."""
    return Command(name=name, summary=TWO, run=_nothing, options=options, **fields)


def nodes(payloads: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Every command, group and option."""
    for payload in payloads:
        yield payload
        yield from nodes(payload.get("options", []))


def is_name(text: str) -> bool:
    r"""What Discord takes: ^[-_'\p{L}\p{N}]{1,32}$, lower case."""
    letters = all(one in "-_'" or one.isalnum() for one in text)
    return 1 <= len(text) <= 32 and letters and text == text.lower()


def test_every_name_of_the_real_table_is_one_of_discords() -> None:
    """In both languages; no two beside each other have the same."""
    for payload in nodes(TREE):
        names = {payload["name"], *payload["name_localizations"].values()}
        assert all(map(is_name, names)), names
    for beside in (TREE, *(one["options"] for one in nodes(TREE) if one.get("options"))):
        for locale in ("en", "fr"):
            names_here = [one["name_localizations"].get(locale, one["name"]) for one in beside]
            assert len(set(names_here)) == len(names_here)


def test_every_description_of_the_real_table_fits_and_is_in_french_too() -> None:
    """1 to 100 characters, in both languages."""
    for payload in nodes(TREE):
        french = payload["description_localizations"]["fr"]
        for text in (payload["description"], french):
            assert 1 <= len(text) <= 100, (payload["name"], len(text), text)


def test_the_real_table_is_no_larger_than_discord_takes() -> None:
    """100 commands, 25 of everything within one, 8,000 characters for each."""
    assert len(TREE) <= 100
    for payload in nodes(TREE):
        assert len(payload.get("options", [])) <= 25
        assert len(payload.get("choices", [])) <= 25
        assert all(len(one["name"]) <= 100 for one in payload.get("choices", []))
    for top in TREE:
        assert max(characters(top, "en"), characters(top, "fr")) <= 8000


def characters(payload: Mapping[str, Any], locale: str) -> int:
    """What Discord counts of a command: names, descriptions and values, by the longer language."""
    names = payload["name_localizations"].get(locale, payload["name"])
    described = payload["description_localizations"].get(locale, payload["description"])
    choices = sum(len(one["name"]) + len(one["value"]) for one in payload.get("choices", []))
    within = sum(characters(one, locale) for one in payload.get("options", []))
    return len(names) + len(described) + choices + within


def test_the_real_table_is_all_there() -> None:
    """Every command, help too, under the words it has when typed."""
    paths = {
        path
        for top in TREE
        for path in (
            [f"{top['name']} {one['name']}" for one in top["options"] if one["type"] == 1]
            or [top["name"]]
        )
    }
    assert paths == set(real_table())


def test_what_is_for_buttons_is_no_option() -> None:
    """Nobody types a token."""
    hidden = {one.name for one in real_table()["forget"].options if not one.shown}
    assert hidden
    (forget,) = (one for one in TREE if one["name"] == "forget")
    assert hidden.isdisjoint({one["name"] for one in forget["options"]})


def test_commands_for_admins_are_shown_to_managers_in_guilds() -> None:
    """Everybody's are for direct rooms too."""
    admins = command("box set", needs=Authority.SPACE)
    top, mine = tree_of(table(admins, command("ask")))
    assert (top["default_member_permissions"], top["contexts"]) == ("32", [0])
    assert (mine["default_member_permissions"], mine["contexts"]) == (None, [0, 1])
    assert {json.dumps(one["integration_types"]) for one in (top, mine)} == {"[0]"}


def test_a_group_with_something_for_everybody_is_shown_to_everybody() -> None:
    """Discord knows permissions of the whole group only; the dispatcher judges each call."""
    (top,) = tree_of(table(command("box set", needs=Authority.PET), command("box get")))
    assert top["default_member_permissions"] is None


def test_options_have_their_kinds() -> None:
    """What must be given comes first, as Discord wants it."""
    (top,) = tree_of(
        table(
            command(
                "ask",
                Option(name="what", summary=TWO, complete=_none, names={"fr": "quoi"}),
                Option(name="sure", summary=TWO, kind=OptionKind.FLAG),
                Option(name="how", summary=TWO, required=True, choices=("on", "off")),
                Option(name="token", summary=TWO, shown=False),
            )
        )
    )
    how, what, sure = top["options"]
    assert (how["type"], how["required"]) == (3, True)
    assert how["choices"] == [{"name": "on", "value": "on"}, {"name": "off", "value": "off"}]
    assert (what["type"], what["autocomplete"]) == (3, True)
    assert what["name_localizations"] == {"fr": "quoi"}
    assert what["description_localizations"] == {"fr": "y"}
    assert (sure["type"], sure["required"]) == (5, False)


@pytest.mark.parametrize(
    "commands",
    [
        (command("box"), command("box set")),
        (command("box set"), command("box")),
        (command("ask", names={"fr": "box"}), command("box set")),
        (command("ask", names={"fr": "dire"}), command("say", names={"fr": "dire"})),
        (command("box set", names={"fr": "boîte"}),),
    ],
)
def test_names_that_discord_cannot_tell_apart_are_refused(commands: tuple[Command, ...]) -> None:
    """At the start, not when somebody uses them."""
    with pytest.raises(TableUnfit):
        tree_of(table(*commands))


def test_a_name_may_be_the_same_in_both_languages() -> None:
    """It is still one command."""
    (top,) = tree_of(table(command("pause", names={"fr": "pause"})))
    assert top["name_localizations"] == {"fr": "pause"}
