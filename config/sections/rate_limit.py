"""The sections about how much is taken in, and about people that turn out to be programs."""

from typing import Self

from pydantic import Field, model_validator

from config.sections.section import SettingsSection


class LoopSettings(SettingsSection):
    """When it takes a person for a program that answers it, and falls silent towards them."""

    answers: int = Field(
        12, ge=1, le=1000, description="Answers to one person in one room within the window."
    )
    room_answers: int = Field(
        20,
        ge=1,
        le=10_000,
        description="Answers in one room, to whoever has three of them or more.",
    )
    window_s: float = Field(60, gt=0, le=3600, description="Seconds these are counted over.")
    pause_s: float = Field(
        60, gt=0, le=3600, description="Seconds of silence until it answers again; doubles."
    )
    longest_pause_s: float = Field(
        3600, gt=0, le=86_400, description="Seconds that the pause grows to, at most."
    )

    @model_validator(mode="after")
    def _the_longest_is_the_longest(self) -> Self:
        if self.longest_pause_s < self.pause_s:
            raise ValueError("longest_pause_s must be at least pause_s")
        return self


class RateSettings(SettingsSection):
    """Messages that are taken; what comes faster is neither kept nor answered, and told once.

    So many can come in a minute, and half of them at once.
    """

    per_person: int = Field(20, ge=1, le=100_000, description="To the pet, from one account.")
    per_room: int = Field(60, ge=1, le=100_000, description="To the pet, in one room.")
    per_address: int = Field(
        30,
        ge=1,
        le=100_000,
        description="To the pet, from one network address or the terminal, all names together.",
    )
    read_per_person: int = Field(60, ge=1, le=100_000, description="Read along, from one account.")
    read_per_room: int = Field(600, ge=1, le=100_000, description="Read along, in one room.")
