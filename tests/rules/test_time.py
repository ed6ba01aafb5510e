import ast

READERS = {
    "memory/clock.py": "the clock itself",
    "config/logs.py": "the time on a log line is not the pet's time",
}
"""Modules that may read the time, with the reason."""

_CALLS = {
    "datetime.now",
    "datetime.utcnow",
    "datetime.today",
    "date.today",
    "time.time",
    "time.time_ns",
    "time.localtime",
    "time.gmtime",
}


def readings(path: str, tree: ast.Module) -> list[str]:
    """Calls that read the time of day; clocks that only measure durations are fine."""
    return [
        f"{path}:{node.lineno}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ".".join(ast.unparse(node.func).split(".")[-2:]) in _CALLS
    ]


def test_only_the_clock_reads_the_time(sources: dict[str, ast.Module]) -> None:
    """Everything else is told, so that tests can stand still."""
    modules = {path: tree for path, tree in sources.items() if path not in READERS}
    assert [hit for path, tree in modules.items() for hit in readings(path, tree)] == []


def test_the_rule_sees_readings_of_the_time() -> None:
    """Through a module or a class, and not the measuring of a duration."""
    code = (
        "datetime.now(UTC)\ndatetime.datetime.now()\ntime.time()\ntime.perf_counter()\nclock.now()"
    )
    assert readings("x", ast.parse(code)) == ["x:1", "x:2", "x:3"]
