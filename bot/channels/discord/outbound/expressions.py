"""How the pet's face is shown beside its words: an emoji, a small picture, or nothing. Pure."""

from functools import cache
from importlib.resources import files
from typing import Literal

from bot.model.turns import Expression

FaceStyle = Literal["emoji", "picture", "none"]


@cache
def picture_of(expression: Expression) -> bytes:
    """The face as a PNG of 96 x 96, with nothing behind it."""
    return (files("bot.channels.discord.outbound") / "faces" / f"{expression}.png").read_bytes()
