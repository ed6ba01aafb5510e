"""The dashboard's texts: what its templates and modules say there is, and nothing else."""

import ast
import re
from pathlib import Path

from bot.surfaces.texts import web_texts
from bot.texts.catalogue import texts_in

_SAID = re.compile(r"""\bt\(\s*["']([a-z_.-]+)["']\s*(~)?""")
"""A text that a template says, with a `~` where a value completes its key."""
_OF_PET = re.compile(r"""\bword\(\s*["']([a-z_.-]+)["']\s*(~)?""")
"""The same of the pet's own texts."""
_KEY = re.compile(r"[a-z_]+(\.[a-z_-]+)+")

TITLED = ".title"
"""What every section of the menu has, said by the section's name."""


def said_in_templates(root: Path, expression: re.Pattern[str]) -> tuple[set[str], set[str]]:
    """The keys that templates say, and the beginnings that values complete."""
    found = [
        match
        for path in (root / "bot").rglob("*")
        if path.suffix in {".html", ".svg"}
        for match in expression.findall(path.read_text("utf-8"))
    ]
    return {key for key, more in found if not more}, {key for key, more in found if more}


def said_in_modules(sources: dict[str, ast.Module]) -> set[str]:
    """What is written like a key in the modules of the web."""
    return {
        node.value
        for path, tree in sources.items()
        if path.startswith(("bot/web/", "bot/surfaces/", "bot/topics/"))
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and _KEY.fullmatch(node.value)
    }


def test_templates_say_texts_that_there_are(root: Path) -> None:
    """A missing one would be an error on a page that is seldom opened."""
    entries = web_texts("en").entries
    keys, beginnings = said_in_templates(root, _SAID)
    assert sorted(keys - entries.keys()) == []
    assert [one for one in beginnings if not any(key.startswith(one) for key in entries)] == []


def test_templates_say_words_of_the_pet_that_there_are(root: Path) -> None:
    """The same for the texts that the pet and its dashboard share."""
    entries = texts_in("en").entries
    keys, beginnings = said_in_templates(root, _OF_PET)
    assert sorted(keys - entries.keys()) == []
    assert [one for one in beginnings if not any(key.startswith(one) for key in entries)] == []


def test_every_text_of_the_dashboard_is_said(root: Path, sources: dict[str, ast.Module]) -> None:
    """None is left over from a page that changed."""
    keys, beginnings = said_in_templates(root, _SAID)
    keys |= said_in_modules(sources)
    unsaid = [
        key
        for key in web_texts("en").entries
        if key not in keys and not key.endswith(TITLED) and not key.startswith(tuple(beginnings))
    ]
    assert unsaid == []
