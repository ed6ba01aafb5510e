"""`eko privacy-check`: what of a community's memory comes out where it may not be known."""

import json
import os
from dataclasses import asdict
from typing import Annotated

import typer

from bot.surfaces.terminal.terminal import Json, err, fail, out, run_or_exit, settings_or_exit

_NICENESS = 10
"""The pet answers meanwhile."""


def register(app: typer.Typer) -> None:
    """Add the words of this topic to the command line."""
    app.command("privacy-check")(privacy_check)


def privacy_check(
    space: Annotated[str, typer.Argument(help="A space, such as discord:123.")] = "home",
    *,
    as_json: Json = False,
) -> None:
    """Tell canaries to a copy of the memory, ask for them as members would, count what comes out.

    It takes a minute at most. Nothing is posted, and the copy is deleted.
    """
    from bot.topics.rooms.privacy_check import checked_privacy
    from memory.model.rooms import SpaceId

    os.nice(_NICENESS)
    if not as_json:
        err.print("Looking: this takes a minute.", style="dim")
    done = run_or_exit(checked_privacy(settings_or_exit(), SpaceId(space)))
    if as_json:
        out.print(json.dumps(asdict(done)), markup=False)
        return
    out.print(
        f"{done.tried} canaries told to a copy, asked for {done.asked} times in private "
        f"and in rooms (kinds: {done.rooms}): {done.came_out} came out. Where they may be known, "
        f"{done.known} of {done.tried} were."
    )
    if done.came_out or not done.is_telling:
        fail("Something came out." if done.came_out else "Too few were found for that to say much.")
