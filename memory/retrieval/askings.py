"""Rows that are found by what they ask: a question says the words of another one. Pure.

A question that is asked again and again, whatever was replied to it, would else fill every list
before the one line that answers it.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from memory.language.text import stems
from memory.model.retrieval import Candidate, Section
from memory.retrieval.query import Query

LESS = 0.7
"""What is left of the worth of a row that is found by its question: what says nearly as much and
is a statement stands before it, also where the words that only ask ("comment") are its own. On
LoCoMo .6 to .8 are one and the same."""

SAME = 0.6
"""The part of the stems of two questions that both have when one is the other again: "what is it
called?" and "do you know what it is called?"."""

BRIEF = 80
"""Characters of a question that only asks. "I have five interviews now, how do I ...?" tells too:
with all questions behind, recall@10 of talk with an assistant was .08 lower."""

_ENDS_SENTENCE = re.compile(r"[.!…](?=\s)")

Questions = Mapping[int, frozenset[str]]
"""By the place of a row that is found by its question, the stems of that."""


def found_by_question(
    rows: Sequence[Candidate], spoken: Sequence[Sequence[str]], asked: Query
) -> Questions:
    """The rows that say words of the question by asking them; `spoken` are the stems of each row.

    An exchange is one unless its reply says a word of the question that it did not ask.
    """
    if asked.periods or asked.open is not None:
        return {}  # it may be asked when something was asked, or how often
    return {
        place: said
        for place, row in enumerate(rows)
        if (said := _asked_in(row, spoken[place])) and not _answers(spoken[place], said, asked)
    }


def asked_again(order: Iterable[int], rows: Sequence[Candidate], questions: Questions) -> set[int]:
    """The places of questions that their author asks in a better row too, by this order."""
    standing: dict[tuple[Section, str | None], list[frozenset[str]]] = {}
    again = set()
    for place in order:
        if place not in questions:
            continue
        said, row = questions[place], rows[place]
        before = standing.setdefault((row.section, row.author_id or row.author), [])
        if any(_alike(said, other) >= SAME for other in before):
            again.add(place)
        else:
            before.append(said)
    return again


def only_asks(text: str) -> bool:
    """Whether a text is a question and nothing beside it: a long one tells what it is about."""
    told = text.strip()
    is_brief = len(told) <= BRIEF
    return is_brief and told.endswith("?") and _ENDS_SENTENCE.search(told) is None


def _asked_in(row: Candidate, spoken: Sequence[str]) -> frozenset[str]:
    """The stems of a row's question; none where it is none, or says anything beside."""
    match row.section:
        case Section.LIVE if only_asks(row.content):
            return frozenset(spoken)
        case Section.HISTORY if only_asks(row.question):
            return frozenset(stems(row.question))
        case _:
            return frozenset()


def _answers(spoken: Sequence[str], said: frozenset[str], asked: Query) -> bool:
    return not asked.stems.intersection(spoken) <= said


def _alike(said: frozenset[str], other: frozenset[str]) -> float:
    return len(said & other) / len(said | other)
