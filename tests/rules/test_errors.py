import ast
from collections.abc import Mapping

BROAD: Mapping[str, str] = {
    "bot/platforms/channel_elsewhere.py": "whatever ends a life, there is another",
    "bot/channels/matrix/inbound/reader.py": "the same: anybody may have written it",
    "bot/topics/mcp/server.py": "a tool call is a boundary as a turn is: an agent reads sentences",
    "observers/conversation_facts.py": "an observer: the next pass goes on from there",
    "observers/digest.py": "one stretch that a fault of ours cannot read must not stop the others",
    "memory/embedders/local.py": "the runtime and its tokenizers raise bare Exception",
    "memory/storage/sqlite/database.py": "a write's error belongs to whoever asked for the write",
    "memory/vectorstores/edge/shard.py": "the engine raises bare Exception and nothing else",
    "memory/vectorstores/edge/shards.py": "the same, and panics that are not even that",
    "memory/vectorstores/edge/worker.py": "the same",
}
"""Modules that may catch everything, with the reason."""

_EVERYTHING = {"Exception", "BaseException"}


def broad(path: str, tree: ast.Module) -> list[str]:
    """Handlers that catch everything."""
    return [
        f"{path}:{node.lineno}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ExceptHandler) and _catches_all(node)
    ]


def _catches_all(handler: ast.ExceptHandler) -> bool:
    """Whether it swallows everything; one that ends in a bare `raise` only looks."""
    last = handler.body[-1]
    if isinstance(last, ast.Raise) and last.exc is None:
        return False
    if handler.type is None:
        return True
    named = {node.id for node in ast.walk(handler.type) if isinstance(node, ast.Name)}
    return bool(named & _EVERYTHING)


def test_only_boundaries_catch_everything(sources: dict[str, ast.Module]) -> None:
    """Elsewhere an error is translated by name or left to rise."""
    found = [
        hit for path, tree in sources.items() if path not in BROAD for hit in broad(path, tree)
    ]
    assert found == []


def test_no_permission_is_left_over(sources: dict[str, ast.Module]) -> None:
    """A module that no longer catches everything leaves the table."""
    assert [path for path in BROAD if path in sources and not broad(path, sources[path])] == []


def test_the_rule_sees_broad_handlers() -> None:
    """Bare, by name and in a tuple; one that raises again is fine."""
    handlers = ["", " Exception", " (OSError, BaseException)", " ValueError"]
    code = "".join(f"try:\n    f()\nexcept{handler}:\n    g()\n" for handler in handlers)
    code += "try:\n    f()\nexcept BaseException:\n    g()\n    raise\n"
    assert broad("x", ast.parse(code)) == ["x:3", "x:7", "x:11"]
