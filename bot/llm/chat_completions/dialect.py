"""How the servers of chat completions differ: by their address, by names, by what they refuse.

Sources: OpenAI's reference of `POST /v1/chat/completions`, where `max_tokens` is deprecated and
refused by models that think, and its refusal of function tools beside any effort but "none" from
GPT-5.4 on; Ollama's list of the fields that it takes, which has `max_tokens` alone. November 2026.
"""

import re
from dataclasses import dataclass, replace
from typing import Literal
from urllib.parse import urlsplit

_OPENAI = ("openai.com", "openai.azure.com")
"""Hosts where OpenAI's own rules hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """How to ask one server for one model.

    `limit` is the field for the most tokens of an answer; `thought_tokens` are added to it, since
    thoughts count towards it. `effort` is how much it thinks, None to leave that out. `can_force`
    is whether a tool may be forced.
    """

    limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    effort: str | None = None
    thought_tokens: int = 0
    can_force: bool = True


_FAMILIES = (
    (re.compile(r"gpt-5(?:-mini|-nano)?(?:-2025-\d\d-\d\d)?"), ("minimal", 1000)),
    (re.compile(r"gpt-5-chat\S*"), (None, 0)),
    # From 5.4 on, tools are refused here unless thinking is off; 5.1 and later take "none".
    (re.compile(r"gpt-(?:5\.\d|[6-9])\S*"), ("none", 0)),
    (re.compile(r"o[1-9](?:-\S*)?"), ("low", 4000)),
)
"""OpenAI's families that think, with the least effort that each takes beside tools."""


def dialect_of(model: str, base_url: str | None) -> Dialect:
    """How to ask for a model at an address; None is OpenAI's own."""
    if not _is_openai(base_url):
        return Dialect()
    name = model.strip().lower()
    effort, thought = next(
        (fields for family, fields in _FAMILIES if family.fullmatch(name)), (None, 0)
    )
    return Dialect(limit="max_completion_tokens", effort=effort, thought_tokens=thought)


def adapted(dialect: Dialect, complaint: str) -> Dialect:
    """The dialect after a refusal that names a field of it; the same where it names none."""
    if "tool_choice" in complaint and dialect.can_force:
        return replace(dialect, can_force=False)
    if "reasoning_effort" in complaint or "reasoning effort" in complaint:
        wanted = "none" if "none" in complaint and dialect.effort != "none" else None
        return replace(dialect, effort=wanted)
    if "max_completion_tokens" in complaint and dialect.limit == "max_tokens":
        return replace(dialect, limit="max_completion_tokens")
    if "max_completion_tokens" in complaint or "max_tokens" in complaint:
        return replace(dialect, limit="max_tokens")
    return dialect


def _is_openai(base_url: str | None) -> bool:
    host = "openai.com" if base_url is None else urlsplit(base_url).hostname or ""
    return any(host == one or host.endswith(f".{one}") for one in _OPENAI)
