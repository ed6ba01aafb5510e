"""Whether a reply repeats what was forgotten, beyond what was said to it. Pure."""

from collections.abc import Collection

from memory.language.text import has_digit, proper_nouns, stems

_MOST_SHARED = 2
"""Words that a reply has in common with a short statement by chance."""


def repeats(reply: str, own: str, forgotten: str, gone: Collection[str] = ()) -> bool:
    """Whether a reply to `own` words tells what was forgotten.

    It does by one name or number of it, by one word that stands nowhere else (`gone`), or by half
    of its words.
    """
    told = {*stems(forgotten)} - {*stems(own)}
    shared = told & {*stems(reply)}
    if shared & telling_words(forgotten) or shared & {*gone}:
        return True
    return len(shared) >= max(_MOST_SHARED, len(told) / 2)


def telling_words(text: str) -> frozenset[str]:
    """The stems of a text's proper nouns, and its numbers."""
    numbers = (stem for stem in stems(text) if has_digit(stem))
    return frozenset({*proper_nouns(text), *numbers})
