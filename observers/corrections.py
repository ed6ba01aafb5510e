"""What somebody said around a fact: "en fait" may stand in a message of its own. Pure."""

from collections.abc import Sequence

from memory.model import Message
from observers.ports import Fact

RUN_UP = 3
"""Lines before a fact in which its author may have said that it is a correction."""


def said_around(fact: Fact, lines: Sequence[Message]) -> str:
    """The words a fact rests on, with what its authors said right before them."""
    places = [place for place, line in enumerate(lines) if line.id in fact.messages]
    authors = {lines[place].author for place in places}
    near = {before for place in places for before in range(max(0, place - RUN_UP), place + 1)}
    return "\n".join(lines[one].text for one in sorted(near) if lines[one].author in authors)
