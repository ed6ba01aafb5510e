"""Whether a line states something anew, or asks, quotes, or tells that it was forgotten. Pure."""

import re

from memory.rules.forgetting.plain_words import read_request

_QUOTES = re.compile(r"[\"“«»”>]")

_TELLS_OF_FORGETTING = re.compile(
    r"\b(?:log|journal|deleted|erased|removed|forgot(?:ten)?|purged|wiped|scrubbed|efface\w*|supprim\w*"
    r"|oubli\w*|retire\w*|nettoy\w*)\b ?:?",
    re.IGNORECASE,
)


def states_values(text: str) -> bool:
    """Whether what a line says is stated by who says it."""
    if "?" in text or _QUOTES.search(text):
        return False
    return read_request(text) is None and _TELLS_OF_FORGETTING.search(text) is None
