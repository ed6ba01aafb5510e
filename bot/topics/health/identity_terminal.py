"""Which pet a folder is on a vector server that others use: `eko identity`."""

from typing import Annotated

import typer

from bot.surfaces.terminal.terminal import Json, fail, operate, out


def register(app: typer.Typer) -> None:
    """Add the words of this topic to the command line."""
    app.command()(identity)


def identity(
    *,
    new: Annotated[
        bool, typer.Option("--new", help="This folder is a copy: let it be a pet of its own.")
    ] = False,
    keep: Annotated[
        bool, typer.Option("--keep", help="This folder is the pet, whichever holds it now.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Say which pet this folder is to a Qdrant server that others use, or settle it."""
    if new and keep:
        fail("Either --new or --keep.")
    choice = {"choice": "new" if new else "keep" if keep else None}
    done = operate("identity", choice, as_json=as_json)
    if not as_json:
        pet = done["pet"]
        said = (
            f"On the Qdrant server this folder is the pet {pet}." if pet else "No server is used."
        )
        out.print(said, markup=False)
