"""`eko observe`, `eko pause`, `eko resume`: where the pet listens."""

from typing import Annotated, Any, Literal

import typer

from bot.surfaces.terminal.terminal import Json, operate, out, print_rows, several

app = typer.Typer(
    help="Show and choose what the pet does in which room.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Space = Annotated[
    str | None, typer.Argument(help="A space, such as discord:123; everywhere if not given.")
]

_SOURCES = {
    "chosen": "chosen",
    "settings": "settings file",
    "above": "as the room above it",
    "platform": "by default",
}


def register(program: typer.Typer) -> None:
    """Add the words of this topic to the command line."""
    program.add_typer(app, name="observe")
    program.command()(pause)
    program.command()(resume)


@app.command("list")
def list_(*, as_json: Json = False) -> None:
    """List the rooms of several people, what the pet does there, and what says so."""
    found = operate("rooms", {}, as_json=as_json)
    if as_json:
        return
    _print_listed(found)


@app.command()
def checkins(
    room: Annotated[str, typer.Argument(help="Its name or its id.")],
    choice: Annotated[Literal["on", "off"], typer.Argument(help="on or off.")] = "on",
    *,
    as_json: Json = False,
) -> None:
    """Let it write first in a room, at most twice a day and never at night; or not."""
    found = operate("room_checkins", {"room": room, "on": choice == "on"}, as_json=as_json)
    if not as_json:
        _print_listed(found)


@app.command()
def role(
    room: Annotated[str, typer.Argument(help="Its name or its id.")],
    choice: Annotated[
        Literal["lobby", "pet", "mention", "ignored", "default"],
        typer.Argument(
            help="lobby: read along; pet: answer everything; mention: answer when spoken to; "
            "ignored: neither; default: what settings and platform say."
        ),
    ],
    *,
    as_json: Json = False,
) -> None:
    """Choose what the pet does in a room; a running one does it at once."""
    done = operate("room_role", {"room": room, "role": choice}, as_json=as_json)
    if not as_json:
        out.print(f"{done['name']}: {done['role']}, {_SOURCES[done['source']]}", markup=False)


@app.command()
def confidential(
    room: Annotated[str, typer.Argument(help="Its name or its id.")],
    choice: Annotated[
        Literal["on", "default"],
        typer.Argument(help="on; or default: what settings and platform say."),
    ] = "on",
    *,
    past: Annotated[
        bool,
        typer.Option(help="Also what was said there before; that cannot be taken back."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Let nothing leave a room that is said there; without --past it tells what did before."""
    values = {"room": room, "confidential": choice == "on", "past": past}
    done = operate("room_mark", values, as_json=as_json)
    if as_json:
        return
    out.print(f"{done['name']}: {'confidential' if done['confidential'] else 'open'}", markup=False)
    before = done["before"]
    if choice == "on" and any(before.values()):
        messages = several(before["messages"], "message")
        told = f"{messages} and {several(before['statements'], 'memory', 'memories')}"
        closed = "Closed with it from before" if past else "Known outside as before, see --past"
        out.print(f"{closed}: {told}.")


def pause(space: Space = None, *, as_json: Json = False) -> None:
    """Neither read along nor answer; what is said meanwhile is not kept."""
    done = operate("pause", {"space": space}, as_json=as_json)
    if not as_json:
        if not done["changed"]:
            out.print("It was paused already.")
        _print_paused(done["paused"])


def resume(space: Space = None, *, as_json: Json = False) -> None:
    """End a pause."""
    done = operate("resume", {"space": space}, as_json=as_json)
    if as_json:
        return
    out.print("Listening again." if done["changed"] else "There was no such pause.")
    _print_paused(done["paused"])


def _print_listed(found: dict[str, Any]) -> None:
    print_rows(
        ("room", "id", "space", "role", "by", "check-ins"),
        [
            (
                *(one["name"], one["id"], one["space"], one["role"], _SOURCES[one["source"]]),
                "on" if one["id"] in found["checkins"] else "",
            )
            for one in found["rooms"]
        ],
        empty="No room was met yet.",
    )
    for one in found["read_back"]:
        _print_read_back(one)
    _print_paused(found["paused"])


def _print_paused(spaces: list[str]) -> None:
    if spaces:
        told = ", ".join("everywhere" if one == "*" else one for one in spaces)
        out.print(f"Paused: {told}", markup=False)


def _print_read_back(one: dict[str, Any]) -> None:
    """How far the reading of a room's past is."""
    since = f", told {one['told_at'][:16]}" if one["told_at"] else ""
    number = f", import {one['import_id']}" if one["import_id"] else ""
    kept = several(one["stored"], "line")
    days = several(one["days"], "day")
    out.print(f"{one['room']} read back {days}: {one['state']}{since}, {kept} kept{number}")
