"""`eko doctor`, `eko verify` and `eko reindex`: whether every part of the pet works."""

from collections.abc import Iterable
from typing import Annotated, Any

import typer

from bot.surfaces.terminal.terminal import Json, err, operate, out, several

_MARKS = {"ok": "[green]ok[/]", "note": "[yellow]note[/]", "fail": "[red]fail[/]"}


def register(app: typer.Typer) -> None:
    """Add the words of this topic to the command line."""
    app.command()(doctor)
    app.command()(verify)
    app.command()(reindex)


def print_checks(checks: Iterable[dict[str, Any]]) -> None:
    """A line for each part, and one more where there is something to do."""
    for check in checks:
        out.print(f"{_MARKS[check['status']]:<16} [bold]{check['name']}[/]: ", end="")
        out.print(check["detail"], markup=False)
        if check["todo"]:
            out.print(f"       {check['todo']}", markup=False)


def doctor(*, as_json: Json = False) -> None:
    """Check every part: configured, reachable, its version; what is missing and what to do."""
    found = operate("doctor", {}, as_json=as_json)
    if not as_json:
        print_checks(found["checks"])
    if not found["healthy"]:
        raise typer.Exit(1)


def verify(
    *,
    repair: Annotated[bool, typer.Option("--repair", help="Mend the indexes.")] = False,
    trust_clock: Annotated[
        bool,
        typer.Option(
            "--trust-clock", help="The machine's clock is right: date anew what is later than now."
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Compare the database, its full-text indexes and the vector store."""
    found = operate("verify", {"repair": repair, "trust_clock": trust_clock}, as_json=as_json)
    if not as_json:
        _print_verdict(found)
    if not found["sound"]:
        raise typer.Exit(1)


def reindex(*, as_json: Json = False) -> None:
    """Fill the vector store anew from the database; known embeddings cost nothing."""
    done = operate("reindex", {}, as_json=as_json)
    if not as_json:
        out.print(f"{several(done['indexed'], 'entry', 'entries')} indexed.")


def _print_verdict(found: dict[str, Any]) -> None:
    counts = found["counts"]
    for table in ("messages", "memories", "turns"):
        rows = several(counts[table], "row")
        out.print(f"{table}: {rows}, {counts[f'{table}_fts']} in full text")
    for name, one in found["vectors"].items():
        out.print(
            f"vectors of {name}: {one['expected']} expected, {one['missing']} missing, "
            f"{one['surplus']} too many"
        )
    for problem in found["problems"]:
        err.print(problem, style="red", markup=False)
    if found["repaired"]:
        out.print(f"{several(found['repaired'], 'entry', 'entries')} repaired.")
    out.print("Everything agrees." if found["sound"] else "Not everything agrees.")
    if not found["sound"]:
        err.print("Try: eko verify --repair")
