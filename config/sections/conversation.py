"""The sections about how messages become turns, turns conversations, and long ones short."""

from typing import Self

from pydantic import Field, model_validator

from config.sections.section import SettingsSection


class CoalescingSettings(SettingsSection):
    """How several messages in a row become one turn."""

    debounce_s: float = Field(
        1.5, ge=0, le=60, description="Seconds of quiet after the last message before it answers."
    )
    max_wait_s: float = Field(
        5.0, ge=0, le=300, description="Seconds after the first message when it answers anyway."
    )
    max_restarts: int = Field(
        1, ge=0, le=10, description="How often a turn starts again because a new message came in."
    )
    max_messages: int = Field(
        50, ge=1, le=1000, description="Messages that close a batch at once, quiet or not."
    )
    pending_max_age_s: int = Field(
        3600, ge=0, description="Seconds after which a message left over by a stop goes unanswered."
    )

    @model_validator(mode="after")
    def _cap_covers_the_quiet(self) -> Self:
        if self.max_wait_s < self.debounce_s:
            raise ValueError("max_wait_s must be at least debounce_s")
        return self


class RoomContextSettings(SettingsSection):
    """What a room of several people said lately, told to the model with each turn there."""

    minutes: float = Field(30, ge=0, le=1440, description="How far back it is told, in minutes.")
    max_lines: int = Field(20, ge=0, le=200, description="Messages told in one turn, at most.")
    max_tokens: int = Field(600, ge=0, le=8000, description="Tokens of those messages, at most.")


class SessionSettings(SettingsSection):
    """One person's conversation in one room."""

    idle_minutes: float = Field(15, gt=0, le=1440, description="Minutes of silence that end it.")
    window_messages: int = Field(
        20,
        ge=1,
        le=200,
        description="Latest messages the model sees word for word, however long they are.",
    )


class ReminderSettings(SettingsSection):
    """What people ask to be told of later."""

    most_open: int = Field(
        20, ge=0, le=1000, description="Reminders that one person may have waiting; 0 sets none."
    )


class CompactionSettings(SettingsSection):
    """How a long conversation is kept short before the model; nothing of it is removed."""

    window_tokens: int = Field(
        6000,
        ge=500,
        le=1_000_000,
        description="Tokens of a conversation shown word for word, about; "
        "what is older is summarised.",
    )
    rollup_of: int = Field(
        8,
        ge=2,
        le=100,
        description="Summaries kept side by side, of a conversation or a month.",
    )
    attempts: int = Field(3, ge=1, le=10, description="Tries before a stretch stays unsummarised.")
