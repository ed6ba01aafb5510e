import ast
from collections import defaultdict
from collections.abc import Mapping


def defined_twice(sources: Mapping[str, ast.Module]) -> dict[str, list[str]]:
    """Public class names that more than one module defines, with those modules."""
    homes = defaultdict(list)
    for path, tree in sources.items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(path)
    return {name: paths for name, paths in homes.items() if len(paths) > 1}


def test_a_public_class_has_a_name_of_its_own(sources: dict[str, ast.Module]) -> None:
    """Whoever searches for a name finds one class."""
    assert defined_twice(sources) == {}


def test_the_name_rule_sees_doubles() -> None:
    """What is private to a module may be called alike."""
    one, two = ast.parse("class Turn: ...\nclass _Row: ..."), ast.parse("class Turn: ...")
    private = ast.parse("class _Row: ...")
    assert defined_twice({"a.py": one, "b.py": two, "c.py": private}) == {"Turn": ["a.py", "b.py"]}
