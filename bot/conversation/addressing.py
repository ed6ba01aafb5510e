"""Whether a message speaks to the pet, and what it says besides the pet's name. Pure."""

import re
from collections.abc import Sequence
from functools import lru_cache

_GREETING = r"(?:(?:hey|hi|hello|ok|okay|dis|dis-moi|salut|bonjour|bonsoir|coucou|yo)\W{1,3})?"


def addressed(text: str, names: Sequence[str]) -> bool:
    """Whether the text calls one of the names: first, last after a comma, or after an @."""
    return any(_calls(name).search(text) is not None for name in names)


def without_name(text: str, names: Sequence[str]) -> str:
    """The text without the call itself: "Eko, where is David?" asks "where is David?"."""
    for name in names:
        text = _calls(name).sub(_keep_greeting, text)
    return text.strip()


@lru_cache(maxsize=64)
def _calls(name: str) -> re.Pattern[str]:
    word = re.escape(name)
    first = rf"^\s*(?P<greeting>{_GREETING})@?{word}\b(?!['’])\s*[,:;!?.]*"
    return re.compile(rf"{first}|@{word}\b|,\s*{word}\b(?=\W*$)", re.IGNORECASE)


def _keep_greeting(call: re.Match[str]) -> str:
    return call["greeting"] or ""
