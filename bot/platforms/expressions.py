"""The pet's face as an emoji behind its words. Pure."""

from bot.conversation.emoji import ends_with_emoji
from bot.model.turns import Expression

_EMOJI = {
    Expression.HAPPY: "😊",
    Expression.CURIOUS: "🧐",
    Expression.THINKING: "🤔",
    Expression.SURPRISED: "😮",
    Expression.SAD: "😢",
    Expression.LOVE: "🥰",
    Expression.SLEEPY: "😴",
}
"""Neutral has none: a face that says nothing is left away."""


def with_emoji(text: str, expression: Expression | None, limit: int) -> str:
    """The text with the emoji of the face behind it, where there is one and room for it.

    `limit` counts code points. A text that ends with an emoji has its face.
    """
    emoji = _EMOJI.get(expression) if expression else None
    if emoji is None or ends_with_emoji(text):
        return text
    shown = f"{text}{_gap(text)}{emoji}"
    return shown if len(shown) <= limit else text


def _gap(text: str) -> str:
    """A line's end behind code or a quote, so that the face is not part of it."""
    last = text.rpartition("\n")[2]
    return "\n" if last.startswith(("```", "> ", "-# ")) or text.endswith("```") else " "
