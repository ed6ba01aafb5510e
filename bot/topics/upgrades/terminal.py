"""`eko upgrade`: a new version on an old data folder, tried on a copy first."""

import json
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.surfaces.terminal.terminal import (
    Json,
    as_typed,
    err,
    in_zone,
    out,
    run_or_exit,
    settings_or_exit,
)

if TYPE_CHECKING:
    from pathlib import Path

    from bot.texts.catalogue import Texts
    from config.settings import Settings

_SIGNS = {"same": "upgrade.same", "changed": "upgrade.changed", "worse": "upgrade.worse"}
"""What a verdict is called in the texts."""

_STYLES = {"same": "green", "changed": "yellow", "worse": "red"}


def register(app: typer.Typer) -> None:
    """Add the words of this topic to the command line."""
    app.command()(upgrade)


def upgrade(
    questions: Annotated[
        int,
        typer.Option("--questions", "-n", min=1, max=200, help="So many are asked, the latest."),
    ] = 20,
    *,
    rehearse: Annotated[
        bool,
        typer.Option("--rehearse", help="Upgrade a copy, ask it the last questions, compare."),
    ] = False,
    yes: Annotated[
        bool, typer.Option("--yes", help="Switch without asking; the pet must not run.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Bring the data folder of an earlier version to this one; a backup comes first.

    Run it with the new version. --rehearse only reads the folder, and the version before may run
    meanwhile: what its people asked last is asked of a copy, and what differs is shown. No model
    is called. Then it asks whether to switch. Without options it says how far the folder is.
    """
    settings = settings_or_exit()
    done: dict[str, Any] = run_or_exit(_state(settings, switching=yes))
    words = _Words(settings)
    if rehearse:
        words.tell("upgrade.rehearsing", folder=settings.data_dir, aside=True)
        done = in_zone(run_or_exit(_rehearsed(settings, questions)), settings.zone)
        if not as_json:
            words.print_rehearsal(done)
    is_due = done["schema"] < done["latest"]
    done["switched"] = is_due and (yes or (rehearse and not as_json and words.is_wanted()))
    if done["switched"]:
        done["backup"] = run_or_exit(_switched(settings))
    if as_json:
        out.print(json.dumps(done, ensure_ascii=False), markup=False)
    else:
        words.print_outcome(done)


class _Words:
    """What this command says, in the pet's language."""

    def __init__(self, settings: "Settings") -> None:
        from bot.texts.catalogue import texts_in

        self._texts: Texts = texts_in(settings.locale)
        self._folder: Path = settings.data_dir

    def tell(self, key: str, *, aside: bool = False, **values: object) -> None:
        """Print a text; `aside` prints it where results are not."""
        (err if aside else out).print(self._texts.say(key, **values), markup=False)

    def is_wanted(self) -> bool:
        """Ask whether to switch, at a terminal and while no process holds the folder."""
        from bot.lock import holder_of

        if holder_of(self._folder) is not None or not sys.stdin.isatty():
            return False
        return typer.confirm(self._texts.say("upgrade.wanted"), err=True)

    def print_rehearsal(self, done: Mapping[str, Any]) -> None:
        """Show what differs, question by question, then how many did."""
        for one in done["questions"]:
            if one["verdict"] != "same":
                self._print_question(one)
        if done["questions"]:
            self.tell("upgrade.counted", count=len(done["questions"]), **done["counts"])
        else:
            self.tell("upgrade.nothing_asked")
        if not done["replies_compared"]:
            self.tell("upgrade.recalled_alone")
        if done["unembedded"]:
            self.tell("upgrade.unembedded", count=done["unembedded"])
        if done["backup"]:
            self.tell("upgrade.backed_up", path=done["backup"])

    def print_outcome(self, done: Mapping[str, Any]) -> None:
        """Say what became of the folder, and what comes next."""
        from bot.lock import holder_of

        schemas = {"schema": done["schema"], "latest": done["latest"], "folder": self._folder}
        if done["switched"]:
            self.tell("upgrade.switched", **schemas, command=as_typed("run"))
            self.tell("upgrade.way_back", backup=done["backup"])
        elif done["schema"] == done["latest"]:
            self.tell("upgrade.nothing_to_switch", **schemas, command=as_typed("run"))
        elif (holder := holder_of(self._folder)) is not None:
            command = as_typed("upgrade --yes")
            self.tell("upgrade.stop_first", **schemas, process=holder.pid, command=command)
        else:
            rehearse, switch = as_typed("upgrade --rehearse"), as_typed("upgrade --yes")
            self.tell("upgrade.due", **schemas, rehearse=rehearse, switch=switch)

    def _print_question(self, one: Mapping[str, Any]) -> None:
        said = self._texts.say(_SIGNS[one["verdict"]])
        out.print(f"[{_STYLES[one['verdict']]}]{said}[/]", end="  ")
        out.print(f"{one['person']}, {one['at'][:16]}: {_line(one['asked'])}", markup=False)
        for sign, lines in (("-", one["lost"]), ("+", one["gained"])):
            for line in lines:
                out.print(f"    {sign} {_line(line)}", markup=False)
        if one["replies"] is not None and one["replies"] != one["replied"]:
            self.tell("upgrade.replied", reply=_line(one["replied"]))
            self.tell("upgrade.replies", reply=_line(one["replies"]))


def _line(text: str) -> str:
    return " / ".join(filter(None, text.splitlines()))


async def _state(settings: "Settings", *, switching: bool) -> dict[str, Any]:
    """How far the folder is; to switch, no process may hold it."""
    from bot.lock import held, this_process
    from bot.transfer.upgrading import upgrade_state
    from bot.wiring.settings import backup_rules
    from memory.clock import SystemClock

    state = upgrade_state(backup_rules(settings))
    if switching:
        with held(settings.data_dir, this_process("eko upgrade", SystemClock().now())):
            pass
    return {"schema": state.schema, "latest": state.latest}


async def _rehearsed(settings: "Settings", questions: int) -> dict[str, Any]:
    from bot.topics.upgrades.rehearsal import rehearsed

    return await rehearsed(settings, questions)


async def _switched(settings: "Settings") -> str:
    from bot.lock import held, this_process
    from bot.transfer.upgrading import switch
    from bot.wiring.settings import backup_rules
    from memory.clock import SystemClock

    now = SystemClock().now()
    with held(settings.data_dir, this_process("eko upgrade", now)):
        return str(await switch(backup_rules(settings), now))
