"""`eko export`, and what `eko import` does with such a file: memory in files of one's own."""

import json
import sys
from contextlib import suppress
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
    space: Annotated[
        str | None,
        typer.Option(
            help="Only what was said in this community, to be imported in another folder: its "
            "name, its id or its number on its platform."
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
        bool, typer.Option("--all", help="Everybody's, which is what is done without the others.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Write what the pet keeps to files of your own. What was forgotten is not in them.

    A person's export has what they said, what the pet answered them, and what is known of them as
    far as they may know it. A community's has everything that was said in its groups, and nothing
    of others: docs/shards.md says how it moves.
    """
    if [everything, person is not None, space is not None].count(True) > 1:
        fail("Give one of --person, --space and --all.")
    if space is not None and since is not None:
        fail("A community moves whole: leave --since out.")
    arguments = {
        "path": str(target.absolute()),
        "format": format_,
        "person": person,
        "space": space,
        "since": since,
    }
    done = operate("export", arguments, as_json=as_json)
    if not as_json:
        out.print(f"{_counted(done['entries'])} written to {target}.", markup=False)


def is_export(file: Path) -> bool:
    """Whether a file begins as one that `eko export` wrote."""
    with file.open("rb") as opened:
        return b'"eko-export"' in opened.readline(_LONGEST_HEAD)


def take_in_export(file: Path, *, dry_run: bool, yes: bool, as_json: bool) -> None:
    """Take in an exported file. Again adds nothing; what was forgotten stays forgotten.

    Of a community that moves it is shown first what would come.
    """
    if _is_space(file) and not yes and not dry_run:
        _take_in(file, dry_run=True, as_json=False)
        if not sys.stdin.isatty():
            fail("Nothing was changed. Add --yes to take it in.")
        if not typer.confirm("Take it in?", err=True):
            return
    _take_in(file, dry_run=dry_run, as_json=as_json)


def _is_space(file: Path) -> bool:
    """Whether an export is of one community."""
    with file.open("rb") as opened, suppress(ValueError):
        head = json.loads(opened.readline(_LONGEST_HEAD))
        return isinstance(head, dict) and bool(head.get("space"))
    return False


def _take_in(file: Path, *, dry_run: bool, as_json: bool) -> None:
    arguments = {"path": str(file.absolute()), "dry_run": dry_run}
    done = operate("import", arguments, as_json=as_json)
    if as_json:
        return
    if done["space"]:
        called = f"{done['community']} ({done['space']})" if done["community"] else done["space"]
        out.print(f"The community {called}:", markup=False)
    verb = "would be new" if done["dry_run"] else "new"
    new, known = _counted(done["new"]), _counted(done["known"]).lower()
    out.print(f"{file.name}: {new} {verb}; {known} known already.", markup=False)
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
