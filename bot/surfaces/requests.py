"""What each operation takes, as the command line sends it and the daemon checks it."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

Name = Annotated[str, Field(min_length=1, max_length=80)]


class OperationRequest(BaseModel):
    """A request: unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class NoArguments(OperationRequest):
    """No arguments."""


def refusal(error: ValidationError) -> str:
    """What is wrong with the first thing a request was refused for, in a sentence."""
    first = error.errors()[0]
    name = ".".join(map(str, first["loc"])).replace("_", "-")
    limits = first.get("ctx", {})
    match first["type"]:
        case "string_too_short":
            return f"{name} takes at least {_characters(limits['min_length'])}."
        case "string_too_long":
            return f"{name} takes at most {_characters(limits['max_length'])}."
        case kind if kind.startswith("datetime"):
            return f'"{first["input"]}" is no date: write 2026-01-17 or 2026-01-17T18:30.'
    return f"{name}: {first['msg']}."


def _characters(count: int) -> str:
    return f"{count:,} character{'' if count == 1 else 's'}"
