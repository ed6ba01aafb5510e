"""A message as the signs that its kind is told by: words, their order, their parts; pure."""

import re
from collections.abc import Collection, Iterator

from memory.language.chat_spelling import spelt_out

_MOST_WORDS = 60
"""Words that are read: what a message is shows in its beginning."""
_PARTS = (3, 4)
"""Letters of the parts of words that are looked at, with a mark on either side of the word."""
_DRAWN_OUT = re.compile(r"([a-z])\1{2,}")
_EMOJI = re.compile("[\u2190-\U0001faff]")
_DIGIT = re.compile(r"\d")
_PET = "<pet>"
_WORDS_A_STEP, _STEPS = 3, 6


def text_features(text: str, called: Collection[str]) -> frozenset[str]:
    """The features of a message; `called` are the pet's names, folded."""
    plain = _DRAWN_OUT.sub(r"\1\1", spelt_out(text))
    words = [_PET if word in called else word for word in plain.split()][:_MOST_WORDS]
    return frozenset((*_of_words(words), *_of_parts(words), *_of_signs(text, len(words))))


def _of_words(words: list[str]) -> Iterator[str]:
    yield from (f"w {word}" for word in words)
    marked = ["^", *words, "$"]
    for size in (2, 3):
        for start in range(len(marked) - size + 1):
            yield " ".join(("s", *marked[start : start + size]))


def _of_parts(words: list[str]) -> Iterator[str]:
    for word in words:
        if word is not _PET:
            marked = f"<{word}>"
            for size in _PARTS:
                for start in range(len(marked) - size + 1):
                    yield marked[start : start + size]


def _of_signs(text: str, count: int) -> Iterator[str]:
    yield f"n {min(_STEPS, (count + _WORDS_A_STEP - 1) // _WORDS_A_STEP)}"
    if count == 1:
        yield "n one"
    yield from (f"! {sign}" for sign in "?!*" if sign in text)
    if text.rstrip().endswith("?"):
        yield "! ?$"
    if _DIGIT.search(text):
        yield "! 9"
    yield from (f"! {sign}" for sign in _EMOJI.findall(text))
