"""Whether a message goes on with what was said before it, and what it is looked up with then."""

import re
from collections.abc import Sequence
from functools import cache

from memory.language.detection import nothing_to_look_up
from memory.language.text import fold, stems, words
from memory.language.word_lists import LIGHT_WORDS, NEGATIONS, word_set

TURNS = 2
"""Turns before it that a message may go on with."""

_SHORT = 10
"""Words: a longer message says itself what it is about."""

_OPENS = re.compile(
    r"(?:(?:ok|okay|oh|ah|hm+|well|so|bon|ben|bah|dis) )*"
    r"(?:and|what about|how about|same (?:for|with)|also|or|then|but|et|ou alors|ou bien|mais"
    r"|pareil (?:pour|avec)|idem pour|meme chose (?:pour|avec)|aussi|alors)\b"
)

_REFERS = word_set(
    """
    it its that this those these they them their he him his she her hers there then one ones other
    others another else same next ca cela celui celle ceux celles lui elle eux leur la autre autres
    meme memes suite suivant suivante y en
    """
)
"""Words that stand for something said before."""

_APPROVES = word_set("look looks looking sound sounds seem seems semble parait air")
"""Words of who approves of something: they say nothing of what it is."""

_WORDS = re.compile(r"[^\W_]+")


def goes_on(text: str) -> bool:
    """Whether a message has its matter from what was said before: "and her sister?", "which one?".

    It is short, and opens as what is added does, or refers to something and names one at most.
    """
    said = _WORDS.findall(fold(text))
    if not 0 < len(said) <= _SHORT:
        return False
    if _OPENS.match(" ".join(said)):
        return True
    return len(_matters(text)) <= 1 and not _REFERS.isdisjoint(words(text))


def looked_up_with(text: str, before: Sequence[str]) -> str:
    """What was said before that a message is looked up with; "" where it says itself what it means.

    `before` are the person's words in earlier turns of the talk, in order.
    """
    return "\n".join(before[-TURNS:]) if goes_on(text) and not nothing_to_look_up(text) else ""


def _matters(text: str) -> list[str]:
    light = _without_matter()
    return [stem for stem in stems(text) if stem not in light]


@cache
def _without_matter() -> frozenset[str]:
    return frozenset(stems(" ".join(LIGHT_WORDS | NEGATIONS | _REFERS | _APPROVES)))
