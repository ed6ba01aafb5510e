"""The product's table of commands over nothing: to be read, not to be run."""

from collections.abc import Mapping
from inspect import signature
from typing import Any, Self

from bot.commands.framework.dispatcher import CommandDispatcher
from bot.model.commands import Command
from bot.wiring.commands import command_table
from tests.flow.calling import Nobody


class _Nothing:
    """Has everything, and it is nothing."""

    def __getattr__(self, _name: str) -> Self:
        return self


def real_table() -> Mapping[str, Command]:
    """Every command that the pet has, by its name."""
    nothing: dict[str, Any] = dict.fromkeys(signature(command_table).parameters, _Nothing())
    return CommandDispatcher(command_table(**nothing), Nobody()).table
