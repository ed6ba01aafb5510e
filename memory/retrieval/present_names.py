"""Rows under the names that people have now, whatever they were called when they spoke. Pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from memory.language.names import names_in
from memory.model.namesakes import NamesOfPeople, former_names, name_now
from memory.model.people import PersonId
from memory.model.retrieval import Candidate

Renamed = tuple[tuple[str, str], ...]
"""Names that people no longer go by, each with the name they have now."""


def renamed_in(text: str, former: Mapping[str, str], but: str = "") -> Renamed:
    """The former names in a text but for one, each with the name of now."""
    return tuple((name, former[name]) for name in sorted(names_in(text, former)) if name != but)


def people_of(rows: Iterable[Candidate]) -> Iterator[PersonId | None]:
    """Who wrote these rows, was answered in them, or is spoken of."""
    for row in rows:
        yield from (row.author_id, row.teller, row.about)
        yield from (one.author_id for one in row.against)


def under_present_names(rows: Sequence[Candidate], names: NamesOfPeople) -> list[Candidate]:
    """The rows with what their authors are called now, and which names in them are former ones."""
    former = former_names(names)
    return [_present(row, names, former) for row in rows]


def _present(row: Candidate, names: NamesOfPeople, former: Mapping[str, str]) -> Candidate:
    called = name_now((row.author_id or row.teller, row.author or ""), names)
    renamed = renamed_in(row.content, former, but=called.then)
    against = tuple(_present(one, names, former) for one in row.against)
    if not (called.then or renamed or against):
        return row
    author_now = called.name if called.then else ""
    return replace(row, author_now=author_now, renamed=renamed, against=against)
