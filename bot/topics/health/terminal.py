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


def reindex(
    *,
    to: Annotated[
        str | None,
        typer.Option(
            "--to", metavar="URL|edge", help="Move to a Qdrant server, or back into the folder."
        ),
    ] = None,
    estimate: Annotated[
        bool, typer.Option("--estimate", help="Say what --to would take, from a sample.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Fill the vector store anew from the database; known embeddings cost nothing.

    With --to another store is filled while the one in use answers; then it takes over. Killed or
    stopped, it goes on at the next start. --to the one in use gives a move up.
    """
    if estimate and to is None:
        raise typer.BadParameter("--estimate says what --to would take: name a place.")
    asked = {} if to is None else {"to": to, "estimate": estimate}
    done = operate("reindex", asked, as_json=as_json)
    if as_json:
        return
    if estimate:
        _print_estimate(done["estimate"])
        return
    if to is not None and done["given_up"]:
        out.print(f"The move to {done['given_up']} is given up.", markup=False)
        return
    out.print(f"{several(done['indexed'], 'entry', 'entries')} indexed.")
    if to is not None:
        out.print(f"The index is at {done['at']} now.", markup=False)
        if done["settings"] != done["at"]:
            out.print(
                f"The settings name {done['settings']}: until they are changed, this move counts.",
                markup=False,
            )


def _print_estimate(found: dict[str, Any]) -> None:
    out.print(
        f"{several(found['entries'], 'entry', 'entries')}, {found['size_bytes'] / 1e6:,.1f} MB of "
        f"vectors and text, about {max(1, round(found['seconds'])):,} s (by "
        f"{several(found['sampled'], 'entry', 'entries')} that were uploaded and removed again)."
    )
    if found["unembedded"]:
        out.print(f"{several(found['unembedded'], 'entry', 'entries')} would be embedded as well.")


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
