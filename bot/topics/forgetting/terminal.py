"""`eko forget`: shown first, done with --yes, given back for a day, then purged."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from bot.surfaces.terminal.terminal import Json, err, fail, operate, out, print_rows, several


def register(app: typer.Typer) -> None:
    """Add the words of this topic to the command line."""
    app.command()(forget)


def forget(
    topic: Annotated[
        str, typer.Option("--topic", help="What speaks of this, in a few words.")
    ] = "",
    person: Annotated[
        str | None, typer.Option("--person", help="What somebody said, by a name or an id.")
    ] = None,
    room: Annotated[
        str | None, typer.Option("--room", help="What was said in a room, by its name or id.")
    ] = None,
    start: Annotated[
        str | None, typer.Option("--from", help="From this day or moment on: 2026-01-17.")
    ] = None,
    end: Annotated[
        str | None, typer.Option("--to", help="Up to this day, or before this moment.")
    ] = None,
    ids: Annotated[
        list[str] | None,
        typer.Option("--id", help="One memory, conversation or message by its id; repeatable."),
    ] = None,
    undo: Annotated[
        int | None, typer.Option("--undo", min=1, help="Give back what this number took.")
    ] = None,
    purge_now: Annotated[
        int | None, typer.Option("--purge-now", min=1, help="With --yes: purge this number now.")
    ] = None,
    show: Annotated[
        int | None, typer.Option("--show", min=1, help="What is known of this number.")
    ] = None,
    *,
    about: Annotated[
        bool, typer.Option("--about", help="Also what others said about this person alone.")
    ] = False,
    erase: Annotated[
        bool, typer.Option("--erase", help="As --about; also their names; read along no more.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do it; without, it is only shown.")] = False,
    list_: Annotated[bool, typer.Option("--list", help="What was forgotten, and when.")] = False,
    as_json: Json = False,
) -> None:
    """Forget what speaks of a topic, what a person said, a room, a time; undo it for 24 hours.

    Criteria hold together. Without --yes nothing is changed.
    After a day it is purged from the files.
    """
    chosen = {
        "topic": topic,
        "person": person,
        "about": about,
        "erase": erase,
        "room": room,
        "start": start,
        "end": end,
        "ids": ids or [],
    }
    _refuse_mixed([undo, purge_now, show, list_, any(chosen.values())])
    if (about or erase) and person is None:
        fail("Say of whom: --about and --erase go with --person.")
    if undo is not None:
        _undo(undo, as_json=as_json)
    elif purge_now is not None:
        _purge(purge_now, yes=yes, as_json=as_json)
    elif show is not None:
        _show([operate("forget_show", {"id": show}, as_json=as_json)], as_json=as_json)
    elif list_:
        _show(operate("forget_list", {}, as_json=as_json)["forgettings"], as_json=as_json)
    else:
        _told(operate("forget", {**chosen, "confirmed": yes}, as_json=as_json), as_json=as_json)


def _refuse_mixed(wishes: Sequence[object]) -> None:
    if sum(map(bool, wishes)) > 1:
        fail(
            "One thing at a time: --undo, --purge-now, --show, --list, or what is to be forgotten."
        )


def _told(found: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        return
    receipt = found["receipt"]
    if not found["counts"]:
        out.print("There is nothing of the kind.")
    elif receipt is None:
        _print_preview(found)
    else:
        out.print(f"Forgotten: {_counted(receipt['counts'])}.")
        out.print(f"It is number {receipt['id']}; give it back: eko forget --undo {receipt['id']}")


def _print_preview(found: dict[str, Any]) -> None:
    out.print(f"This would be forgotten: {_counted(found['counts'])}.")
    for one in found["samples"]:
        kind = _counted({one["kind"]: 1}).removeprefix("1 ")
        out.print(f"  {kind}, {one['at'][:16]}: {one['text']}", markup=False)
    for row in found["kept"]:
        out.print(f"  kept ({row['why']}): {row['text']}", markup=False)
    err.print("Nothing was changed. Add --yes to forget it.", style="yellow")


def _undo(number: int, *, as_json: bool) -> None:
    done = operate("forget_undo", {"id": number}, as_json=as_json)
    if as_json:
        return
    out.print(f"Undone: {several(done['restored'], 'change')}.")
    if done["changed_since"]:
        err.print(
            f"Changed since, and so they stay as now: {several(done['changed_since'], 'row')}.",
            style="yellow",
        )


def _purge(number: int, *, yes: bool, as_json: bool) -> None:
    if not yes:
        fail(
            "A purge cannot be undone, and takes with it whatever was forgotten before. "
            f"To do it: eko forget --purge-now {number} --yes"
        )
    done = operate("forget_purge", {"id": number}, as_json=as_json)
    if as_json:
        return
    left = "nothing of it is left in any file."
    if not done["is_clean"]:
        left = "the vector server clears its own files in its own time."
    out.print(f"Number {done['id']} is {done['state']}: {left}")


def _show(receipts: list[dict[str, Any]], *, as_json: bool) -> None:
    if as_json:
        return
    print_rows(
        ("number", "state", "by", "asked by", "forgotten", "undo until", "what"),
        [
            (
                str(one["id"]),
                one["state"],
                ", ".join(one["by"]),
                one["asked_by"].partition(":")[0][:8],
                (one["forgotten_at"] or "")[:16],
                (one["undo_until"] or "")[:16],
                _counted(one["counts"]),
            )
            for one in receipts
        ],
        empty="Nothing was ever forgotten.",
    )


def _counted(counts: Mapping[str, int]) -> str:
    from bot.texts.forgetting import counted
    from memory.model.forgetting import Kind

    return counted({Kind(kind): count for kind, count in counts.items()}, "en")
