"""`eko import`: our own exports, and what people said in other programs."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from bot.surfaces.terminal.terminal import Json, err, fail, operate, out, print_rows, several
from bot.topics.backups.transfer_terminal import is_export, take_in_export

_AUTHORS = 20
"""Authors that are printed; --json has all."""

_NAMELESS = "without a name"

_OWNER_ALONE = (
    "you alone, on the dashboard and by eko search: the pet answers no person from it without "
    "--for NAME"
)


def register(app: typer.Typer) -> None:
    """Add the words of this topic to the command line."""
    app.command("import")(take_in)


def take_in(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            exists=True, dir_okay=False, help="Made by eko export, or by another program."
        ),
    ] = None,
    room: Annotated[
        str | None,
        typer.Option(help="A room of several people, a community, or a name for a new room."),
    ] = None,
    private_of: Annotated[
        str | None, typer.Option("--private-of", help="The one person who may know it.")
    ] = None,
    known_to: Annotated[
        list[str] | None,
        typer.Option("--for", help="Who may know it, in their direct rooms; repeatable."),
    ] = None,
    people: Annotated[
        list[str] | None,
        typer.Option("--as", help="Who an author is: NAME=PERSON; repeatable."),
    ] = None,
    without: Annotated[
        list[str] | None, typer.Option("--without", help="Whose lines stay out; repeatable.")
    ] = None,
    zone: Annotated[
        str | None, typer.Option(help="The time zone of its moments; the pet's if not given.")
    ] = None,
    undo: Annotated[
        int | None, typer.Option("--undo", min=1, help="Take an import back; with --yes it goes.")
    ] = None,
    *,
    speakers: Annotated[
        bool, typer.Option("--for-speakers", help="Known to those who speak in it and are known.")
    ] = False,
    day_first: Annotated[
        bool | None, typer.Option("--day-first/--month-first", help="How 03/04 is read.")
    ] = None,
    learn_with_model: Annotated[
        bool,
        typer.Option("--learn-with-model", help="Have the model read it, within its daily cap."),
    ] = False,
    list_: Annotated[bool, typer.Option("--list", help="What was imported, and when.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do it without asking.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what it would come to.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Take in exported files, and what people said in other programs.

    Again adds nothing, and what was forgotten stays forgotten. Of another program's file it is
    shown first who speaks and who may know it: the owner alone, unless you choose. Import only what
    you trust: a file can put words in people's mouths.
    """
    if undo is not None:
        _undo(undo, yes=yes, as_json=as_json)
        return
    if list_:
        _list(as_json=as_json)
        return
    if not files:
        fail("Say which file: eko import FILE")
    chosen = {
        "room": room,
        "private_of": private_of,
        "known_to": known_to or [],
        "speakers": speakers,
        "people": people or [],
        "without": without or [],
        "zone": zone,
        "day_first": day_first,
        "learn_with_model": learn_with_model,
    }
    for file in files:
        if is_export(file):
            take_in_export(file, dry_run=dry_run, yes=yes, as_json=as_json)
        else:
            arguments = {"path": str(file.absolute()), **chosen}
            _bring(arguments, yes=yes, dry_run=dry_run, as_json=as_json)


def _bring(arguments: dict[str, Any], *, yes: bool, dry_run: bool, as_json: bool) -> None:
    """Show what a history would come to, ask, and take it in."""
    if not yes or dry_run:
        shown = operate("history_preview", arguments, as_json=as_json and dry_run)
        if dry_run and as_json:
            return
        if not as_json:
            _print_preview(shown)
        if dry_run:
            return
        if not sys.stdin.isatty():
            fail("Nothing was changed. Add --yes to take it in.")
        if shown["asks_day_order"]:
            first = typer.confirm("Do days come before months in its dates (31/12)?", err=True)
            arguments = {**arguments, "day_first": first}
        if not typer.confirm("Take it in?", err=True):
            return
    done = operate("history_import", arguments, as_json=as_json)
    if not as_json:
        _print_done(done)


