"""Single emoji that the offline pet answers with where words would be too much; pure."""

from bot.models.offline_reading import Wish
from bot.models.offline_texts import one_of
from memory.language import words

_AT_NIGHT = frozenset(words("nuit night dors dodo"))


def sign_for(wish: Wish, text: str) -> str:
    """One emoji, always the same for the same words."""
    if wish is Wish.FAREWELL:
        return "🌙" if _AT_NIGHT.intersection(words(text)) else "👋"
    return one_of(("💛", "🤗") if wish is Wish.THANKS else ("😄", "😂"), text, "")
