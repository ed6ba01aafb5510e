"""What the models behind the Messages API accept, by name: thinking and forced tools differ.

Source: the public table of thinking and effort per model, October 2026. A pet's answer is two
lines, and thoughts are billed and count as output, so each model thinks as little as it can.
"""

import re
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Traits:
    """How to ask one family of models.

    `fields` are added to every body. `thought_tokens` is added to the limit of every answer,
    since thoughts count towards it. `can_force` is whether a tool may be forced.
    """

    fields: dict[str, Any] = field(default_factory=dict)
    thought_tokens: int = 0
    can_force: bool = True


PLAIN = Traits()
"""Models that do not think unless told to, and everything that is not Claude."""

_FAMILIES = (
    # Thinking cannot be turned off, only kept short; forced tools are answered with 400.
    (
        re.compile(r"opus-5-[5-9]|fable-|mythos-"),
        Traits(fields={"output_config": {"effort": "low"}}, thought_tokens=4000, can_force=False),
    ),
    # Thinking can be kept to notes between tools; forced tools are answered with 400.
    (
        re.compile(r"sonnet-5-[5-9]"),
        Traits(
            fields={"thinking": {"type": "between_tools"}}, thought_tokens=1000, can_force=False
        ),
    ),
    # Thinking is on unless turned off.
    (re.compile(r"(haiku|sonnet|opus)-5"), Traits(fields={"thinking": {"type": "disabled"}})),
)


def traits_of(model: str) -> Traits:
    """How to ask the model of this name, as Anthropic or a gateway writes it."""
    name = model.lower().replace(".", "-")
    if "claude" not in name:
        return PLAIN
    return next((traits for pattern, traits in _FAMILIES if pattern.search(name)), PLAIN)
