"""Keeps secrets out of sight: what looks like one is replaced, wherever it stands in a text."""

import re
from collections.abc import Iterable

MASK = "***"

_SHAPES = re.compile(
    r"""
      (?<![A-Za-z0-9])sk-[A-Za-z0-9_\-]{6,}          # Anthropic and those who copied the form
    | (?<![A-Za-z0-9])pa-[A-Za-z0-9_\-]{12,}         # Voyage
    | (?<=[Bb]earer\s)[^\s"',;\\]+                   # whatever is carried by a Bearer header
    | (?<![A-Za-z0-9])eyJ[\w\-]{8,2000}\.[\w\-]+\.[\w\-]*   # JSON web tokens
    | (?<![A-Za-z0-9])EAA[A-Za-z0-9]{20,}            # Meta
    | (?<![\w\-])[MNO][\w\-]{22,27}\.[\w\-]{6}\.[\w\-]{27,}  # Discord
    | (?<!\d)\d{7,12}:[\w\-]{30,}                    # Telegram
    | (?<=://)[^\s/:@"']+:[^\s/@"']+(?=@)            # a user and password in an address
    | (?<=input_value=).{1,500}?(?=,\sinput_type=)    # what pydantic quotes of a refused value
    """,
    re.VERBOSE | re.DOTALL,
)

SHORTEST = 6
"""Known secrets below this length are not replaced: "none" or "eko" would blank whole sentences."""


def masked(text: str, known: Iterable[str] = ()) -> str:
    """The text with every known secret, and all that looks like one, replaced by `***`."""
    for secret in known:
        if len(secret) >= SHORTEST:
            text = text.replace(secret, MASK)
    return _SHAPES.sub(MASK, text)
