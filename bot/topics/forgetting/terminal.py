"""`eko forget`: shown first, done with --yes, given back for a day, then purged."""

import sys
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any

import typer

from bot.surfaces.terminal.terminal import (
    Json,
    as_typed,
    err,
    fail,
    operate,
    operated,
    out,
    print_rows,
    settings_or_exit,
    several,
)


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
    space: Annotated[
        str | None,
        typer.Option(
            "--space", help="Everything of a community that has moved; not given back here."
        ),
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
    receipt: Annotated[
        int | None,
        typer.Option("--receipt", min=1, help="A signed receipt of this number, to hand out."),
    ] = None,
    to: Annotated[
        Path | None, typer.Option("--out", help="With --receipt: the file that it goes to.")
    ] = None,
    check: Annotated[
        Path | None, typer.Option("--check", help="Whether a receipt is as a pet signed it.")
    ] = None,
    *,
    now: Annotated[
        bool,
        typer.Option("--now", help="With --space: also what could be undone there for a day."),
    ] = False,
    key: Annotated[
        bool, typer.Option("--key", help="The public key by which this pet's receipts are known.")
    ] = False,
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
    wishes = [undo, purge_now, show, receipt, check, key, list_, space, any(chosen.values())]
    _refuse_mixed(wishes)
    _refuse_alone(
        {
            "--out goes with --receipt.": to is not None and receipt is None,
            "--now goes with --space.": now and space is None,
            "Say of whom: --about and --erase go with --person.": (about or erase)
            and person is None,
        }
    )
    if undo is not None:
        _undo(undo, as_json=as_json)
    elif purge_now is not None:
        _purge(purge_now, yes=yes, as_json=as_json)
    elif show is not None:
        _show([operate("forget_show", {"id": show}, as_json=as_json)], as_json=as_json)
    elif receipt is not None:
        _hand_out(receipt, to)
    elif check is not None:
        _check(check)
    elif key:
        out.print(operated(settings_or_exit(), "forget_key", {}, quietly=True)["public_key"])
    elif list_:
        _show(operate("forget_list", {}, as_json=as_json)["forgettings"], as_json=as_json)
    else:
        wish = _let_go if space else _forget
        wish({"space": space, "now": now} if space else chosen, yes=yes, as_json=as_json)


def _refuse_mixed(wishes: Sequence[object]) -> None:
    if sum(map(bool, wishes)) > 1:
        fail(
            "One thing at a time: --undo, --purge-now, --show, --receipt, --check, --key, --list, "
            "--space, or what is to be forgotten."
        )


def _refuse_alone(alone: Mapping[str, bool]) -> None:
    for sentence in (one for one, is_so in alone.items() if is_so):
        fail(sentence)


def _forget(chosen: Mapping[str, Any], *, yes: bool, as_json: bool) -> None:
    """Show what would be forgotten, or forget it."""
    _told(operate("forget", {**chosen, "confirmed": yes}, as_json=as_json), as_json=as_json)


def _let_go(chosen: Mapping[str, Any], *, yes: bool, as_json: bool) -> None:
    """Show what is kept of a community, or let go of it."""
    done = operate("let_go", {**chosen, "confirmed": yes}, as_json=as_json)
    if as_json:
        return
    one, kept = done["space"], done["contents"]
    counted = (
        f"{several(kept['messages'], 'message')}, {several(kept['exchanges'], 'conversation')}, "
        f"{several(kept['statements'], 'statement')} in {several(kept['rooms'], 'room')}"
    )
    called = one["community"] or one["id"]
    if done["gone"]:
        out.print(f"Let go of {called}: {counted}. Nothing of it is left here.", markup=False)
        return
    out.print(f"This would go, for good: {counted} of {called}.", markup=False)
    if kept["exported_at"] is None:
        err.print("It was never exported from here.", style="yellow")
    else:
        came = several(kept["since_export"], "message")
        out.print(f"It was exported on {kept['exported_at'][:16]}; {came} came since.")
    if done["undoable"]:
        err.print(
            f"{several(done['undoable'], 'forgetting')} that touch it can be undone until "
            f"{done['undoable_until'][:16]}: --yes is refused until then, and with --now they "
            "cannot be undone any more.",
            style="yellow",
        )
    err.print("Nothing was changed. Add --yes to let go of it.", style="yellow")


def _hand_out(number: int, file: Path | None) -> None:
    """Print a signed receipt, or write it to a file that is not there yet."""
    text = operated(settings_or_exit(), "forget_receipt", {"id": number}, quietly=False)["receipt"]
    try:
        with (
            file.open("x", encoding="utf-8", newline="") if file else nullcontext(sys.stdout) as to
        ):
            to.write(text)
    except OSError as error:
        fail(f"{file} cannot be written: {error.strerror}.")
    if file is not None:
        out.print(f"Written. To check it: {as_typed(f'forget --check {file}')}", markup=False)


def _check(file: Path) -> None:
    """Say whether a receipt is as a pet signed it; nothing but the file is read."""
    from bot.topics.forgetting.signed_receipt import ReceiptChanged, checked

    try:
        said = checked(file.read_bytes())
    except OSError as error:
        fail(f"{file} cannot be read: {error.strerror}.")
    except ReceiptChanged as error:
        fail(f"{file}: {error}")
    one, looks = said["forgetting"], said["looked_for_afterwards"]
    found = sum(look["found"] for look in looks)
    out.print(
        f"Unchanged. {said['pet']} ({said['pet_id']}) says of its forgetting {one['id']} of "
        f"{one['forgotten_at'][:16]}, {one['state']}: {_counted(one['counts'])}; looked for "
        f"afterwards in {several(len(looks), 'place')}, found {found}.\n"
        f"Signed by {said['public_key']}; its owner says whether that is the pet's key, by "
        f"{as_typed('forget --key')}",
        markup=False,
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
        out.print(f"A signed receipt, to hand out: eko forget --receipt {receipt['id']}")


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