def _print_done(done: dict[str, Any]) -> None:
    """Say what became of the lines of one file, and which of them could not be read."""
    counts, file = done["counts"], done["file"]
    out.print(
        f"{file}: {several(counts['stored'], 'line')} taken in, {counts['known']} known already, "
        f"{counts['forgotten']} forgotten before, {counts['left_out']} left out, "
        f"{counts['unreadable']} unreadable.",
        markup=False,
    )
    _print_unreadable(done["reasons"], counts["unreadable"])
    if done["id"] is not None:
        undo = f"take it back: eko import --undo {done['id']}"
        out.print(f"{file} is import {done['id']}; {undo}", markup=False)


def _print_unreadable(reasons: list[dict[str, Any]], count: int) -> None:
    """Say of the first lines that could not be read why not."""
    for one in reasons:
        err.print(f"  line {one['number']}: {one['reason']}.", style="yellow", markup=False)
    if (more := count - len(reasons)) > 0:
        err.print(f"  and {several(more, 'line')} more", style="yellow")


def _print_preview(shown: dict[str, Any]) -> None:
    kinds = ", ".join(f"{count} {kind}" for kind, count in shown["lines"].items())
    out.print(f"{shown['file']} ({shown['format']}): {kinds or 'nothing'}", markup=False)
    if shown["first"]:
        span = f"{shown['first'][:16]} to {shown['last'][:16]}"
        out.print(f"  said {span}, its moments read in {shown['zone']}", markup=False)
    if shown["asks_day_order"]:
        out.print(
            "  the file leaves open whether days or months come first: say so with --day-first or "
            "--month-first; here days were taken to come first",
            style="yellow",
        )
    for one in shown["authors"][:_AUTHORS]:
        whom = f" as {one['person']}" if one["person"] else ""
        name, lines = one["name"] or _NAMELESS, several(one["lines"], "line")
        out.print(f"  {name}: {lines}, {one['is_']}{whom}", markup=False)
    if (more := len(shown["authors"]) - _AUTHORS) > 0:
        out.print(f"  and {more} more; --json names all")
    known = ", ".join(shown["known_to"]) or _OWNER_ALONE
    out.print(f"  room: {shown['room']} ({shown['room_is']}), known to {known}", markup=False)
    if shown["unreadable"]:
        out.print(f"  {several(shown['unreadable'], 'line')} cannot be read")
    _print_unreadable(shown["reasons"], shown["unreadable"])
    for one in shown["claims"]:
        of = f"{one['author'] or _NAMELESS} ({one['slot']})"
        out.print(f"  would learn of {of}: {one['words']}", markup=False)
    if shown["model"]:
        price = (
            "at no known price" if shown["dollars"] is None else f"about ${shown['dollars']:.2f}"
        )
        asked = "will be paid" if shown["learns_with_model"] else "only with --learn-with-model"
        out.print(f"  read by {shown['model']}: {shown['tokens']:,} tokens, {price}, {asked}")


def _list(*, as_json: bool) -> None:
    found = operate("history_list", {}, as_json=as_json)["imports"]
    if as_json:
        return
    print_rows(
        ("number", "file", "state", "lines", "begun", "undone"),
        [
            (
                str(one["id"]),
                one["file"] or "-",
                one["state"],
                str(one["stored"]),
                one["begun_at"][:16],
                (one["undone_at"] or "")[:16],
            )
            for one in found
        ],
        empty="Nothing was imported yet.",
    )


def _undo(number: int, *, yes: bool, as_json: bool) -> None:
    done = operate("history_undo", {"id": number, "confirmed": yes}, as_json=as_json)
    if as_json:
        return
    going = done["going"]
    counted = (
        f"{several(going['messages'], 'line')}, {several(going['statements'], 'statement')}, "
        f"{several(going['people'], 'person', 'people')}"
    )
    if not done["undone"]:
        out.print(f"This would go: {counted}.")
        for text in going["samples"]:
            out.print(f"  {text}", markup=False)
        err.print("Nothing was changed. Add --yes to take it back.", style="yellow")
    elif done["late"]:
        numbers = ", ".join(map(str, done["forgettings"]))
        out.print(f"Forgotten: {counted}; to give it back: eko forget --undo ({numbers})")
    else:
        out.print(f"Taken back: {counted}. Nothing of it is left.")
