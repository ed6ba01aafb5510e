"""What stands before a person's words: when they were said, and what their room said before. Pure.

The same excerpt always gives the same bytes, so that the provider's cached prefix
holds until a line of it changes.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, tzinfo

from memory.language.dates_in_words import day, stamp
from memory.language.excerpts import shortened
from memory.language.parts.telling import on_one_line
from memory.model.namesakes import Author, AuthorName, author_names
from memory.model.people import PSEUDONYM
from memory.model.recalled import fence_of
from memory.model.room_excerpts import RoomExcerpt, RoomLine
from memory.retrieval.rendering import without_fences
from memory.rules.room_excerpts import LONGEST_LINE

STARTER = "[Thread - the message it hangs on]"
ROOM = "[Room - what was said here before, the latest last]"


def surroundings(
    excerpt: RoomExcerpt, speaker: Author, mark: str, zone: tzinfo, before: str = ""
) -> str:
    """The moment and the lines of a room, fenced as data with the mark of the session.

    The `speaker` has no name when the platform itself speaks. `before` is what they were called the
    last time they spoke.
    """
    names = author_names(map(_author, excerpt.lines), speaker if speaker[1] else None)
    opening, closing = fence_of(mark)
    present = _present(excerpt, speaker, names, before)
    now = f"[Now - {moment(excerpt.at, zone)}; {present}]"
    return "\n".join([opening, now, *_told(excerpt, names, zone), closing])


def moment(at: datetime, zone: tzinfo) -> str:
    """The weekday, the date, the time and the zone: "Saturday, January 17, 2026, 13:00 (UTC)"."""
    return f"{day(at, zone, 'en')}, {at.astimezone(zone):%H:%M} ({zone})"


def _present(
    excerpt: RoomExcerpt, speaker: Author, names: Mapping[Author, str], before: str
) -> str:
    person, name = speaker
    is_renamed = before not in ("", PSEUDONYM, name)
    until_now = f" (until now called {_name(before)})" if is_renamed else ""
    speaks = f"{_name(name)}{until_now} speaks" if name else "the platform itself speaks"
    spoke = {
        _name(names[_author(line)]): None
        for line in excerpt.lines
        if line.person not in (None, person)
    }
    return f"{speaks}, lately also {', '.join(spoke)}" if spoke else speaks


def _told(excerpt: RoomExcerpt, names: Mapping[Author, str], zone: tzinfo) -> Iterator[str]:
    for heading, lines in ((STARTER, _starters(excerpt)), (ROOM, _others(excerpt))):
        if lines:
            yield heading
            for line in lines:
                yield _line(line, names, excerpt.at, zone)


def _starters(excerpt: RoomExcerpt) -> Sequence[RoomLine]:
    return [line for line in excerpt.lines if line.is_starter]


def _others(excerpt: RoomExcerpt) -> Sequence[RoomLine]:
    return [line for line in excerpt.lines if not line.is_starter]


def _line(line: RoomLine, names: Mapping[Author, str], at: datetime, zone: tzinfo) -> str:
    local, now = line.sent_at.astimezone(zone), at.astimezone(zone)
    said_at = f"{local:%H:%M}" if local.date() == now.date() else stamp(line.sent_at, at, zone)
    said = shortened(without_fences(on_one_line(line.text)), LONGEST_LINE)
    then = line.author if line.author_now else ""
    author = AuthorName(_name(names[_author(line)]), _name(then))
    return f"• {author} ({said_at}): {said}"


def _author(line: RoomLine) -> Author:
    return (line.person, line.author_now or line.author)


def _name(name: str) -> str:
    """A name that people chose, as harmless as what they said."""
    return without_fences(" ".join(name.split()))
