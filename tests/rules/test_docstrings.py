import ast
from collections.abc import Iterator


def silent(path: str, tree: ast.Module) -> list[str]:
    """Public things without a docstring: the module, classes, functions, methods."""
    missing = [] if ast.get_docstring(tree) else [path]
    return missing + [
        f"{path}:{node.lineno}" for node in _public(tree) if not ast.get_docstring(node)
    ]


def _public(
    tree: ast.Module | ast.ClassDef,
) -> Iterator[ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in tree.body:
        if not isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if node.name.startswith("_"):
            continue
        yield node
        if isinstance(node, ast.ClassDef):
            yield from _public(node)


def rambling(path: str, tree: ast.Module) -> list[str]:
    """Tests whose docstring is missing or is more than one paragraph."""
    found = (
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test_")
    )
    return [f"{path}:{test.lineno}" for test in found if not _is_brief(ast.get_docstring(test))]


def _is_brief(docstring: str | None) -> bool:
    return docstring is not None and "\n\n" not in docstring and docstring.endswith((".", "?"))


def test_everything_public_says_what_it_promises(sources: dict[str, ast.Module]) -> None:
    """One sentence at least, for whoever calls it."""
    assert [hit for path, tree in sources.items() for hit in silent(path, tree)] == []


def test_every_test_says_what_it_holds(tests: dict[str, ast.Module]) -> None:
    """One sentence, which is what a failure means."""
    modules = {p: tree for p, tree in tests.items() if not p.endswith("conftest.py")}
    assert [hit for path, tree in modules.items() for hit in rambling(path, tree)] == []


def test_the_rule_sees_what_is_missing() -> None:
    """Modules, classes, methods and functions that are public, and long-winded tests."""
    code = "class A:\n    def f(self): ...\n    def _g(self): ...\ndef h(): ...\ndef _i(): ...\n"
    assert silent("x", ast.parse(code)) == ["x", "x:1", "x:2", "x:4"]
    brief = 'def test_a(): ...\ndef test_b():\n    """One.\n\n    Two.\n    """\n'
    assert rambling("x", ast.parse(brief)) == ["x:1", "x:2"]
