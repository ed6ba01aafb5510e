"""The sections about learning from what was said, in the background, with no reply waiting."""

from typing import Self

from pydantic import Field, field_validator, model_validator

from config.sections.section import Hour, SettingsSection


class ExtractionSettings(SettingsSection):
    """Learning from conversations with the pet, in the background, once they pause."""

    enabled: bool = Field(default=True, description="Whether it runs by itself.")
    idle_s: float = Field(
        90, ge=0, le=3600, description="Seconds of silence after which a conversation is read."
    )
    every_turns: int = Field(
        10, ge=1, le=100, description="Answers after which it is read without a pause, too."
    )
    span_turns: int = Field(10, ge=1, le=200, description="Exchanges read in one piece.")
    span_chars: int = Field(
        12000, ge=500, le=400000, description="Characters read in one piece, at most."
    )
    overlap_turns: int = Field(
        2, ge=0, le=20, description="Earlier exchanges shown with a piece, to understand it."
    )
    attempts: int = Field(3, ge=1, le=10, description="Tries before a piece is set aside.")


class DigestSettings(SettingsSection):
    """The job that turns what the lobby said into memories."""

    enabled: bool = Field(default=True, description="Whether it runs by itself.")
    hours: tuple[Hour, ...] = Field(
        (2, 6, 10, 14, 18, 22), min_length=1, description="Hours of the day when it runs."
    )
    missed_after_hours: float = Field(
        4, gt=0, le=168, description="At start it runs at once when the last is older than this."
    )
    chunk_messages: int = Field(120, ge=1, le=1000, description="Messages read in one piece.")
    chunk_chars: int = Field(
        12000, ge=500, le=400000, description="Characters read in one piece, at most."
    )
    overlap_messages: int = Field(
        10, ge=0, le=200, description="Earlier messages shown with a piece, to understand it."
    )
    attempts: int = Field(3, ge=1, le=10, description="Tries before a piece is set aside.")

    @property
    def planned_hours(self) -> tuple[int, ...]:
        """The hours when it runs by itself; none where it does not."""
        return self.hours if self.enabled else ()

    @field_validator("hours")
    @classmethod
    def _each_hour_once(cls, hours: tuple[int, ...]) -> tuple[int, ...]:
        if len(set(hours)) != len(hours):
            raise ValueError("must name each hour once")
        return tuple(sorted(hours))

    @model_validator(mode="after")
    def _pieces_move_on(self) -> Self:
        if self.overlap_messages >= self.chunk_messages:
            raise ValueError("overlap_messages must be less than chunk_messages")
        return self
