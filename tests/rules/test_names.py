import ast

from benchmarks.structure import classes_defined_twice


def test_a_public_class_has_a_name_of_its_own(sources: dict[str, ast.Module]) -> None:
    """Whoever searches for a name finds one class."""
    assert classes_defined_twice(sources) == {}


def test_the_name_rule_sees_doubles() -> None:
    """What is private to a module may be called alike."""
    one, two = ast.parse("class Turn: ...\nclass _Row: ..."), ast.parse("class Turn: ...")
    private = ast.parse("class _Row: ...")
    doubles = classes_defined_twice({"a.py": one, "b.py": two, "c.py": private})
    assert doubles == {"Turn": ["a.py", "b.py"]}
