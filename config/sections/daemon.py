"""The sections about the process itself: what it does at intervals, how it stops and logs."""

from typing import Literal

from pydantic import Field

from config.sections.section import Hour, HttpAddress, SettingsSection


class SweepSettings(SettingsSection):
    """How often it tidies up."""

    expired_minutes: float = Field(
        60,
        gt=0,
        le=10080,
        description="Minutes between looks for what has expired, which is archived; "
        "what was forgotten a day ago is purged and memories that hang together are tied then too.",
    )
    tidy_hour: Hour | None = Field(
        4, description="The hour of the night when it looks for memories that say the same twice."
    )
    sessions_seconds: float = Field(
        60,
        gt=0,
        le=3600,
        description="Seconds between looks for conversations that ended and replies not sent.",
    )
    dropped_days: float = Field(
        30,
        gt=0,
        le=36500,
        description="Days for which it keeps what it considered for an answer and did not recall, "
        "for `eko why --all`; what it recalled is kept.",
    )


class ShutdownSettings(SettingsSection):
    """How long a stop waits."""

    turns_s: float = Field(20, ge=0, le=600, description="Seconds for answers under way.")
    posthooks_s: float = Field(30, ge=0, le=600, description="Seconds for what follows an answer.")


class LogSettings(SettingsSection):
    """What it says about its work; never what people say, above debug."""

    level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="The least important events that are written."
    )
    format: Literal["auto", "console", "json"] = Field(
        "auto", description="Auto writes for people in a terminal, and JSON elsewhere."
    )
    file: str | None = Field(None, min_length=1, description="A file that gets the same as JSON.")


class TelemetrySettings(SettingsSection):
    """Who collects traces of its turns: how long each step took, without words and names."""

    endpoint: HttpAddress | None = Field(
        None,
        description="A collector that takes OTLP over HTTP, such as http://127.0.0.1:4318. Needs"
        " the extra `telemetry`. Without one nothing is traced.",
    )
