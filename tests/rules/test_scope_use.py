import ast

ALLOWED = {
    "memory/model/audience.py": "it is made there",
    "bot/__main__.py": "who runs the command reads the data folder anyway",
    "bot/surfaces/access/caller.py": "the command line: who runs it reads the data folder anyway",
    "bot/evaluation/": "the same",
    "bot/surfaces/access/principal.py": "the owner's session or key, for the dashboard and the API",
}
"""Where a reader may see everything, with the reason; the path of a message is never here."""


def unscoped(path: str, tree: ast.Module) -> list[str]:
    """Uses of the scope that sees everything, by its name or made anew."""
    return [f"{path}:{line}" for line in sorted({*_lines(tree)})]


def _lines(tree: ast.Module) -> list[int]:
    kinds = (ast.Name, ast.Attribute, ast.alias, ast.Call)
    return [n.lineno for n in ast.walk(tree) if isinstance(n, kinds) and _sees_everything(n)]


def _sees_everything(node: ast.Name | ast.Attribute | ast.alias | ast.Call) -> bool:
    if isinstance(node, ast.Call):
        return _makes_one(node)
    name = node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")
    return (node.name if isinstance(node, ast.alias) else name) == "OPERATOR"


def _makes_one(call: ast.Call) -> bool:
    name = ast.unparse(call.func).rpartition(".")[2]
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    return name == "Scope" and any(isinstance(v, ast.Constant) and v.value is None for v in given)


def _allowed(path: str) -> bool:
    return any(path.startswith(p) if p.endswith("/") else path == p for p in ALLOWED)


def test_only_the_command_line_sees_everything(sources: dict[str, ast.Module]) -> None:
    """No message, tool, page or job reads past the scope of its room."""
    modules = {path: tree for path, tree in sources.items() if not _allowed(path)}
    assert [hit for path, tree in modules.items() for hit in unscoped(path, tree)] == []


def test_the_rule_sees_every_way_around_it() -> None:
    """Imported, under another name, through its module, or made anew."""
    code = (
        "from memory.model.audience import OPERATOR as ALL\n"
        "scope.OPERATOR\n"
        "Scope(None)\n"
        "memory.model.audience.Scope(audiences=None)\n"
        "Scope(frozenset())\n"
    )
    assert unscoped("x", ast.parse(code)) == ["x:1", "x:2", "x:3", "x:4"]
