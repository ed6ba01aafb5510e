"""The commands about notes: `eko notes` and `eko notes sync`."""

from typing import Annotated, Any

import typer
from rich.table import Table

from bot.surfaces.terminal.terminal import err, operate, out, several

app = typer.Typer(
    help="Which notes of a vault the pet knows; `eko notes sync` looks at the vault now.",
    invoke_without_command=True,
)

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of words.")]


def register(program: typer.Typer) -> None:
    """Add the words of this topic to the command line."""
    program.add_typer(app, name="notes")


@app.callback()
def notes(context: typer.Context, *, as_json: Json = False) -> None:
    """List the notes that the pet knows, and whether their vault could be read."""
    if context.invoked_subcommand is not None:
        return
    found = operate("notes", {}, as_json=as_json)
    if not as_json:
        _print_notes(found)


@app.command()
def sync(
    *,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what would be read and what forgotten.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Read what changed in the vault, and forget what is gone from it, now."""
    done = operate("notes_sync", {"dry_run": dry_run}, as_json=as_json)
    if as_json:
        return
    if dry_run:
        for path in done["read"]:
            out.print(f"would read: {path}", markup=False)
    for path in done["gone"]:
        out.print(f"{'would forget' if dry_run else 'forgotten'}: {path}", markup=False)
    for path in done["too_large"]:
        err.print(f"too large, left out: {path}", style="yellow", markup=False)
    verb = "would be read" if dry_run else "read"
    out.print(
        f"{several(done['notes'], 'note')}, {len(done['read'])} {verb}, {len(done['gone'])} gone."
    )
    if done["refused"]:
        out.print(f"Forgotten before, and so they stay: {several(done['refused'], 'piece')}.")


def _print_notes(found: dict[str, Any]) -> None:
    table = Table("note", "state", "pieces", "written", box=None, header_style="bold")
    for note in found["notes"]:
        state = "always at hand" if note["always"] and note["state"] == "kept" else note["state"]
        written = (note["at"] or "")[:10]
        table.add_row(note["path"].replace("[", "\\["), state, str(note["pieces"]), written)
    if found["notes"]:
        out.print(table)
    else:
        out.print("No notes are known yet.")
    for path in found["missing"]:
        err.print(f"named in the settings, not in the vault: {path}", style="yellow", markup=False)
    if found["trouble"]:
        since = found["refreshed_at"] or "the beginning"
        err.print(f"Not refreshed since {since}: {found['trouble']}", style="yellow", markup=False)
