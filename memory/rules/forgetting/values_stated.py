"""Whether a line states something anew, or asks, quotes, or tells that it was forgotten. Pure."""

import re

from memory.language.text import fold
from memory.rules.forgetting.plain_words.reading import read_request

_QUOTES = re.compile(r"[\"“«»”>]")

_TELLS_OF_FORGETTING = re.compile(
    r"\b(?:log|journal|deleted|erased|removed|forgot(?:ten)?|purged|wiped|scrubbed|efface\w*|supprim\w*"
    r"|oubli\w*|retire\w*|nettoy\w*)\b ?:?",
    re.IGNORECASE,
)


_ASKS = re.compile(
    r"^(?:@\w{1,40} )?(?:(?:and|so|but|wait|huh|et|mais|euh|attends) )?"
    r"(?:who|what|whats|where|wheres|when|why|how|which|whose|did|does|do|is|was|are|were|has|have"
    r"|can|could|qui|quoi|quel\w{0,3}|ou|quand|comment|pourquoi|combien|est-ce|c'est quoi|c'est qui"
    r"|cest quoi|t'as|tu as|as-tu)\b|\b(?:ou|quoi|qui|quand) deja\b"
)
"""How a question begins, or ends, that was written without its sign."""


def states_values(text: str) -> bool:
    """Whether what a line says is stated by who says it."""
    if "?" in text or _QUOTES.search(text) or _ASKS.search(fold(text)):
        return False
    return read_request(text) is None and not tells_of_forgetting(text)


def tells_of_forgetting(text: str) -> bool:
    """Whether a line tells that something was deleted or forgotten, as a log does."""
    return _TELLS_OF_FORGETTING.search(fold(text)) is not None
