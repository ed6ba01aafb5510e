import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

_NAMELESS = re.compile(r"\b(?:whoever|somebody|nobody)\b", re.IGNORECASE)


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


def nameless(path: str, source: str) -> list[str]:
    """Lines of docstrings and comments that leave open who is meant."""
    if _NAMELESS.search(source) is None:
        return []
    return [
        f"{path}:{line}: {text.strip()}"
        for first, prose in (*_docstrings(source), *_comments(source))
        for line, text in enumerate(prose.splitlines(), first)
        if _NAMELESS.search(text)
    ]


def _docstrings(source: str) -> Iterator[tuple[int, str]]:
    """Every string that is a statement, those under constants too, with its first line."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield node.lineno, text


def _comments(source: str) -> Iterator[tuple[int, str]]:
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def test_everything_public_says_what_it_promises(sources: dict[str, ast.Module]) -> None:
    """One sentence at least, for its callers."""
    assert [hit for path, tree in sources.items() for hit in silent(path, tree)] == []


def test_docstrings_and_comments_name_their_subjects(
    sources: dict[str, ast.Module], root: Path
) -> None:
    """Who is meant has a noun of the field; word lists and texts that people read are free."""
    found = [
        hit for path in sources for hit in nameless(path, (root / path).read_text(encoding="utf-8"))
    ]
    advice = (
        'Say who is meant instead of "whoever", "somebody" or "nobody": the operator, the caller, '
        "the author, the speaker, a member, a reader, an account; or make the sentence passive."
    )
    assert found == [], advice


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


def test_the_rule_sees_who_is_left_open() -> None:
    """Docstrings of any place and comments count; other strings and parts of names do not."""
    code = """'''Two lines,\nfor whoever reads.'''
X = "nobody"
"Somebody."
Y = X  # nobody's
class NobodyListens: ...
"""
    assert nameless("x", code) == [
        "x:2: for whoever reads.",
        "x:4: Somebody.",
        "x:5: # nobody's",
    ]
