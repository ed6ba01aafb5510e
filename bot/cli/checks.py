"""How the command line shows what was found of a part."""

from collections.abc import Iterable
from typing import Any

from bot.cli.terminal import out

_MARKS = {"ok": "[green]ok[/]", "note": "[yellow]note[/]", "fail": "[red]fail[/]"}


def print_checks(checks: Iterable[dict[str, Any]]) -> None:
    """A line for each part, and one more where there is something to do."""
    for check in checks:
        out.print(f"{_MARKS[check['status']]:<16} [bold]{check['name']}[/]: ", end="")
        out.print(check["detail"], markup=False)
        if check["todo"]:
            out.print(f"       {check['todo']}", markup=False)
