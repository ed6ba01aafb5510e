"""Recorded talk of strangers, dealt out to the people of the simulated year."""

import re
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from random import Random

from benchmarks.town import SPACES, Resident
from benchmarks.year_plan import Span, Utterance, lobby
from bot.model.events import Inbound, InboundKind
from bot.transfer.recordings import read_recording
from memory.model.rooms import SpaceId

STRETCH = (5, 60)
"""Lines of one conversation: it stays together, in one room, with its own people."""

PACE_S = (2.0, 40.0)
"""Seconds between two lines of it."""

_NICK = re.compile(r"[\w\[\]{}\\`^|-]+")


class NothingSaid(Exception):
    """A folder of recordings holds no message."""


Line = tuple[str, str]
"""A nick and what it said."""


def recorded(folder: Path) -> list[list[Line]]:
    """The messages of each recording of a folder, in order.

    Raises:
        NothingSaid: there is none.

    """
    room = lobby(SPACES[0])
    found = [
        [
            (item.author.name, item.text)
            for item in read_recording(path, None, room)
            if isinstance(item, Inbound) and item.kind is InboundKind.MESSAGE
        ]
        for path in sorted(folder.glob("*.txt"))
    ]
    if not any(found):
        raise NothingSaid(f"{folder} holds no recorded message (*.txt).")
    return [lines for lines in found if lines]


def dealt(
    recordings: Sequence[Sequence[Line]],
    people: Sequence[Resident],
    span: Span,
    count: int,
    seed: int,
) -> Iterator[Utterance]:
    """`count` messages of chatter: stretches of the recordings, whose nicks become residents.

    What is said again is said by others, in another room, on another day.
    """
    random = Random(seed)
    spaces = [space for space in SPACES if _members(space, people)]
    while count > 0:
        lines = random.choice(recordings)
        size = min(count, len(lines), random.randint(*STRETCH))
        first = random.randint(0, len(lines) - size)
        space = random.choice(spaces)
        yield from _stretch(lines[first : first + size], space, people, span, random)
        count -= size


def _members(space: SpaceId, people: Sequence[Resident]) -> list[Resident]:
    return [resident for resident in people if space in resident.spaces]


def _stretch(
    lines: Sequence[Line], space: SpaceId, people: Sequence[Resident], span: Span, random: Random
) -> Iterator[Utterance]:
    members = _members(space, people)
    # Of few people a few say most of what is said, as everywhere.
    cast = {
        nick: members[int(len(members) * random.random() ** 1.7)]
        for nick in sorted({nick for nick, _ in lines})
    }
    at = span.moment(random)
    for nick, text in lines:
        yield Utterance(at=at, resident=cast[nick], room=lobby(space), text=_renamed(text, cast))
        at = min(at + timedelta(seconds=random.uniform(*PACE_S)), span.end - timedelta(seconds=1))


def _renamed(text: str, cast: dict[str, Resident]) -> str:
    """The text with the residents' names where it names somebody of the conversation."""
    return _NICK.sub(lambda word: cast[word[0]].name if word[0] in cast else word[0], text)
