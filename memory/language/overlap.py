"""Which words a question and a row have in common, as they are written. Pure."""

from collections.abc import Mapping, Sequence

from memory.language.synonyms import near
from memory.language.text import stemmed
from memory.language.word_lists import NEGATIONS


class AskedWords:
    """The words of a question, read once and looked for in many rows."""

    def __init__(self, question: str) -> None:
        self._asked = [one for one in stemmed(question) if one[1] not in NEGATIONS]
        self._others = _said_otherwise(question)

    def shared_with(self, row: str) -> tuple[str, ...]:
        """Those that a row says, in any form, each once, in the question's order.

        One that the row says otherwise, in the other language or by a word near in meaning, is
        told with the word that is there: "pluie ~ rain".
        """
        said = stemmed(row)
        written = {stem: word for word, stem in reversed(said)}
        line = f" {' '.join(stem for _, stem in said)} "
        found: dict[str, str] = {}
        for word, stem in self._asked:
            if stem in written:
                found.setdefault(stem, word)
            elif term := next((one for one in self._near(stem) if f" {one} " in line), ""):
                found.setdefault(stem, f"{word} ~ {_written(term, written)}")
        return tuple(found.values())

    def _near(self, stem: str) -> Sequence[str]:
        return self._others.get(stem, ())


def _said_otherwise(question: str) -> Mapping[str, list[str]]:
    """For each stem the terms near it; the stems of an expression share what is near it."""
    others: dict[str, list[str]] = {}
    for said, terms in near(question).items():
        for stem in said.split():
            others.setdefault(stem, []).extend(term for term, _ in terms)
    return others


def _written(term: str, written: Mapping[str, str]) -> str:
    return " ".join(written[stem] for stem in term.split())
