"""What came before the window of a conversation, as a model is told it. Pure."""

from collections.abc import Iterator, Sequence
from datetime import datetime, tzinfo

from bot.model import Said
from memory.compaction import Checkpoint, SpanState, unheaded
from memory.injection import FENCE, without_fences

_NOT_IN_A_NAME = str.maketrans(dict.fromkeys("[]<>‹›\r\n", " "))
"""What sets headings apart, which no room's name may forge."""


def preface(earlier: Sequence[Checkpoint], session: str, zone: tzinfo) -> list[Said]:
    """Nobody's words with the summaries, each under where and when it was; nothing for none.

    The same checkpoints give the same bytes, whenever they are told: dates are absolute, so that
    the provider's cached prefix holds until the next checkpoint.
    """
    rows = [row for one in earlier for row in _told(one, session, zone)]
    if not rows:
        return []
    return [Said(text="", speaker="", injection="\n".join([FENCE[0], *rows, FENCE[1]]))]


def _told(one: Checkpoint, session: str, zone: tzinfo) -> Iterator[str]:
    if one.state is SpanState.UNSUMMARISED:
        if one.messages:
            yield f"[{one.messages} earlier messages of this conversation are not summarised]"
        return
    which = "this conversation" if one.session == session else "your last conversation here"
    yield f"[Summary of {which} - {_place(one)}, {_dates(one, zone)}]"
    yield without_fences(" ".join(unheaded(one.content).split()))


def _place(one: Checkpoint) -> str:
    room = one.room_name.translate(_NOT_IN_A_NAME).strip()
    return f"{one.channel}, {room}" if room else f"{one.channel}, in private"


def _dates(one: Checkpoint, zone: tzinfo) -> str:
    first, last = _stamp(one.since, zone), _stamp(one.at, zone)
    day, _, time = last.partition(" ")
    return f"{first} to {time if first.startswith(day) else last}"


def _stamp(moment: datetime, zone: tzinfo) -> str:
    return f"{moment.astimezone(zone):%Y-%m-%d %H:%M}"
