"""What an author said around a fact: "en fait" may stand in a message of its own. Pure."""

from collections.abc import Iterator, Sequence
from datetime import timedelta

from memory.language.parts.reading import own_words
from memory.model.messages import Message
from observers.ports import Fact

RUN_UP = 3
"""Lines of its author before a fact that may call it a correction, or say what of."""

BREATH = timedelta(minutes=5)
"""What was said longer before is not said in one go with it."""


def said_around(fact: Fact, lines: Sequence[Message]) -> str:
    """The words a fact rests on, with what its authors said right before them; no one else's."""
    near = {place for at in _places(fact, lines) for place in _run_up(at, lines)}
    return "\n".join(own_words(lines[place].text) for place in sorted(near))


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
