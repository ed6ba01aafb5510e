import ast

OWNERS = {"memory/tasks.py": "it is the owner: it waits for its task and hands on its error"}
"""Modules that may start a task, with the reason."""

_LOOSE_OWNERS = {"asyncio", "loop", "_loop"}


def loose(path: str, tree: ast.Module) -> list[str]:
    """Tasks started without an owner that waits for them."""
    return [
        f"{path}:{node.lineno}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and _is_loose(node.func)
    ]


def _is_loose(function: ast.expr) -> bool:
    if isinstance(function, ast.Name):
        return function.id in {"create_task", "ensure_future"}
    if not isinstance(function, ast.Attribute):
        return False
    if function.attr == "ensure_future":
        return True
    return function.attr == "create_task" and _owner(function.value) in _LOOSE_OWNERS


def _owner(value: ast.expr) -> str:
    """The name that `create_task` is called on; a running loop counts as `loop`."""
    if isinstance(value, ast.Call):
        name = ast.unparse(value.func)
        return "loop" if name.endswith("_loop") else name
    return value.attr if isinstance(value, ast.Attribute) else ast.unparse(value)


def test_every_task_belongs_to_something(sources: dict[str, ast.Module]) -> None:
    """A task without an owner loses its errors and is forgotten at shutdown."""
    modules = {path: tree for path, tree in sources.items() if path not in OWNERS}
    assert [hit for path, tree in modules.items() for hit in loose(path, tree)] == []


def test_the_rule_sees_loose_tasks_and_no_others() -> None:
    """A group's tasks are fine."""
    calls = [
        "asyncio.create_task(f())",
        "asyncio.get_running_loop().create_task(f())",
        "self._loop.create_task(f())",
        "create_task(f())",
        "asyncio.ensure_future(f())",
        "group.create_task(f())",
        "self._task.create_task(f())",
    ]
    expected = [f"x:{line}" for line in range(1, 6)]
    assert loose("x", ast.parse("\n".join(calls))) == expected
