"""Which words a question and a row have in common, as they are written. Pure."""

from collections.abc import Mapping

from memory.language import stemmed
from memory.near_words import near
from memory.word_lists import NEGATIONS


def shared_words(question: str, row: str) -> tuple[str, ...]:
    """The words of a question that a row says, in any form, each once, in the question's order.

    One that the row says otherwise, in the other language or by a word near in meaning, is told
    with the word that is there: "pluie ~ rain".
    """
    said = stemmed(row)
    written = {stem: word for word, stem in reversed(said)}
    line = f" {' '.join(stem for _, stem in said)} "
    others = _said_otherwise(question)
    found = {}
    for word, stem in stemmed(question):
        if stem in NEGATIONS or stem in found:
            continue
        if stem in written:
            found[stem] = word
        elif terms := [term for term in others.get(stem, ()) if f" {term} " in line]:
            found[stem] = f"{word} ~ {_written(terms[0], written)}"
    return tuple(found.values())


def _said_otherwise(question: str) -> Mapping[str, list[str]]:
    """For each stem the terms near it; the stems of an expression share what is near it."""
    others: dict[str, list[str]] = {}
    for said, terms in near(question).items():
        for stem in said.split():
            others.setdefault(stem, []).extend(term for term, _ in terms)
    return others


def _written(term: str, written: Mapping[str, str]) -> str:
    return " ".join(written[stem] for stem in term.split())
