"""The sections about the language model: what one answer may take of it, and what it may call."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from config.sections.section import HttpAddress, Key, Name, PlainName, SettingsSection


class ModelSettings(SettingsSection):
    """The language model it thinks with; without a key it answers by rules, offline."""

    provider: Literal["anthropic", "openai"] = Field(
        "anthropic",
        description="How its service is spoken to: the Messages API of Anthropic, or the chat"
        " completions of OpenAI; most other servers, local ones too, speak one of them or both.",
    )
    name: Name = Field(
        "claude-haiku-5-5",
        description="The model's name at its service; to be given with any other provider.",
    )
    api_key: Annotated[
        Key | None,
        PlainName("ANTHROPIC_API_KEY", "anthropic"),
        PlainName("OPENAI_API_KEY", "openai"),
    ] = Field(None, description="The key of the model's service.")
    base_url: Annotated[
        HttpAddress | None,
        PlainName("ANTHROPIC_BASE_URL", "anthropic"),
        PlainName("OPENAI_BASE_URL", "openai"),
    ] = Field(
        None,
        description="Another server that speaks the same, such as a local one; with"
        ' provider "openai" it mostly ends in /v1.',
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
    context_tokens: int | None = Field(
        None,
        ge=2048,
        le=10_000_000,
        description="Tokens that a request and its answer may take together, where the model or"
        " its server takes no more: earlier talk, lines of the room and recalled lines are left"
        " out, in this order, until it fits.",
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

    @model_validator(mode="after")
    def _is_named(self) -> Self:
        if self.provider != "anthropic" and "name" not in self.model_fields_set:
            raise ValueError(f'provider "{self.provider}" needs the name of a model')
        return self

    @property
    def is_chosen(self) -> bool:
        """Whether there is a language model at all: a key for one, or another server."""
        return self.api_key is not None or self.base_url is not None


class ToolSettings(SettingsSection):
    """What the model may call while it answers."""

    set: Literal["auto", "full", "compact"] = Field(
        "auto",
        description="full: every tool; compact: eight, for models that do not cope with more; "
        "auto: compact where [model] names a server that needs no key, as a local one.",
    )
