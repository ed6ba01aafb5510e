"""Which words a question and a row have in common, as they are written. Pure."""

from collections.abc import Mapping

from memory.language import stemmed
from memory.translation import translations
from memory.word_lists import NEGATIONS


def shared_words(question: str, row: str) -> tuple[str, ...]:
    """The words of a question that a row says, in any form, each once, in the question's order.

    One that the row says in the other language is told with its translation: "pluie = rain".
    """
    said = stemmed(row)
    written = {stem: word for word, stem in reversed(said)}
    line = f" {' '.join(stem for _, stem in said)} "
    others = _in_the_other_language(question)
    found = {}
    for word, stem in stemmed(question):
        if stem in NEGATIONS or stem in found:
            continue
        if stem in written:
            found[stem] = word
        elif terms := [term for term in others.get(stem, ()) if f" {term} " in line]:
            found[stem] = f"{word} = {_written(terms[0], written)}"
    return tuple(found.values())


def _in_the_other_language(question: str) -> Mapping[str, list[str]]:
    """For each stem, what says it there; the stems of an expression share what says it."""
    others: dict[str, list[str]] = {}
    for said, terms in translations(question).items():
        for stem in said.split():
            others.setdefault(stem, []).extend(terms)
    return others


def _written(term: str, written: Mapping[str, str]) -> str:
    return " ".join(written[stem] for stem in term.split())
