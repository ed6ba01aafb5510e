"""Whether a text is to be read as Markdown. Pure.

A parser can be made slow by many open marks: a text with more of them than people write is shown as
it is.
"""

import re

LONGEST_PARSED = 8_000
"""Characters: a long letter. What is longer is mostly pasted, and no Markdown."""

MOST_SIGNS = 900
"""Signs of Markdown in it: a hundred marks and a hundred links have about six hundred."""

MOST_BRACKETS = 120
"""Opening brackets in it: each of them that stays open is looked at again. A list of a hundred
links, as many as Telegram draws, has a hundred."""

_SIGNS = re.compile(r"[*_`~\[\]<>\\#]|^[ \t]*(?:[-+]|\d{1,9}[.)])[ \t]", re.MULTILINE)


def is_formatted(text: str) -> bool:
    """Whether there is Markdown in a text, and no more than can be read quickly."""
    if len(text) > LONGEST_PARSED or text.count("[") > MOST_BRACKETS:
        return False
    signs = sum(1 for _ in _SIGNS.finditer(text))
    return 0 < signs <= MOST_SIGNS
