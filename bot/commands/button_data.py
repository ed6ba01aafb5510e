"""What a button carries, and how what was carried is read again. No state."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.commands.syntax import CommandLine, read_line, written
from bot.model.commands import Action, Command
from bot.platforms.paged_answer import PageTurn

CANCEL = "cancel"
"""What a button carries that only closes."""

_BLANK = re.compile(r"\s")
_TURN = re.compile(r"page:(?P<mark>[\w-]{1,40}):(?P<number>\d{1,4})")


@dataclass(frozen=True, slots=True, kw_only=True)
class ButtonRules:
    """How much a button carries on a platform, in bytes, and how many a message has for actions."""

    longest_carried: int
    most_actions: int

    def carried_by(self, action: Action) -> str | None:
        """What a button for this action carries; None for what none can."""
        if any(_BLANK.search(value) for value in action.arguments.values()):
            return None
        line = written(action.command, action.arguments)
        return line if len(line.encode()) <= self.longest_carried else None

    def split(self, actions: Sequence[Action]) -> tuple[tuple[Action, ...], tuple[Action, ...]]:
        """The actions that can be buttons, and the others."""
        fitting: dict[str, Action] = {}
        for action in actions:
            carried = self.carried_by(action)
            if carried is not None and len(fitting) < self.most_actions:
                fitting.setdefault(carried, action)
        buttons = tuple(fitting.values())
        others = (one for one in actions if self.carried_by(one) not in fitting)
        return buttons, tuple(others)


def turn_carried(mark: str, number: int) -> str:
    """What a button carries that turns to a page."""
    return f"page:{mark}:{number}"


def turn_in(carried: str) -> PageTurn | None:
    """The page that a click asks for; None when it asks for something else."""
    found = _TURN.fullmatch(carried)
    return PageTurn(mark=found["mark"], number=int(found["number"])) if found else None


def line_in(carried: str, table: Mapping[str, Command]) -> CommandLine | None:
    """The command that a click calls; None when the table has it no more."""
    line = read_line(carried, table)
    return None if line is None or line.command is None else line
