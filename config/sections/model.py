"""The section about the language model, and what one answer may take of it."""

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
    max_tool_calls: int = Field(
        12, ge=1, le=200, description="Tools run for one answer, at most, deep recalls included."
    )
    max_stored: int = Field(
        8, ge=0, le=200, description="Statements and texts that one answer may store."
    )
    max_turn_tokens: int = Field(
        100_000,
        ge=1000,
        le=10_000_000,
        description="Fresh tokens, sent and received, after which an answer must end.",
    )
    max_turn_s: float = Field(
        120, gt=0, le=3600, description="Seconds one answer may take, all its calls together."
    )
    max_tokens: int = Field(1024, ge=64, le=64000, description="Tokens of one reply, at most.")
    timeout_s: float = Field(
        15,
        gt=0,
        le=600,
        description="Seconds one call may take that a person waits for; raise it for a slow model.",
    )
    background_timeout_s: float = Field(
        60, gt=0, le=600, description="Seconds any other call may take, such as one of the digest."
    )
    retries: int = Field(2, ge=0, le=10, description="Further tries when the service is away.")
    prompt_caching: bool = Field(
        default=True,
        description="Mark the stable parts of the prompt as cacheable; some servers refuse it.",
    )
    vision: bool = Field(default=True, description="Show it the pictures that people send.")
