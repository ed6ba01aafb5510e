"""The section of the settings about what thinking may cost."""

from pydantic import Field

from config.sections.section import SettingsSection


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
