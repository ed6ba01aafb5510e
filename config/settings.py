"""Everything that can be chosen about a pet, as one frozen object, and where it is read from."""

import os
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import BaseModel, Field, SecretStr, ValidationError, field_validator, model_validator

from config.errors import SettingsRefused
from config.machine_zone import machine_zone
from config.problems import sentences
from config.sections.backup import BackupSettings
from config.sections.budget import BudgetSettings, NoticeSettings
from config.sections.channel import channels_in
from config.sections.conversation import (
    CoalescingSettings,
    CompactionSettings,
    ReminderSettings,
    RoomContextSettings,
    SessionSettings,
)
from config.sections.daemon import (
    LogSettings,
    ShutdownSettings,
    SweepSettings,
    TelemetrySettings,
)
from config.sections.discord import DiscordSettings
from config.sections.learning import DigestSettings, ExtractionSettings
from config.sections.matrix import MatrixSettings
from config.sections.model import ModelSettings, ToolSettings
from config.sections.obsidian import ObsidianSettings
from config.sections.pet import AdminSettings, PetSettings, SeedSettings
from config.sections.rate_limit import LoopSettings, RateSettings
from config.sections.recall import BranchSettings, RecallSettings
from config.sections.rooms import RoomSettings
from config.sections.section import SettingsSection
from config.sections.telegram import TelegramSettings
from config.sections.ttl import TtlSettings
from config.sections.vectors import EmbedderSettings, VectorSettings
from config.sections.voice import VoiceSettings
from config.sections.web import WebSettings
from config.sections.whatsapp import WhatsappSettings
from config.sources import nested, read_given

_HOME_ZONE = "Europe/Paris"
"""Where the pet lives if neither its owner nor the machine says so."""

TEXTS = Path(str(files("bot") / "texts"))
"""The texts of the pet, a file each: settings know their names, and no code of the pet's."""


def languages() -> tuple[str, ...]:
    """The languages that a pet can be set to, such as "en": those that there are texts in."""
    return tuple(sorted(file.stem for file in TEXTS.glob("*.toml")))


SHARED_OUT = "discord"
"""The platform whose communities processes of one pet can share out."""


class Settings(SettingsSection):
    """Every setting of one pet. Constructed directly, it reads nothing but its arguments."""

    data_dir: Path = Field(Path("data"), description="The folder that holds all it remembers.")
    locale: str = Field(
        "en",
        description="The language it speaks when people's own cannot be told."
        f" One of {', '.join(languages())}.",
    )
    timezone: str | None = Field(
        None,
        description="The time zone it lives in; that of this machine if not given, and where this "
        "machine only knows UTC, and for the hours of digests, Europe/Paris. Who says where they "
        "are, or lets a browser say it, is told the time there.",
    )
    pet: PetSettings = PetSettings()
    admins: AdminSettings = AdminSettings()
    coalescing: CoalescingSettings = CoalescingSettings()
    rates: RateSettings = RateSettings()
    loops: LoopSettings = LoopSettings()
    sessions: SessionSettings = SessionSettings()
    reminders: ReminderSettings = ReminderSettings()
    room_context: RoomContextSettings = RoomContextSettings()
    model: ModelSettings = ModelSettings()
    tools: ToolSettings = ToolSettings()
    voice: VoiceSettings = VoiceSettings()
    embedder: EmbedderSettings = EmbedderSettings()
    vectors: VectorSettings = VectorSettings()
    recall: RecallSettings = RecallSettings()
    branch: BranchSettings = BranchSettings()
    digest: DigestSettings = DigestSettings()
    compaction: CompactionSettings = CompactionSettings()
    ttl: TtlSettings = TtlSettings()
    extraction: ExtractionSettings = ExtractionSettings()
    sweeps: SweepSettings = SweepSettings()
    backup: BackupSettings = BackupSettings()
    web: WebSettings = WebSettings()
    discord: DiscordSettings = DiscordSettings()
    telegram: TelegramSettings = TelegramSettings()
    whatsapp: WhatsappSettings = WhatsappSettings()
    matrix: MatrixSettings = MatrixSettings()
    budget: BudgetSettings = BudgetSettings()
    notices: NoticeSettings = NoticeSettings()
    shutdown: ShutdownSettings = ShutdownSettings()
    log: LogSettings = LogSettings()
    telemetry: TelemetrySettings = TelemetrySettings()
    seed: SeedSettings = SeedSettings()
    obsidian: ObsidianSettings = ObsidianSettings()
    rooms: tuple[RoomSettings, ...] = ()

    @field_validator("locale")
    @classmethod
    def _language_exists(cls, name: str) -> str:
        if name not in languages():
            raise ValueError(f"must be {' or '.join(map(repr, languages()))}")
        return name

    @field_validator("timezone")
    @classmethod
    def _zone_exists(cls, name: str | None) -> str | None:
        try:
            ZoneInfo(name or _HOME_ZONE)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise ValueError('must be a time zone, like "Europe/Paris" or "UTC"') from None
        return name

    @model_validator(mode="after")
    def _each_room_once(self) -> Self:
        rooms = [(room.platform, room.external_id) for room in self.rooms]
        for platform, external_id in rooms:
            if rooms.count((platform, external_id)) > 1:
                raise ValueError(f"[[rooms]] names the room {platform} {external_id} twice.")
        return self

    @property
    def shared_out(self) -> DiscordSettings:
        """The section of the channel whose communities processes of the pet can share out."""
        return self.discord

    @model_validator(mode="after")
    def _siblings_are_reached(self) -> Self:
        if self.discord.siblings and not self.web.enabled:
            raise ValueError("[discord] siblings reach each other by [web], which is not enabled.")
        if self.discord.open_siblings and not self.web.insecure_dashboard:
            raise ValueError(
                "[discord] siblings on other machines need https://, or [web] insecure_dashboard: "
                f"{self.discord.open_siblings[0]} can be read along."
            )
        return self

    @property
    def zone(self) -> ZoneInfo:
        """The time zone that the pet lives in."""
        return ZoneInfo(self.timezone or machine_zone() or _HOME_ZONE)

    @property
    def digest_zone(self) -> ZoneInfo:
        """The zone of the hours of digests, which do not follow the machine about."""
        return ZoneInfo(self.timezone or _HOME_ZONE)

    def secrets(self) -> tuple[SecretStr, ...]:
        """Every secret in use, so that the logs can leave them out."""
        return tuple(_secrets_in(self))


def load_settings(
    config_file: Path | None = None,
    environ: Mapping[str, str] | None = None,
    dotenv: Path = Path(".env"),
) -> Settings:
    """The settings from the environment, `.env`, the settings file and the defaults, in that order.

    `config_file` wins over EKO_CONFIG, which wins over an `eko.toml` in the current folder.

    Raises:
        SettingsRefused: with a sentence for each thing that is wrong.

    """
    given = read_given(Settings, config_file, os.environ if environ is None else environ, dotenv)
    try:
        return Settings.model_validate(nested(given), context=channels_in(Settings))
    except ValidationError as error:
        problems = sentences(Settings, error, given)
    raise SettingsRefused(problems)


def _secrets_in(section: BaseModel) -> Iterator[SecretStr]:
    value: Any
    for _, value in section:
        if isinstance(value, SecretStr):
            yield value
        elif isinstance(value, BaseModel):
            yield from _secrets_in(value)
