"""`eko summaries`: what left the windows of conversations, and what became of it."""

from typing import Annotated

import typer
from rich.table import Table

from bot.surfaces.terminal.terminal import Json, Limit, err, operate, out, print_waiting, several


def register(app: typer.Typer) -> None:
    """Add the words of this topic to the command line."""
    app.command()(digest)
    app.command()(summaries)


def digest(
    *,
    retry: Annotated[
        bool, typer.Option("--retry", help="Also what was set aside after failures.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Turn what the lobby said since the last digest into memories, now."""
    done = operate("digest", {"retry": retry}, as_json=as_json)
    if as_json:
        return
    kept = several(done["facts"], "memory", "memories")
    out.print(f"{several(done['messages'], 'message')} read, {kept} kept.")
    print_waiting(done)
    if done["quarantined"]:
        aside = several(done["quarantined"], "stretch", "stretches")
        out.print(f"Set aside: {aside}; try: eko digest --retry")
    if done["interrupted"]:
        err.print(f"Stopped early: {done['interrupted']} The rest waits.", style="yellow")
        raise typer.Exit(1)


def summaries(
    name: Annotated[
        str | None, typer.Option("--person", help="Only conversations with this person.")
    ] = None,
    session: Annotated[
        str | None, typer.Option("--session", help="Only this conversation, by its id.")
    ] = None,
    limit: Limit = 20,
    *,
    as_json: Json = False,
) -> None:
    """List what was summarised of conversations, with its state; latest conversations first."""
    arguments = {"name": name, "session": session, "limit": limit}
    found = operate("summaries", arguments, as_json=as_json)["summaries"]
    if as_json:
        return
    if not found:
        out.print("Nothing was summarised yet.")
        return
    table = Table(
        "session", "level", "state", "who", "where", "when", "what", box=None, pad_edge=False
    )
    for row in found:
        cells = (row["session"][:8], str(row["level"]), row["state"], row["person"], row["where"])
        told = row["content"] or row["error"] or ""
        table.add_row(*(cell.replace("[", "\\[") for cell in (*cells, row["at"][:16], told)))
    out.print(table)
