"""The one table of commands, for every channel."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from zoneinfo import ZoneInfo

from bot.agent.daily_budget import DailyBudget
from bot.commands.correct import CorrectableStatements, Corrector, correct_command
from bot.commands.digest import NextDigest, digest_command, digest_status_command
from bot.commands.everyone_role import everyone_role_command
from bot.commands.export import ExportRules, export_command
from bot.commands.forget import forget_command, forget_me_command
from bot.commands.link import link_command
from bot.commands.memory import MemoryAccess, memory_commands
from bot.commands.observe import observe_commands
from bot.commands.operator import doctor_command, seed_command
from bot.commands.pause import pause_commands
from bot.commands.privacy import privacy_command
from bot.commands.quiet import quiet_commands
from bot.commands.reminders import reminders_command
from bot.commands.self_and_goals import self_and_goals_commands
from bot.commands.settings import settings_commands
from bot.commands.unlink import unlink_command
from bot.commands.usage import usage_command
from bot.commands.what_do_you_know import knowing_command, subjects_of
from bot.commands.why import why_command
from bot.conversation.member_roles import MemberRoleChoices
from bot.conversation.pauses import Pausing
from bot.conversation.rooms import RoomRegistry
from bot.diagnostics.doctor import Doctor
from bot.model.commands import Command
from bot.ports import Communities
from bot.texts.provenance import Provenance
from bot.texts.reminders import ReminderTexts
from bot.wiring.memory import Services
from memory.ports import Clock
from memory.storage.storage import Storage
from memory.upkeep.live_settings import LiveSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandParts:
    """What the commands work with, beside what the pet thinks with and what it keeps.

    `digest_hours` is empty where no digest is planned; `seed` is None for the built-in one.
    """

    register: RoomRegistry
    member_roles: MemberRoleChoices
    communities: Mapping[str, Communities]
    pausing: Pausing
    doctor: Doctor
    budget: DailyBudget
    next_digest: NextDigest
    zone: ZoneInfo
    seed: Path | None
    exporting: ExportRules


def command_table(
    storage: Storage,
    live_settings: LiveSettings,
    services: Services,
    clock: Clock,
    parts: CommandParts,
) -> tuple[Command, ...]:
    """Every command, those for everyone first."""
    return (
        *_personal(storage, services, clock, parts.exporting),
        *_for_communities(storage, services, clock, parts),
        *_for_operators(storage, live_settings, services, clock, parts),
    )


def _for_communities(
    storage: Storage, services: Services, clock: Clock, parts: CommandParts
) -> tuple[Command, ...]:
    """For managers of a community: nothing here reaches further than it."""
    kept = MemoryAccess(
        recall=services.recall,
        memories=storage.memories,
        lifetimes=storage.lifetimes,
        forgetting=services.forgetting,
        clock=clock,
    )
    return (
        *memory_commands(kept),
        *self_and_goals_commands(storage.memories, clock),
        *observe_commands(parts.register, storage.room_choices),
        everyone_role_command(parts.member_roles, parts.communities, parts.register),
        *pause_commands(parts.pausing, clock),
        digest_status_command(storage.digests, parts.next_digest, parts.zone, clock),
    )


def _for_operators(
    storage: Storage,
    live_settings: LiveSettings,
    services: Services,
    clock: Clock,
    parts: CommandParts,
) -> tuple[Command, ...]:
    """For those whom the settings name."""
    return (
        digest_command(services.digest.run),
        *settings_commands(live_settings, clock),
        seed_command(services.remember, parts.seed),
        usage_command(storage.ledger, parts.budget, clock, services.model.name),
        doctor_command(parts.doctor),
    )


def _personal(
    storage: Storage, services: Services, clock: Clock, exporting: ExportRules
) -> tuple[Command, ...]:
    """What everybody can ask about what is kept of them."""
    provenance = Provenance(storage.people, clock)
    corrector = Corrector(services.correcting, services.forgetting, clock, exporting.zone)
    return (
        knowing_command(storage.person_views, storage.knowledge, provenance),
        why_command(storage.person_views, services.explanations, provenance),
        correct_command(CorrectableStatements(storage.person_views), corrector),
        forget_command(services.forgetting, subjects_of(storage.person_views)),
        forget_me_command(services.forgetting),
        privacy_command(storage.people.observe),
        *quiet_commands(storage.quiet_topics),
        export_command(storage.exports, clock, exporting),
        link_command(storage.linking),
        unlink_command(storage.accounts),
        reminders_command(services.reminders, ReminderTexts(str(exporting.zone)), clock),
    )
