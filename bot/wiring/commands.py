"""The one table of commands, for every channel."""

from dataclasses import dataclass
from pathlib import Path
from zoneinfo import ZoneInfo

from bot.agent.metering import Caps
from bot.commands.correct import Belongings, Corrector, correct_command
from bot.commands.digest import digest_command, digest_status_command
from bot.commands.export import ExportRules, export_command
from bot.commands.forget import forget_command, forget_me_command
from bot.commands.link import link_command
from bot.commands.memory import Kept, memory_commands
from bot.commands.observe import observe_commands
from bot.commands.operator import doctor_command, seed_command, usage_command
from bot.commands.pause import pause_commands
from bot.commands.privacy import privacy_command
from bot.commands.self_and_goals import nature_commands
from bot.commands.settings import settings_commands
from bot.commands.what_do_you_know import knowing_command, subjects_of
from bot.commands.why import why_command
from bot.conversation.pauses import Pausing
from bot.conversation.rooms import Register
from bot.diagnostics.doctor import Doctor
from bot.model.commands import Command
from bot.texts.provenance import Provenance
from bot.wiring.memory import Mind
from memory.ports import Clock
from memory.storage.storage import Truth
from memory.upkeep.live_settings import Panel


@dataclass(frozen=True, slots=True, kw_only=True)
class Keeping:
    """What the commands work with, beside what the pet thinks with and what it keeps.

    `digest_hours` is empty where no digest is planned; `seed` is None for the built-in one.
    """

    register: Register
    pausing: Pausing
    doctor: Doctor
    caps: Caps
    digest_hours: tuple[int, ...]
    zone: ZoneInfo
    seed: Path | None
    exporting: ExportRules


def command_table(
    truth: Truth, panel: Panel, mind: Mind, clock: Clock, keeping: Keeping
) -> tuple[Command, ...]:
    """Every command, those for everyone first."""
    return (
        *_personal(truth, mind, clock, keeping.exporting),
        *_for_communities(truth, mind, clock, keeping),
        *_for_keepers(truth, panel, mind, clock, keeping),
    )


def _for_communities(
    truth: Truth, mind: Mind, clock: Clock, keeping: Keeping
) -> tuple[Command, ...]:
    """For whoever manages one: nothing here reaches further than it."""
    kept = Kept(
        recall=mind.recall,
        memories=truth.memories,
        lifetimes=truth.lifetimes,
        forgetting=mind.forgetting,
        clock=clock,
    )
    return (
        *memory_commands(kept),
        *nature_commands(truth.memories, clock),
        *observe_commands(keeping.register),
        *pause_commands(keeping.pausing, clock),
        digest_status_command(truth.digests, keeping.digest_hours, keeping.zone, clock),
    )


def _for_keepers(
    truth: Truth, panel: Panel, mind: Mind, clock: Clock, keeping: Keeping
) -> tuple[Command, ...]:
    """For those whom the settings name."""
    return (
        digest_command(mind.digest.run),
        *settings_commands(panel, clock),
        seed_command(mind.remember, keeping.seed),
        usage_command(truth.ledger, keeping.caps, clock),
        doctor_command(keeping.doctor),
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
