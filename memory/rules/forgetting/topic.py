"""A topic as its words: which texts speak of it, whatever form and order they have. Pure."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from memory.language.names import Named
from memory.language.text import stemmed, stems
from memory.language.word_lists import NEGATIONS
from memory.model.errors import EkoMemoryError

Alternative = frozenset[str]
"""Stems that together say one thing."""


@dataclass(frozen=True, slots=True)
class Topic:
    """Every one of `parts` must be said; a part is said by any of its alternatives."""

    parts: tuple[frozenset[Alternative], ...]

    @property
    def match(self) -> str:
        """The FTS5 query for the rows that speak of it."""
        return " AND ".join(f"({' OR '.join(sorted(map(_all, part)))})" for part in self.parts)

    def is_in(self, text: str) -> bool:
        """Whether a text speaks of it."""
        return self.is_among(stems(text))

    def is_among(self, said: Collection[str]) -> bool:
        """Whether these stems speak of it."""
        there = frozenset(said)
        return all(any(one <= there for one in part) for part in self.parts)


class TopicSaysNothing(EkoMemoryError):
    """A topic without a word that could be looked for."""


def topic_of(text: str, named: Sequence[Named] = ()) -> Topic:
    """The topic that a text names; whom it names goes by all their names.

    Raises:
        TopicSaysNothing: it holds no word with content.

    """
    in_names = {word for one in named for word in one.said.split()}
    plain = [
        frozenset({frozenset({stem})})
        for word, stem in stemmed(text)
        if word not in in_names and stem not in NEGATIONS
    ]
    parts = tuple(dict.fromkeys((*map(_names, named), *plain)))
    if not all(parts) or not parts:
        raise TopicSaysNothing("Say in a few words what is to be forgotten.")
    return Topic(parts)


def _names(named: Named) -> frozenset[Alternative]:
    spelt = (named.said, *named.others)
    return frozenset(found for name in spelt if (found := frozenset(stems(name))))


def _all(alternative: Alternative) -> str:
    quoted = [f'"{stem}"' for stem in sorted(alternative)]
    return f"({' AND '.join(quoted)})"
