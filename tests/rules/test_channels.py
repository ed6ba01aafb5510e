"""A channel is a plug-in: nothing but its own folder, its settings and the registry know it."""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from bot.channels.registry import CHANNELS
from config.sections.channel import channels_in
from config.settings import Settings
from tests.rules.test_help import HEAVY, loaded_by

REGISTRY = "bot/channels/registry.py"

LIBRARIES = ("config/logs.py",)
"""Where the names of libraries are listed, one of which may be called as its platform is."""

EXPORTS = (
    "bot/transfer/history/readers/",
    "bot/transfer/history/recognising.py",
)
"""The files that programs export are formats of their own, which no channel reads or writes."""

NAMES = [one.name for one in CHANNELS]


def mentions(tree: ast.Module, name: str) -> Iterator[str]:
    """What in a module's code is called by a channel's name; what is told about it does not count.

    Names, attributes, arguments, imports, and texts that are the name and nothing else.
    """
    for node in ast.walk(tree):
        found: str | None = None
        if isinstance(node, ast.Name):
            found = node.id
        elif isinstance(node, ast.Attribute):
            found = node.attr
        elif isinstance(node, ast.arg | ast.keyword):
            found = node.arg
        elif isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            found = node.name
        elif isinstance(node, ast.ImportFrom):
            found = node.module
        elif isinstance(node, ast.Constant) and node.value == name:
            found = name
        if found and name in found.lower():
            yield f"{getattr(node, 'lineno', 0)} {found}"


@pytest.mark.parametrize("name", NAMES)
def test_only_its_folder_and_the_registry_know_a_channel(
    sources: Mapping[str, ast.Module], name: str
) -> None:
    """What others need to know of it, it says itself."""
    settings = (f"config/sections/{name}.py", "config/settings.py")
    own = (f"bot/channels/{name}/", REGISTRY, *settings, *LIBRARIES, *EXPORTS)
    found = {
        path: list(mentions(tree, name))
        for path, tree in sources.items()
        if not path.startswith(own)
    }
    assert {path: names for path, names in found.items() if names} == {}


def test_the_rule_sees_what_knows_a_channel() -> None:
    """However it is written."""
    code = (
        "from bot.channels.pigeon.loft import Loft\n"
        "pigeon_rules = settings.pigeon\n"
        "def of(pigeons): return send('pigeon', to_pigeon=1)\n"
        "class PigeonPost: 'Carries what a pigeon carries.'\n"
    )
    assert len(list(mentions(ast.parse(code), "pigeon"))) == 7


def test_each_channel_has_a_section_of_the_settings_under_its_name() -> None:
    """And each such section a channel."""
    assert sorted(channels_in(Settings)) == sorted(NAMES)


def test_the_registry_loads_no_channel(root: Path) -> None:
    """One that is not used costs nothing: neither its library nor anything else that is heavy."""
    program = "import sys, bot.channels.registry\nprint(*sys.modules, file=sys.stderr)"
    _, loaded = loaded_by(program, root)
    of_the_model = {"numpy"}
    assert sorted(loaded & (HEAVY.keys() - of_the_model)) == []
