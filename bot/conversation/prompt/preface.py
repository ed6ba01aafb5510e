"""What stands before the first words of a conversation: where it is, who the pet is. Pure.

The same values give the same bytes, whenever they are told: dates are absolute, so that the
provider's cached prefix holds until one of them changes.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, tzinfo

from bot.conversation.prompt.context import Context
from bot.model.requests import UserMessage
from memory.language.excerpts import shortened
from memory.model.conversations import SessionBackground, Turn
from memory.model.recalled import HEADINGS, fence_of
from memory.model.retrieval import Section
from memory.model.rooms import HOME, Room, RoomKind
from memory.retrieval.rendering import LONGEST, without_fences
from memory.rules.compaction import Checkpoint, SpanState, unheaded

LEFT_ALONE = "[Left alone - never bring these up, unless the person does now]"

_NOT_IN_A_NAME = str.maketrans(dict.fromkeys("[]<>‹›\r\n", " "))
"""What sets headings apart, which no room's name may forge."""


def preface(thread: Context, room: Room, zone: tzinfo) -> UserMessage:
    """A message of no author: the place, the statements of the session, and the summaries.

    Each summary stands under where and when it was.
    """
    rows = [
        f"[Here - {place(room)}]",
        *_background(thread.background),
        *_last_talk(thread.last_talk, zone),
        *(row for one in thread.earlier for row in _told(one, thread.session.id, zone)),
    ]
    opening, closing = fence_of(thread.session.mark)
    return UserMessage(text="", speaker="", injection="\n".join([opening, *rows, closing]))


def place(room: Room) -> str:
    """Where a room is, and who reads what is said in it."""
    if room.kind is RoomKind.DIRECT:
        return f"{room.platform}, in private: nobody else reads what is said"
    community = _name(room.community) or ("" if room.space == HOME else _name(room.space))
    parts = [room.platform, *([f"community {community}"] if community else [])]
    who = "only some of the community read" if room.confidential else "several people read"
    if room.public:
        who = "strangers, too, read"
    return f"{', '.join(parts)}, room {_name(room.name)}: {who} what is said"


def _background(background: SessionBackground) -> Iterator[str]:
    for heading, lines in (
        (HEADINGS[Section.SELF], background.self_lines),
        (HEADINGS[Section.GOALS], background.goals),
        (LEFT_ALONE, background.told_quiet),
    ):
        if lines:
            yield heading
            yield from _bullets(lines)


def _bullets(lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        yield f"• {_one_line(line)}"


def _one_line(words: str) -> str:
    return shortened(without_fences(" ".join(words.split())), LONGEST)


def _last_talk(turns: Sequence[Turn], zone: tzinfo) -> Iterator[str]:
    """How the conversation before ended, in the words it had."""
    said = [
        f"• {who}: {_one_line(words)}"
        for turn in turns
        for who, words in ((_name(turn.speaker), turn.text), ("you", turn.reply))
        if words
    ]
    if said:
        yield f"[Your last talk here - {_stamp(turns[0].at, zone)} to {_stamp(turns[-1].at, zone)}]"
        yield from said


def _told(one: Checkpoint, session: str, zone: tzinfo) -> Iterator[str]:
    if one.state is SpanState.UNSUMMARISED:
        if one.messages:
            yield f"[{one.messages} earlier messages of this conversation are not summarised]"
        return
    which = "this conversation" if one.session == session else "your last conversation here"
    yield f"[Summary of {which} - {_place(one)}, {_dates(one, zone)}]"
    yield without_fences(" ".join(unheaded(one.content).split()))


def _place(one: Checkpoint) -> str:
    room = _name(one.room_name)
    return f"{one.channel}, {room}" if room else f"{one.channel}, in private"


def _name(name: str) -> str:
    return " ".join(name.translate(_NOT_IN_A_NAME).split())


def _dates(one: Checkpoint, zone: tzinfo) -> str:
    first, last = _stamp(one.since, zone), _stamp(one.at, zone)
    day, _, time = last.partition(" ")
    return f"{first} to {time if first.startswith(day) else last}"


def _stamp(moment: datetime, zone: tzinfo) -> str:
    return f"{moment.astimezone(zone):%Y-%m-%d %H:%M}"
