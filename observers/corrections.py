"""Whether a fact was said as a correction, by it or by what its author said just before. Pure."""

from collections.abc import Sequence

from memory.decisions import is_correction
from memory.model import Message
from observers.ports import Fact

RUN_UP = 3
"""Lines before a fact in which its author may have said that it is a correction."""


def is_said_as_correction(fact: Fact, lines: Sequence[Message]) -> bool:
    """Whether words such as "en fait" stand in or right before the lines that a fact rests on."""
    places = [place for place, line in enumerate(lines) if line.id in fact.messages]
    authors = {lines[place].author for place in places}
    near = {before for place in places for before in range(max(0, place - RUN_UP), place + 1)}
    said = (lines[one].text for one in sorted(near) if lines[one].author in authors)
    return is_correction("\n".join(said))
