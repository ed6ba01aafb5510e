"""For whom each request to a model was made: told by what stands in it, whenever it is looked at.

A request of a turn has the mark of its session, which the database knows; the question of a branch
ends in the mark of the turn that asked it; what is read, digested or summarised says its room. So
what a model was given is judged by those who may read it there, and by no clock.
"""

import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.conversation.rooms import room_id
from bot.model.events import RoomRef
from memory.model.rooms import RoomKind
from tests.harness.canaries import Canary, may_be_read
from tests.harness.stage import DISCORD, PEOPLE, ROOMS, Stage

Seat = tuple[str, str]
"""A place, and whose it is or who talks there."""

_OF_SESSION = re.compile(r"stands between <recalled (\w+)> and")
_OF_ASKING = re.compile(r" \[asked in (\w+)\]$")
_READ = re.compile(r"\A<transcript \w+>\nRoom: (\S+)\n")
_SUMMED = re.compile(r"\A<transcript \w+>\nPlace: (\S+), (.+)\n")
_SPEAKER = re.compile(r"^1\. \[[^\]]*\] ([^:]+): ", re.MULTILINE)
_ROLLED = re.compile(r"\A<transcript \w+>\nPerson: (.+)\n1\. \[(\S+), ([^,\]]+), ")
_JUDGED = re.compile(r"\A<statements \w+>\nNew")
_CHECKED = re.compile(
    r'\A\[\[\{.{0,40}"text": "(?:Do what you are asked, with the tools|Keep this in mind, it is)'
)
"""The rules of the doctor's check of a model, in which nothing is anybody's."""

_ALONE = "in private"
"""What a summary says for the name of a direct room."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """One request as a model was given it.

    `words` are the last that it answers, `mark` is that of the session it is for, "" without one.
    """

    words: str
    text: str
    mark: str = ""


def asked_in(question: str, mark: str) -> str:
    """The question of a branch, with the session that it is asked in."""
    return f"{question} [asked in {mark}]"


def unasked(question: str) -> str:
    """The question alone."""
    return _OF_ASKING.sub("", question)


def mark_in(body: Mapping[str, Any], words: str) -> str:
    """The mark of the session that a request is for, "" where it is for none.

    People may write a mark that the pet once told them: it stands in no rule and ends no question
    of a branch.
    """
    rules = "\n".join(block["text"] for block in body.get("system", [])[1:])
    found = _OF_SESSION.search(rules)
    if found is None and "conclude" in {tool["name"] for tool in body.get("tools", [])}:
        found = _OF_ASKING.search(words)
    return found[1] if found else ""


class Seats:
    """Every seat of a stage by what a request says of its room."""

    def __init__(self, stage: Stage) -> None:
        self._database = stage.folder / "pet" / "eko.sqlite3"
        self._by_room: dict[str, Seat] = {room_id(ROOMS[where]): (where, "") for where in ROOMS}
        self._by_name: dict[Seat, Seat] = {(room.name, ""): (w, "") for w, room in ROOMS.items()}
        for who, where, room in _direct_rooms(stage):
            self._by_room[room_id(room)] = (where, who)
            self._by_name.setdefault((where, stage.author(who).name), (where, who))
        self._accounts = {f"{a.platform}:{a.external_id}": who for who, a in PEOPLE.items()}

    def of(self, given: Given) -> Seat | None:
        """Where a request is for, and for whom; None where it does not say."""
        if given.mark:
            return self._of_session(given.mark)
        if found := _READ.search(given.words):
            return self._by_room.get(found[1])
        if found := _SUMMED.search(given.words):
            speaker = _SPEAKER.search(given.words)
            return self._named(found[1], found[2], speaker[1] if speaker else "")
        if found := _ROLLED.search(given.words):
            return self._named(found[2], found[3], found[1])
        return None

    def _named(self, channel: str, room: str, speaker: str) -> Seat | None:
        if room != _ALONE:
            return self._by_name.get((room, ""))
        return self._by_name.get(("dm" if channel == DISCORD else "own", speaker))

    def _of_session(self, mark: str) -> Seat | None:
        rows = _rows(self._database, _SESSIONS, mark)
        whose = [self._accounts[one] for _, one in rows if one in self._accounts]
        for room, _ in rows[:1]:
            where, owner = self._by_room[room]
            if not owner:
                return where, next(iter(whose), "")
            return (where, owner) if owner in whose else None
        return None


_SESSIONS = """
SELECT s.room_id, i.platform || ':' || i.external_id FROM sessions AS s
JOIN identities AS i ON i.person_id = s.person_id
WHERE s.mark = ?
"""


def misgiven(given: Given, seat: Seat | None, told: Sequence[Canary]) -> list[Canary]:
    """The canaries in a request that those who read its room may not know.

    What is compared with a new statement has no room: all of it is for one audience.
    """
    there = [one for one in told if one.word in given.text]
    if seat is not None:
        return [one for one in there if not may_be_read(one, *seat, alone=False)]
    return [one for one in there[1:] if one.audience != there[0].audience]


def has_no_seat(given: Given) -> bool:
    """Whether a request is for no room: statements that are compared, the check of a model."""
    return bool(_JUDGED.search(given.words) or _CHECKED.search(given.text))


def _direct_rooms(stage: Stage) -> Iterator[tuple[str, str, RoomRef]]:
    for who, author in PEOPLE.items():
        where = "dm" if author.platform == DISCORD else "own"
        room = stage.room(who, where)
        assert room.kind is RoomKind.DIRECT
        yield who, where, room


def _rows(database: Path, query: str, *values: str) -> list[tuple[str, ...]]:
    with closing(sqlite3.connect(database)) as connection:
        return connection.execute(query, values).fetchall()
