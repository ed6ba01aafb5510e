"""Whose words a fact rests on: its authors' own, and not what the pet said or looked up. Pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from memory.language.detection import negated
from memory.language.parts.reading import own_words
from memory.language.text import stems
from memory.model.audience import Origin
from memory.model.messages import Message, MessageId
from memory.model.people import PersonId
from memory.model.statements import MemoryId, NewMemory, Source
from memory.model.stores import Store
from memory.statements.extraction.sentences import sentences
from memory.statements.readings.decision import is_correction
from observers.ports import Fact

SHORTEST = 2
"""Stems that two texts do not share by chance; what is shorter is no echo."""

OWN = 0.5
"""The share of a fact's words that its speaker must have said when the pet said them all: the rest
are the names and dates that a self-contained statement adds."""

RUN_UP = 3
"""Lines of its author before a fact that may call it a correction, or say what of."""

BREATH = timedelta(minutes=5)
"""What was said longer before is not said in one go with it."""


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


def said_around(fact: Fact, lines: Sequence[Message]) -> str:
    """The words a fact rests on, with what its authors said right before them; no one else's.

    "En fait" may stand in a message of its own.
    """
    near = {place for at in _places(fact, lines) for place in _run_up(at, lines)}
    return "\n".join(own_words(lines[place].text) for place in sorted(near))


def statement_of(
    fact: Fact,
    lines: Sequence[Message],
    id_: MemoryId,
    *,
    origin: Origin,
    source: Source,
    author: PersonId | None,
    ttl: timedelta | None,
) -> NewMemory:
    """A fact as the statement that is kept of it; `lines` are those that it was found in."""
    beside = said_around(fact, lines)
    said_at = (line.sent_at for line in lines if line.id in fact.messages)
    return NewMemory(
        id=id_,
        store=Store.MEMORY,
        content=fact.content,
        origin=origin,
        source=source,
        memory_type=fact.memory_type,
        subjects=fact.subjects,
        importance=fact.importance,
        ttl=ttl,
        said_by=fact.said_by,
        author=author,
        said_at=max(said_at, default=None),
        messages=fact.messages,
        beside=beside,
        corrects=is_correction(beside),
        core=fact.core,
        ends=fact.ends,
        shown=fact.shown,
    )


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


def _places(fact: Fact, lines: Sequence[Message]) -> Iterator[int]:
    return (place for place, line in enumerate(lines) if line.id in fact.messages)


def _run_up(at: int, lines: Sequence[Message]) -> list[int]:
    """A line and the last few of its author before it, whatever others said between."""
    said = lines[at]
    own = [
        place
        for place in range(at + 1)
        if _by_one(lines[place], said) and said.sent_at - lines[place].sent_at <= BREATH
    ]
    return own[-RUN_UP - 1 :]


def _by_one(one: Message, other: Message) -> bool:
    """Whether one person wrote both; by their names where a person is not known."""
    if one.person is None or other.person is None:
        return one.author == other.author
    return one.person == other.person
