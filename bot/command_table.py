"""The one table of commands, for every channel."""

from bot.commands.digest import digest_command
from bot.commands.forgetting import forget_command, forget_me_command
from bot.commands.model import Command
from bot.commands.privacy import privacy_command
from bot.commands.settings import settings_commands
from bot.mind import Mind
from bot.truth import Truth
from memory.panel import Panel
from memory.ports import Clock


def command_table(truth: Truth, panel: Panel, mind: Mind, clock: Clock) -> tuple[Command, ...]:
    """Every command, those for everyone first."""
    return (
        forget_command(mind.forgetting),
        forget_me_command(mind.forgetting),
        privacy_command(truth.people.observe),
        digest_command(mind.digest.run),
        *settings_commands(panel, clock),
    )
