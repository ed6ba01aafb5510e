"""The one table of commands, for every channel: what each topic registered."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from bot.conversation.member_roles import MemberRoleChoices
from bot.conversation.pauses import Pausing
from bot.conversation.rooms import RoomRegistry
from bot.diagnostics.doctor import Doctor
from bot.model.commands import Command
from bot.ports import Communities
from bot.texts.commands import position
from bot.texts.provenance import Provenance
from bot.topic import registered
from bot.wiring.memory import Services
from config.settings import Settings
from memory.ports import Clock
from memory.storage.storage import Storage
from memory.upkeep.live_settings import LiveSettings
from observers.schedule import next_slot


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandParts:
    """What the commands work with."""

    storage: Storage
    live_settings: LiveSettings
    services: Services
    clock: Clock
    register: RoomRegistry
    member_roles: MemberRoleChoices
    communities: Mapping[str, Communities]
    pausing: Pausing
    doctor: Doctor
    settings: Settings

    @property
    def zone(self) -> ZoneInfo:
        """The time zone in which moments are read and written."""
        return self.settings.zone

    def next_digest(self, now: datetime) -> datetime | None:
        """When the next digest begins; None if none is planned."""
        return next_slot(now, self.settings.digest.planned_hours, self.settings.digest_zone)

    @property
    def provenance(self) -> Provenance:
        """What says where a statement comes from."""
        return Provenance(self.storage.people, self.clock)


def command_table(parts: CommandParts) -> tuple[Command, ...]:
    """Every command, in the order in which the catalogue of texts has them."""
    found = [one for module in registered("commands") for one in module.commands(parts)]
    return tuple(sorted(found, key=lambda one: position(one.name)))
