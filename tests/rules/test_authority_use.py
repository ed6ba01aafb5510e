import ast
import re
from fnmatch import fnmatch
from pathlib import Path

MANDATED = {
    "memory/model/authority.py": "they are defined there",
    "memory/storage/forgetting/receipts.py": "a preview is confirmed by the right it was asked by",
    "bot/model/commands.py": "the caller of an explicit command, as the platform vouches for them",
    "bot/commands/": "explicit commands, which the dispatcher has let through",
    "bot/topics/*/*command.py": "the same",
    "bot/surfaces/access/caller.py": "the command line: who runs it reads the data folder anyway",
    "bot/surfaces/access/principal.py": "explicit commands of a session or a key, each let through",
}
"""Where an actor may get a further mandate than their own word; talk and its models never."""

CHANGING = {
    "supersede": {
        "memory/storage/statements/supersession.py": "it is defined there, for `overtake`",
        "memory/storage/linking/merging.py": "two people are one, who changed their mind",
        "memory/learning/store.py": "a new statement, by its author or by a command",
        "memory/learning/correction.py": "a correction, by its author or by a command",
        "memory/learning/duplicates.py": "what the operator accepts",
    },
    "overtake": {"memory/learning/store.py": "what was learnt late"},
    "erase": {
        "memory/storage/forgetting/requests.py": "a forgetting, after the rule was asked of each",
        "memory/storage/conversations/edits.py": "its platform took a message back, and what rests"
        " on it alone",
        "memory/storage/backups/replay.py": "what was forgotten since a backup, again",
        "memory/storage/transfer/histories.py": "an import is taken back, by the right of who asks",
        "memory/storage/forgetting/unmeeting.py": "who was met in that import alone, by that right",
    },
}
"""What ends rows, and who may import it, with the reason."""

WRITING = {
    "statements/supersession.sql": "by `supersede`, which asks the rule",
    "forgetting/erasure.sql": "by `erase`, which its callers ask for",
    "backups/rewinding.sql": "on a copy that is thrown away: what was not known at a moment",
    "linking/splitting.sql": "what another author ended is given back, to end by the next"
    " one of its own author",
    "transfer/leaving.sql": "all of a community goes at once, by the operator's command",
    "transfer/imports.sql": "a new row that was replaced already where it comes from",
}
"""Files of `memory/storage/` that may end a statement."""

_FURTHER = {"PET", "SPACE"}
_ENDING = re.compile(
    r"UPDATE\s+memories\s+SET(?:(?!\bWHERE\b).)*?\b(?:superseded_by|forgotten_at)\s*=(?!\s*NULL)"
    r"|DELETE\s+FROM\s+memories\b"
    r"|INSERT\s+INTO\s+memories\s*\([^)]*\b(?:superseded_by|forgotten_at)\b",
    re.IGNORECASE | re.DOTALL,
)


def mandated(path: str, tree: ast.Module) -> list[str]:
    """Where a mandate beyond one's own word is taken, by whatever name."""
    return [f"{path}:{line}" for line in sorted({*_lines(tree)})]


def _lines(tree: ast.Module) -> list[int]:
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, (ast.Attribute, ast.Call, ast.Name, ast.alias)) and _takes_one(node)
    ]


def _takes_one(node: ast.Attribute | ast.Call | ast.Name | ast.alias) -> bool:
    match node:
        case ast.Attribute(attr=name, value=value):
            whose = ast.unparse(value).rpartition(".")[2]
            return name in {"BY_OPERATOR", "commander"} or (whose == "Mandate" and name in _FURTHER)
        case ast.Call(func=function):
            return ast.unparse(function).rpartition(".")[2] == "Mandate"
        case ast.Name(id=name) | ast.alias(name=name):
            return name == "BY_OPERATOR"


def changing(path: str, tree: ast.Module) -> list[str]:
    """The functions that end rows that a module imports without being named for it."""
    return [
        f"{path}: {one.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("memory.storage")
        for one in node.names
        if one.name in CHANGING and path not in CHANGING[one.name]
    ]


def ending(folder: Path) -> list[str]:
    """The files of queries that end a statement."""
    return sorted(
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*.sql")
        if "migrations" not in path.parts and _ENDING.search(path.read_text(encoding="utf-8"))
    )


def _allowed(path: str) -> bool:
    return any(path.startswith(p) if p.endswith("/") else fnmatch(path, p) for p in MANDATED)


def test_no_talk_carries_a_further_mandate(sources: dict[str, ast.Module]) -> None:
    """No tool, model, observer or job acts as a manager or as the operator."""
    modules = {path: tree for path, tree in sources.items() if not _allowed(path)}
    assert [hit for path, tree in modules.items() for hit in mandated(path, tree)] == []


def test_what_ends_rows_is_called_where_the_rule_is_asked(sources: dict[str, ast.Module]) -> None:
    """Nothing else supersedes or erases."""
    assert [hit for path, tree in sources.items() for hit in changing(path, tree)] == []


def test_only_named_queries_end_a_statement(root: Path) -> None:
    """None by the way, in a file of something else, nor in a module."""
    assert ending(root / "memory" / "storage") == sorted(WRITING)


def test_no_module_ends_a_statement_by_a_query_of_its_own(sources: dict[str, ast.Module]) -> None:
    """Queries stand in files, where they are looked through."""
    found = [
        f"{path}:{node.lineno}"
        for path, tree in sources.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and _ENDING.search(node.value)
    ]
    assert found == []


def test_what_ends_rows_takes_an_actor(sources: dict[str, ast.Module]) -> None:
    """A required argument, so that it cannot be left out."""
    supersession = sources["memory/storage/statements/supersession.py"]
    functions = {
        node.name: node for node in supersession.body if isinstance(node, ast.AsyncFunctionDef)
    }
    for name in ("supersede", "overtake"):
        arguments = functions[name].args
        assert "actor" in {one.arg for one in arguments.args}
        assert not arguments.defaults


def test_the_rule_sees_every_way_to_a_mandate() -> None:
    """Named, through its module, read from a text, or imported under another name."""
    code = (
        "Mandate.PET\n"
        "authority.Mandate.SPACE\n"
        "Mandate('pet')\n"
        "from memory.model.authority import BY_OPERATOR as ME\n"
        "authority.BY_OPERATOR\n"
        "caller.commander\n"
        "Mandate.OWN\n"
        "Authority.PET\n"
    )
    assert mandated("x", ast.parse(code)) == ["x:1", "x:2", "x:3", "x:4", "x:5", "x:6"]


def test_the_rule_sees_every_way_to_end_a_row(tmp_path: Path) -> None:
    """By an import, and by a query."""
    code = "from memory.storage.statements.supersession import history_of, supersede as end\n"
    assert changing("bot/x.py", ast.parse(code)) == ["bot/x.py: supersede"]
    for name, text in {
        "one": "UPDATE memories SET content = '', forgotten_at = :now WHERE id = :id",
        "two": "DELETE FROM memories WHERE id = :id",
        "three": "INSERT INTO memories (id, superseded_by) VALUES (:id, :by)",
        "read": "SELECT id FROM memories WHERE forgotten_at IS NULL AND superseded_by = :by",
    }.items():
        (tmp_path / f"{name}.sql").write_text(text, encoding="utf-8")
    assert ending(tmp_path) == ["one.sql", "three.sql", "two.sql"]
