"""`eko bench`: how fast the pet is on this machine, in a source checkout."""

import json
import subprocess
from importlib.util import find_spec
from pathlib import Path

from bot.surfaces.terminal.terminal import err, fail, out


def bench(
    name: str | None, memories: int, *, folder: Path | None, busy: bool, as_json: bool
) -> None:
    """Run one benchmark, or all of them, and print the figures."""
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
