"""`eko bench`: how fast the pet is on this machine, in a source checkout."""

import json
import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from bot.surfaces.terminal.terminal import Json, err, fail, out


def register(app: typer.Typer) -> None:
    """Add the words of this topic to the command line."""
    app.command()(bench)


def bench(
    name: Annotated[
        str | None, typer.Argument(help="recall, vectors, ingest or start; all if not given.")
    ] = None,
    memories: Annotated[
        int, typer.Option(min=1, help="How many memories the measured pet has.")
    ] = 100_000,
    folder: Annotated[
        Path | None, typer.Option(help="Fill this folder, or measure it again if it is filled.")
    ] = None,
    *,
    busy: Annotated[
        bool, typer.Option("--busy", help="Digest and ingest while recall is measured.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Measure how fast the pet is on this machine; in a source checkout."""
    if find_spec("benchmarks") is None:
        fail("The benchmarks are in the source checkout only: run this command there.")
    from benchmarks.mark import NotFilled
    from benchmarks.suite import NAMES, Plan, figures, lines_of

    if name is not None and name not in NAMES:
        fail(f'There is no benchmark "{name}": there are {", ".join(NAMES)}.')
    names = NAMES if name is None else (name,)
    try:
        found = figures(Plan(names=names, memories=memories, folder=folder, busy=busy), _say)
    except NotFilled as refused:
        fail(str(refused))
    except subprocess.CalledProcessError as failed:
        fail(f"{' '.join(failed.cmd[2:4])} failed with status {failed.returncode}.")
    if as_json:
        out.print(json.dumps(found), markup=False, soft_wrap=True)
        return
    for line in lines_of(found):
        out.print(line, markup=False)


def _say(doing: str) -> None:
    err.print(f"{doing}...", style="dim", markup=False)
