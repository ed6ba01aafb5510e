"""Expressions that read one sentence, and texts cut to what rules read; pure.

An expression with two repeats takes the square of a text's length where it fails: nothing for a
sentence, seconds for a message of 20,000 characters, and Python runs nothing else meanwhile. So the
rules of grammar are no bare expressions, and find nothing in what is longer than a sentence.
"""

import re
from collections.abc import Callable, Iterator

LONGEST_SENTENCE = 400
"""Characters of a sentence that rules of grammar read: a longer one tells a story."""

LONGEST_READ = 4_000
"""Characters of a message that rules read, 40 ms at worst: what goes on past it is a paste."""


class SentencePattern:
    """An expression that finds nothing in what is longer than a sentence.

    It is compiled when it is first used, or by `compile_sentences`: all of them take a tenth of a
    start.
    """

    __slots__ = ("_flags", "_pattern", "_source")

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self._source, self._flags = pattern, flags
        self._pattern: re.Pattern[str] | None = None
        _SENTENCES.append(self)

    def compile(self) -> re.Pattern[str]:
        """The expression itself."""
        if self._pattern is None:
            self._pattern = re.compile(self._source, self._flags)
        return self._pattern

    def match(self, text: str) -> re.Match[str] | None:
        """What stands at the start."""
        return self.compile().match(text) if len(text) <= LONGEST_SENTENCE else None

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """The whole text, if it is one."""
        return self.compile().fullmatch(text) if len(text) <= LONGEST_SENTENCE else None

    def search(self, text: str) -> re.Match[str] | None:
        """The first place."""
        return self.compile().search(text) if len(text) <= LONGEST_SENTENCE else None

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Every place, in order."""
        return self.compile().finditer(text) if len(text) <= LONGEST_SENTENCE else iter(())

    def findall(self, text: str) -> list[str]:
        """What stands in every place, in order."""
        return self.compile().findall(text) if len(text) <= LONGEST_SENTENCE else []

    def sub(self, by: str | Callable[[re.Match[str]], str], text: str, count: int = 0) -> str:
        """The text with every place replaced."""
        return self.compile().sub(by, text, count) if len(text) <= LONGEST_SENTENCE else text

    def split(self, text: str) -> list[str]:
        """What stands between the places."""
        return self.compile().split(text) if len(text) <= LONGEST_SENTENCE else [text]


_SENTENCES: list[SentencePattern] = []
"""All of them: they are made when modules are imported."""


def compile_sentences() -> None:
    """Compile what is not compiled yet, so that no message waits for it."""
    for pattern in _SENTENCES:
        pattern.compile()


def read_part(text: str, longest: int = LONGEST_READ) -> str:
    """The beginning of a text that rules read: all of it, or up to the last word that fits."""
    if len(text) <= longest:
        return text
    cut = max(text.rfind(blank, 0, longest + 1) for blank in " \n\t")
    return text[:cut] if cut > longest // 2 else text[:longest]
