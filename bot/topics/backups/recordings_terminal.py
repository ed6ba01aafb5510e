"""`eko replay`: a recorded room fed in as if it were said in the lobby."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from bot.surfaces.terminal.terminal import Json, operate, out, print_waiting, several


def register(app: typer.Typer) -> None:
    """Add the words of this topic to the command line."""
    app.command()(replay)


def replay(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="The recording.")],
    room: Annotated[Literal["lobby"], typer.Option(help="The room it is fed into.")] = "lobby",
    format_: Annotated[
        Literal["irc", "jsonl"] | None,
        typer.Option("--format", help="How it is written; guessed from its name if not given."),
    ] = None,
    speed: Annotated[
        str, typer.Option(help="max, or how many times faster than it happened.")
    ] = "max",
    *,
    as_json: Json = False,
) -> None:
    """Feed a recorded room through the inbox as lobby traffic. Again adds nothing."""
    arguments = {
        "path": str(file.resolve()),
        "room": room,
        "format": format_,
        "speed": None if speed == "max" else speed,
    }
    done = operate("replay", arguments, as_json=as_json)
    if not as_json:
        out.print(
            f"{several(done['lines'], 'message')} read: {done['stored']} stored, "
            f"{done['known']} known already, {done['forgotten']} forgotten before, "
            f"{several(len(done['unreadable']), 'line')} with a remark."
        )
        print_waiting(done)
