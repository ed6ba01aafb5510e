"""Tells what people say themselves from what the pet said, recalled or looked up. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from memory.language.detection import negated
from memory.language.text import stems
from memory.model.messages import MessageId
from memory.statements.extraction.sentences import sentences
from observers.ports import Fact

SHORTEST = 2
"""Stems that two texts do not share by chance; what is shorter is no echo."""

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
    """The facts that rest on an author's own words, in at least one of their messages.

    Not those that only the pet's words or its tools tell, and not those about others that repeat
    what the pet had just said or recalled. What people say of themselves is always their own word,
    and an answer to a question of the pet is no echo.
    """
    return [fact for fact in facts if any(_is_own(fact, around[one]) for one in fact.messages)]


def _is_own(fact: Fact, around: Around) -> bool:
    told, speaker = stems(fact.content), stems(fact.said_by)
    is_about_speaker = told[: len(speaker)] == speaker
    # The pet says "you" where the fact has a name.
    told = told[len(speaker) :] if is_about_speaker else told
    if len(told) < SHORTEST:
        return True
    said = set(stems(around.said))
    is_said = sum(stem in said for stem in told) / len(told) >= OWN
    if is_said and is_about_speaker:
        return True
    heard = around.before if is_said else (*around.before, *around.after)
    return not _stands_in(told, fact.content, heard)


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
