"""Everything that can be chosen about a pet, as one frozen object, and where it is read from."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import BaseModel, Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import (
    BaseSettings,
    InitSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from config.background import ExtractionSettings
from config.compacting import CompactionSettings
from config.discord import DiscordSettings
from config.errors import SettingsRefused
from config.lasting import TtlSettings
from config.layers import read_layers
from config.loops import LoopSettings
from config.obsidian import ObsidianSettings
from config.problems import sentences
from config.sections import (
    AdminSettings,
    BranchSettings,
    BudgetSettings,
    CoalescingSettings,
    DigestSettings,
    EmbedderSettings,
    LogSettings,
    ModelSettings,
    PetSettings,
    RecallSettings,
    RoomSettings,
    SeedSettings,
    SessionSettings,
    ShutdownSettings,
    SweepSettings,
    VectorSettings,
    WebSettings,
)


class Settings(BaseSettings):
    """Every setting of one pet. Constructed directly, it reads nothing but its arguments."""

    model_config = SettingsConfigDict(
        frozen=True, extra="forbid", hide_input_in_errors=True, allow_inf_nan=False
    )

    data_dir: Path = Field(Path("data"), description="The folder that holds all it remembers.")
    locale: Literal["en", "fr"] = Field(
        "en", description="The language it speaks when people's own cannot be told."
    )
    timezone: str = Field("Europe/Paris", description="The time zone it lives in.")
    pet: PetSettings = PetSettings()
    admins: AdminSettings = AdminSettings()
    coalescing: CoalescingSettings = CoalescingSettings()
    loops: LoopSettings = LoopSettings()
    sessions: SessionSettings = SessionSettings()
    model: ModelSettings = ModelSettings()
    embedder: EmbedderSettings = EmbedderSettings()
    vectors: VectorSettings = VectorSettings()
    recall: RecallSettings = RecallSettings()
    branch: BranchSettings = BranchSettings()
    digest: DigestSettings = DigestSettings()
    compaction: CompactionSettings = CompactionSettings()
    ttl: TtlSettings = TtlSettings()
    extraction: ExtractionSettings = ExtractionSettings()
    sweeps: SweepSettings = SweepSettings()
    web: WebSettings = WebSettings()
    discord: DiscordSettings = DiscordSettings()
    budget: BudgetSettings = BudgetSettings()
    shutdown: ShutdownSettings = ShutdownSettings()
    log: LogSettings = LogSettings()
    seed: SeedSettings = SeedSettings()
    obsidian: ObsidianSettings = ObsidianSettings()
    rooms: tuple[RoomSettings, ...] = ()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Only the arguments: `load_settings` says where else to look."""
        del settings_cls, env_settings, dotenv_settings, file_secret_settings
        return (init_settings,)

    @field_validator("timezone")
    @classmethod
    def _zone_exists(cls, name: str) -> str:
        try:
            ZoneInfo(name)
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

    def secrets(self) -> tuple[SecretStr, ...]:
        """Every secret in use, for whoever must keep them out of sight."""
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
    layers = read_layers(Settings, config_file, os.environ if environ is None else environ, dotenv)
    sources = tuple(InitSettingsSource(Settings, layer.nested()) for layer in layers)
    try:
        return Settings(_build_sources=(sources, {}))
    except ValidationError as error:
        problems = sentences(Settings, error, layers)
    raise SettingsRefused(problems)


def _secrets_in(section: BaseModel) -> Iterator[SecretStr]:
    value: Any
    for _, value in section:
        if isinstance(value, SecretStr):
            yield value
        elif isinstance(value, BaseModel):
            yield from _secrets_in(value)
