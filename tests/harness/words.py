"""Words that nobody has said before, each of which a harness can find again."""

from collections.abc import Iterator
from random import Random

LETTERS = "abdefgilmnoprstuv"
"""Of the middle of a word; it begins and ends with k, see `tests.harness.services.WORD`."""


def new_words(chance: Random) -> Iterator[str]:
    """Endless words, none of them twice."""
    said: set[str] = set()
    while True:
        word = f"k{''.join(chance.choices(LETTERS, k=9))}k"
        if word not in said:
            said.add(word)
            yield word
