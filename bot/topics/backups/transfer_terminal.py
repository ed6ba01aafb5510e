"""`eko export`, and what `eko import` does with such a file: memory in files of one's own."""

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from bot.surfaces.terminal.terminal import err, fail, operate, out

_SHOWN = 20
"""Refused lines that are printed; --json has all."""

_LONGEST_HEAD = 4096
"""Bytes of the first line of an export, which says what it is."""

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of words.")]


def register(app: typer.Typer) -> None:
    """Add the words of this topic to the command line."""
    app.command("export")(export)


def export(
    target: Annotated[Path, typer.Argument(help="A file or folder that is not there yet.")],
    person: Annotated[
        str | None,
        typer.Option(
            help="Only what belongs to this person: a name, an id, or an account as platform:id."
        ),
    ] = None,
    format_: Annotated[
        Literal["json", "markdown"],
        typer.Option(
            "--format",
            help="json: one object a line, to import again. markdown: pages to read, in a folder "
            "or in a file whose name ends in .zip.",
        ),
    ] = "json",
    since: Annotated[
        str | None, typer.Option(help="Only what was said or learnt since, such as 2026-01-17.")
    ] = None,
    *,
    everything: Annotated[
        bool, typer.Option("--all", help="Everybody's, which is what is done without --person.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Write what the pet keeps to files of your own. What was forgotten is not in them.

    A person's export has what they said, what the pet answered them, and what is known of them as
    far as they may know it.
    """
    if everything and person is not None:
        fail("Give either --person or --all.")
    arguments = {
        "path": str(target.absolute()),
        "format": format_,
        "person": person,
        "since": since,
    }
    done = operate("export", arguments, as_json=as_json)
    if not as_json:
        out.print(f"{_counted(done['entries'])} written to {target}.", markup=False)


def is_export(file: Path) -> bool:
    """Whether a file begins as one that `eko export` wrote."""
    with file.open("rb") as opened:
        return b'"eko-export"' in opened.readline(_LONGEST_HEAD)


def take_in_export(file: Path, *, dry_run: bool, as_json: bool) -> None:
    """Take in an exported file. Again adds nothing; what was forgotten stays forgotten."""
    arguments = {"path": str(file.absolute()), "dry_run": dry_run}
    done = operate("import", arguments, as_json=as_json)
    if as_json:
        return
    verb = "would be new" if done["dry_run"] else "new"
    out.print(f"{_counted(done['new'])} {verb}; {_counted(done['known']).lower()} known already.")
    if done["forgotten"]:
        out.print(f"{done['forgotten']} left out because they were forgotten.")
    _print_refused(done["refused"])


def _print_refused(refused: list[dict[str, Any]]) -> None:
    for each in refused[:_SHOWN]:
        err.print(f"Line {each['line']}: {each['reason']}.", style="yellow", markup=False)
    if len(refused) > _SHOWN:
        err.print(f"{len(refused) - _SHOWN} more lines were refused; --json names them all.")


def _counted(counts: dict[str, int]) -> str:
    if not counts:
        return "Nothing"
    return ", ".join(f"{count} {_plural(kind, count)}" for kind, count in counts.items())


def _plural(kind: str, count: int) -> str:
    if kind == "knowledge":
        return "summaries, facts and notes"
    many = {"person": "people", "memory": "memories"}.get(kind, f"{kind}s")
    return (kind if count == 1 else many).replace("_", " ")
