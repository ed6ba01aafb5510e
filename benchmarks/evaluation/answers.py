"""Whether an answer stands in a text word for word. Pure."""

import re

from memory.language.text import fold

_WORD = re.compile(r"\w+")


def holds(text: str, answer: str) -> bool:
    """Whether a text says the words of an answer in a row, in any case and punctuation.

    An empty answer stands nowhere.
    """
    wanted = _flat(answer)
    return bool(wanted.strip()) and wanted in _flat(text)


def _flat(text: str) -> str:
    """The folded words, each between two blanks: "art" is not in "party"."""
    return f" {' '.join(_WORD.findall(fold(text)))} "
