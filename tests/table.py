"""The product's table of commands over nothing: to be read, not to be run."""

from collections.abc import Mapping
from typing import Any, Self

from bot.commands.dispatcher import CommandDispatcher, registered_commands
from bot.model.commands import Command
from tests.flow.calling import Nobody


class _Nothing:
    """Has everything, and it is nothing."""

    def __getattr__(self, _name: str) -> Self:
        return self

    def __truediv__(self, _other: str) -> Self:
        return self


def real_table() -> Mapping[str, Command]:
    """Every command that the pet has, by its name."""
    nothing: Any = _Nothing()
    return CommandDispatcher(registered_commands(nothing), Nobody()).table
