"""The sections about what thinking may cost in a day (UTC), and who is told when it is much."""

from typing import Annotated

from pydantic import Field

from config.sections.channel import Identity
from config.sections.section import SettingsSection, like

Tokens = Annotated[int | None, Field(ge=0)]


class CapSettings(SettingsSection):
    """Tokens one purpose may use in a day."""

    daily_input_tokens: Tokens = Field(None, description="Fresh tokens sent, at most.")
    daily_output_tokens: Tokens = Field(None, description="Tokens received, at most.")


class TurnCapSettings(CapSettings):
    """Tokens that answers may use in a day: less than the whole, so that learning goes on."""

    daily_input_tokens: Tokens = Field(8_000_000, description="Fresh tokens sent, at most.")
    daily_output_tokens: Tokens = Field(800_000, description="Tokens received, at most.")


class LearningCapSettings(CapSettings):
    """Tokens that one kind of learning may use in a day; past it what is left waits."""

    daily_input_tokens: Tokens = Field(2_000_000, description="Fresh tokens sent, at most.")
    daily_output_tokens: Tokens = Field(400_000, description="Tokens received, at most.")


class BranchCapSettings(CapSettings):
    """Tokens deep recalls may use in a day: one takes as much as several answers."""

    daily_input_tokens: Tokens = Field(1_000_000, description="Fresh tokens sent, at most.")
    daily_output_tokens: Tokens = Field(100_000, description="Tokens received, at most.")


class JudgingCapSettings(CapSettings):
    """Tokens that comparing what was learnt with what is kept may use in a day."""

    daily_input_tokens: Tokens = Field(500_000, description="Fresh tokens sent, at most.")
    daily_output_tokens: Tokens = Field(50_000, description="Tokens received, at most.")


class CheckCapSettings(CapSettings):
    """Tokens that trying a model may use in a day: one trial takes some 20,000."""

    daily_input_tokens: Tokens = Field(400_000, description="Fresh tokens sent, at most.")
    daily_output_tokens: Tokens = Field(40_000, description="Tokens received, at most.")


class CheckinCapSettings(CapSettings):
    """Tokens that wording check-ins may use in a day; past it they are worded by rules."""

    daily_input_tokens: Tokens = Field(200_000, description="Fresh tokens sent, at most.")
    daily_output_tokens: Tokens = Field(20_000, description="Tokens received, at most.")


class BudgetSettings(SettingsSection):
    """What thinking may cost in a day; none means no cap. Past it answers come from memory."""

    daily_tokens: Tokens = Field(
        10_000_000, description="Fresh tokens, sent and received, all purposes together."
    )
    daily_dollars: float | None = Field(
        5.0, ge=0, description="US dollars, all purposes together; for models of known price."
    )
    per_person_turns: int | None = Field(
        500, ge=0, description="Answers one person gets in a day, at most."
    )
    per_person_tokens: Tokens = Field(
        4_000_000, description="Fresh tokens for answers to one person, at most."
    )
    newcomer_turns: int | None = Field(
        200,
        ge=0,
        description="Answers that all names together get which were first seen within a day on "
        "the page or in the terminal.",
    )
    newcomer_tokens: Tokens = Field(2_000_000, description="Fresh tokens for those, at most.")
    per_community_tokens: Tokens = Field(
        6_000_000, description="Fresh tokens for answers in one community, at most."
    )
    turn: TurnCapSettings = Field(TurnCapSettings(), description="Answering people.")
    digest: LearningCapSettings = Field(
        LearningCapSettings(), description="Learning from the lobby."
    )
    compaction: LearningCapSettings = Field(
        LearningCapSettings(), description="Summarising conversations."
    )
    extraction: LearningCapSettings = Field(
        LearningCapSettings(), description="Learning from conversations with the pet."
    )
    evaluation: CapSettings = Field(
        CapSettings(), description="One run of `python -m benchmarks.locomo --qa`."
    )
    branch: BranchCapSettings = Field(
        BranchCapSettings(), description="Deep recalls, besides the answers they are for."
    )
    judging: JudgingCapSettings = Field(
        JudgingCapSettings(),
        description="Comparing what was learnt in the background with what is kept; "
        "past it rules do that alone.",
    )
    check: CheckCapSettings = Field(
        CheckCapSettings(), description="Trying a model: `eko model check`, `eko doctor`."
    )
    checkin: CheckinCapSettings = Field(
        CheckinCapSettings(), description="Wording check-ins; past it rules do that."
    )


class NoticeSettings(SettingsSection):
    """Where its owner is warned, besides the log: of caps, and of what has failed."""

    account: Annotated[Identity, like(r"[^*]+", "must be one account")] | None = Field(
        None,
        description="Who is written to in private, as platform:id; they must have written first.",
    )
