"""The section of the settings about conversations that grow long."""

from pydantic import Field

from config.sections.section import SettingsSection


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
