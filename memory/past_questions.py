"""Whether a question is about what was, so that what holds no more may answer it. Pure."""

import re

from memory.language import fold

_FRENCH = re.compile(
    r"\b(?:avant|autrefois|jadis|auparavant|a l.epoque|anciens?|anciennes?|precedent(?:e|s)?"
    r"|au debut|d.abord|historique|etait|etaient|etais|avait|avaient|avais"
    r"|(?:habit|travaill|bossa|boss|aim|ador|detest|viv|utilis|voul|fais|buv|jou|prefer|av)"
    r"(?:ais|ait|aient|ions|iez))\b"
)
_ENGLISH = re.compile(
    r"\b(?:before|formerly|former|previous|previously|earlier|originally|initially|at first"
    r"|back then|in the past|used to|was|were|did|had|history)\b"
)


def asks_the_past(text: str) -> bool:
    """Whether the words ask for what was rather than for what is.

    "did" and "was" count: "where did Léa live?" may be answered with where she lived.
    """
    folded = fold(text)
    return bool(_FRENCH.search(folded) or _ENGLISH.search(folded))
