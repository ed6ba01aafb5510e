"""The sections about the language model, and about what thinking may cost."""

from typing import Annotated

from pydantic import Field

from config.sections.section import PlainName, SettingsSection
from config.sections.validators import HttpAddress, Key, Name


class ModelSettings(SettingsSection):
    """The language model it thinks with; without a key it answers by rules, offline."""

    name: Name = Field("claude-haiku-5-5", description="The model's name at its service.")
    api_key: Annotated[Key | None, PlainName("ANTHROPIC_API_KEY")] = Field(
        None, description="The key of the model's service."
    )
    base_url: Annotated[HttpAddress | None, PlainName("ANTHROPIC_BASE_URL")] = Field(
        None, description="Another server that speaks the Messages API, such as a local one."
    )
    max_turns: int = Field(5, ge=1, le=20, description="Rounds of tools in one answer, at most.")
    max_tokens: int = Field(1024, ge=64, le=64000, description="Tokens of one reply, at most.")
    timeout_s: float = Field(60, gt=0, le=600, description="Seconds one call may take.")
    retries: int = Field(2, ge=0, le=10, description="Further tries when the service is away.")
    prompt_caching: bool = Field(
        default=True,
        description="Mark the stable parts of the prompt as cacheable; some servers refuse it.",
    )
    vision: bool = Field(default=True, description="Show it the pictures that people send.")


class CapSettings(SettingsSection):
    """Tokens one purpose may use in a day."""

    daily_input_tokens: int | None = Field(None, ge=0, description="Fresh tokens sent, at most.")
    daily_output_tokens: int | None = Field(None, ge=0, description="Tokens received, at most.")


class BranchCapSettings(CapSettings):
    """Tokens deep recalls may use in a day: one takes as much as several answers."""

    daily_input_tokens: int | None = Field(
        1_000_000, ge=0, description="Fresh tokens sent, at most."
    )
    daily_output_tokens: int | None = Field(100_000, ge=0, description="Tokens received, at most.")


class JudgingCapSettings(CapSettings):
    """Tokens that comparing what was learnt with what is kept may use in a day."""

    daily_input_tokens: int | None = Field(500_000, ge=0, description="Fresh tokens sent, at most.")
    daily_output_tokens: int | None = Field(50_000, ge=0, description="Tokens received, at most.")


class BudgetSettings(SettingsSection):
    """What thinking may cost in a day; none means no cap."""

    per_person_turns: int | None = Field(
        500, ge=0, description="Answers one person gets in a day, at most."
    )
    turn: CapSettings = Field(CapSettings(), description="Answering people.")
    digest: CapSettings = Field(CapSettings(), description="Learning from the lobby.")
    compaction: CapSettings = Field(CapSettings(), description="Summarising conversations.")
    extraction: CapSettings = Field(
        CapSettings(), description="Learning from conversations with the pet."
    )
    evaluation: CapSettings = Field(CapSettings(), description="One run of `eko eval locomo --qa`.")
    branch: BranchCapSettings = Field(
        BranchCapSettings(), description="Deep recalls, besides the answers they are for."
    )
    judging: JudgingCapSettings = Field(
        JudgingCapSettings(),
        description="Comparing what was learnt in the background with what is kept; "
        "past it rules do that alone.",
    )
