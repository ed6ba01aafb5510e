"""The one table of commands, for every channel."""

from bot.commands.correcting import Belongings, Corrector, correct_command
from bot.commands.digest import digest_command
from bot.commands.exporting import ExportRules, export_command
from bot.commands.forgetting import forget_command, forget_me_command
from bot.commands.knowing import knowing_command, subjects_of
from bot.commands.linking import link_command
from bot.commands.model import Command
from bot.commands.privacy import privacy_command
from bot.commands.settings import settings_commands
from bot.commands.why import why_command
from bot.mind import Mind
from bot.provenance import Provenance
from bot.truth import Truth
from memory.panel import Panel
from memory.ports import Clock


def command_table(
    truth: Truth, panel: Panel, mind: Mind, clock: Clock, exporting: ExportRules
) -> tuple[Command, ...]:
    """Every command, those for everyone first."""
    return (
        *_personal(truth, mind, clock, exporting),
        digest_command(mind.digest.run),
        *settings_commands(panel, clock),
    )


def _personal(
    truth: Truth, mind: Mind, clock: Clock, exporting: ExportRules
) -> tuple[Command, ...]:
    """What everybody can ask about what is kept of them."""
    provenance = Provenance(truth.people, clock)
    corrector = Corrector(mind.correcting, mind.forgetting, clock, exporting.zone)
    return (
        knowing_command(truth.dossiers, truth.knowledge, provenance),
        why_command(truth.dossiers, mind.explanations, provenance),
        correct_command(Belongings(truth.dossiers), corrector),
        forget_command(mind.forgetting, subjects_of(truth.dossiers)),
        forget_me_command(mind.forgetting),
        privacy_command(truth.people.observe),
        export_command(truth.exports, clock, exporting),
        link_command(truth.linking),
    )
