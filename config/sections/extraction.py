"""The sections for what is done in the background, with no reply waiting."""

from pydantic import Field

from config.sections.section import SettingsSection


class ExtractionSettings(SettingsSection):
    """Learning from conversations with the pet, in the background, once they pause."""

    enabled: bool = Field(default=True, description="Whether it runs by itself.")
    idle_s: float = Field(
        20, ge=0, le=3600, description="Seconds of silence after which a conversation is read."
    )
    every_turns: int = Field(
        5, ge=1, le=100, description="Answers after which it is read without a pause, too."
    )
    span_turns: int = Field(10, ge=1, le=200, description="Exchanges read in one piece.")
    span_chars: int = Field(
        12000, ge=500, le=400000, description="Characters read in one piece, at most."
    )
    overlap_turns: int = Field(
        2, ge=0, le=20, description="Earlier exchanges shown with a piece, to understand it."
    )
    attempts: int = Field(3, ge=1, le=10, description="Tries before a piece is set aside.")
