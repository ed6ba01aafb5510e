"""Whose thing is meant where only "my" says it: who says it owns it, French and English."""

import re

from memory.language.questions.asking import share_that_asks

_OWN = re.compile(r"\b(?:my|mine|mon|ma|mes)\b", re.IGNORECASE)

_SELF = re.compile(r"\b(?:i|i'm|im|my|me|mine|myself|je|j'\w|mon|ma|mes|moi)\b", re.IGNORECASE)


def asks_of_own(text: str) -> bool:
    """Whether a text asks about something of its author: "what is my dog called?"."""
    return _OWN.search(text) is not None and share_that_asks(text) > 0


def tells_of_self(text: str) -> bool:
    """Whether a text tells of its author, who alone is meant by "I" and "my" in it."""
    return _SELF.search(text.replace("’", "'")) is not None
