"""Tells what people say themselves from what the pet said, recalled or looked up. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from memory.language import negated, stems
from memory.model import MessageId
from memory.statements.sentences import sentences
from observers.ports import Fact

SHORTEST = 2
"""Stems that two texts do not share by chance; what is shorter is nobody's echo."""

OWN = 0.5
"""The share of a fact's words that its speaker must have said when the pet said them all: the rest
are the names and dates that a self-contained statement adds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """A message with what the pet had put before it, and what the pet said or was told after it."""

    said: str
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


def own_facts(facts: Iterable[Fact], around: Mapping[MessageId, Around]) -> list[Fact]:
    """The facts that rest on somebody's own words, in at least one of their messages.

    Not those that repeat what the pet said or recalled before, and not those that only its answer
    or its tools tell. An answer to a question of the pet is nobody's echo.
    """
    return [fact for fact in facts if any(_is_own(fact, around[one]) for one in fact.messages)]


def _is_own(fact: Fact, around: Around) -> bool:
    told = _without_speaker(fact)
    if len(told) < SHORTEST:
        return True
    if _stands_in(told, fact.content, around.before):
        return False
    said = set(stems(around.said))
    share = sum(stem in said for stem in told) / len(told)
    return share >= OWN or not _stands_in(told, fact.content, around.after)


def _without_speaker(fact: Fact) -> list[str]:
    """What the fact says of its speaker: the pet says "you" where it has a name."""
    told, speaker = stems(fact.content), stems(fact.said_by)
    return told[len(speaker) :] if told[: len(speaker)] == speaker else told


def _stands_in(told: Sequence[str], content: str, texts: Iterable[str]) -> bool:
    denies = negated(content)
    lines = (part for text in texts for line in text.splitlines() for part in sentences(line))
    return any(
        _holds(stems(line), told) and negated(line) == denies
        for line in lines
        if not line.endswith("?")
    )


def _holds(line: Sequence[str], told: Sequence[str]) -> bool:
    """Whether the stems follow each other in the line, in their order."""
    places = range(len(line) - len(told) + 1)
    return any(list(line[place : place + len(told)]) == list(told) for place in places)
