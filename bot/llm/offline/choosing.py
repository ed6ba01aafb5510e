"""Choosing among texts, and quoting within them; pure."""

import re
from zlib import crc32

_LONGEST_QUOTE = 240
"""Characters of one quoted memory: four of them still fit one message of any channel."""

_MARKUP = re.compile(r"[*`|]+|~~+|__+|^[#>\-\s]+")
"""Not a single "~": it marks who goes by the pet's name."""


def one_of(choices: tuple[str, ...], seed: str) -> str:
    """One of the choices, always the same for the same words."""
    return choices[crc32(seed.encode()) % len(choices)]


def plain_line(text: str) -> str:
    """The text on one line, without markup, at most 240 characters."""
    bare = _MARKUP.sub("", " ".join(text.split())).strip()
    return bare if len(bare) <= _LONGEST_QUOTE else f"{bare[: _LONGEST_QUOTE - 1].rstrip()}…"


def name_line(name: str) -> str:
    """A name on one line, with the sign before it that marks an impostor."""
    return " ".join(name.split())[:_LONGEST_QUOTE]


def without_missing_name(text: str) -> str:
    """A text without the marks around a name that is not known."""
    return text.replace(" !", "!").replace(", .", ".").replace(" ,", "").replace(", !", "!")
