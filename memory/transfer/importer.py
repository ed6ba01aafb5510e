"""Takes in an export: line by line, checked before anything is written, and twice is once.

What a line refers to has to stand before it, so a file can speak only of whom it names. People and
rooms are those of this database when an account or an address says so; a file changes nothing of
who they are and adds no account to anybody who is here already, since that would let its owner
read what they may read.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from memory.model.audience import Audience, audience_of
from memory.model.errors import EkoMemoryError
from memory.model.export import (
    READABLE,
    VERSION,
    End,
    Entry,
    Header,
    KnowledgeEntry,
    MemoryEntry,
    MessageEntry,
    NotAnEntry,
    PersonEntry,
    QuietTopicEntry,
    ReminderEntry,
    RoomEntry,
    Row,
    TurnEntry,
    origin_of_entry,
    read_entry,
)
from memory.model.people import PersonId
from memory.model.rooms import RoomId, SpaceId
from memory.rules.forgetting.tombstones import ForgottenTexts, IncomingText
from memory.transfer.references import EntryRefused, NamedSoFar, Naming

AT_ONCE = 100
"""Entries in one transaction: some 20 ms, so that no message waits for long."""

_BREATH = 25
"""Lines read between two moments for whatever else waits: a few milliseconds."""

Line = tuple[int, bytes]
"""The number of a line, from 1, and what stands there, cut off past the longest a line may be."""


class ImportRefused(EkoMemoryError):
    """A file is no export that this version reads."""


class ImportRows(Protocol):
    """Where the entries go."""

    async def person_with(self, entry: PersonEntry) -> PersonId | None:
        """The person who has one of these accounts here."""
        ...

    async def knows_person(self, person: str) -> bool:
        """Whether a person has this id here."""
        ...

    async def room_at(self, entry: RoomEntry) -> tuple[RoomId, SpaceId] | None:
        """The room with this address here, and the space that it is of."""
        ...

    async def knows_room(self, room: str) -> bool:
        """Whether a room has this id here."""
        ...

    async def meet_again(self, entry: RoomEntry, here: RoomId) -> None:
        """Keep a room as closed as either folder has it, and what it is called."""
        ...

    async def unobserve(self, person: PersonId) -> None:
        """Read along with a person no more, who opted out elsewhere."""
        ...

    async def known(self, rows: Sequence[Row]) -> list[bool]:
        """Which of these rows, all of one kind, are here already, or are before in the list."""
        ...

    async def add(self, rows: Sequence[Row]) -> None:
        """Write new rows, all of one kind, in one transaction."""
        ...


@dataclass(frozen=True, slots=True)
class Refusal:
    """A line that was left out, and why; it never quotes what people wrote."""

    line: int
    reason: str


@dataclass(slots=True, kw_only=True)
class Imported:
    """What a file came to so far: entries by kind, and the lines that were left out."""

    new: Counter[str] = field(default_factory=Counter)
    known: Counter[str] = field(default_factory=Counter)
    forgotten: int = 0
    refused: list[Refusal] = field(default_factory=list)


_Numbered = tuple[int, Row]


class Importer:
    """Takes in one file; `dry_run` looks and counts as if, and writes nothing.

    A reminder that was due before `now` is left out: it is for then.
    """

    def __init__(
        self,
        rows: ImportRows,
        forgotten: ForgottenTexts,
        *,
        now: datetime,
        naming: Naming = str.strip,
        dry_run: bool = False,
    ) -> None:
        self._rows = rows
        self._forgotten = forgotten
        self._dry_run = dry_run
        self.done = Imported()
        self._named = NamedSoFar(naming, now)
        self._later: list[_Numbered] = []
        self.header: Header | None = None
        """What the file says it holds, once it was begun."""

    async def run(self, lines: Iterable[Line]) -> AsyncIterator[int]:
        """Take in the lines; yields the number of the line that was reached, now and then.

        Raises:
            ImportRefused: the file is no export, another version's, or cut off.
            StorageFailed: what was taken in until then is kept; import the file again.

        """
        entries = self._entries(lines)
        self.header = _checked_header(next(entries, None))
        self._named.space = self.header.space
        batch: list[_Numbered] = []
        ended = False
        for number, entry in entries:
            if isinstance(entry, End):
                ended = True
                self._check_end(number, entry)
                break
            if isinstance(entry, Header):
                self.done.refused.append(Refusal(number, "entry: a second beginning"))
                continue
            if batch and (entry.entry != batch[0][1].entry or len(batch) == AT_ONCE):
                await self._take(batch)
                yield batch[-1][0]
                batch = []
            batch.append((number, entry))
            if not number % _BREATH:
                await asyncio.sleep(0)
        await self._take(batch)
        await self._take_later()
        if not ended:
            raise ImportRefused(
                "The file was cut off: its last line is missing. What was read is kept; import a "
                "whole file to have the rest."
            )

    def _check_end(self, number: int, end: End) -> None:
        there = number - 2  # without the first line and this one
        if end.entries != there:
            reason = f"entries: {end.entries} were written and {there} are here"
            self.done.refused.append(Refusal(number, reason))

    def _entries(self, lines: Iterable[Line]) -> Iterator[tuple[int, Entry]]:
        for number, line in lines:
            try:
                yield number, read_entry(line)
            except NotAnEntry as error:
                if number == 1:
                    raise ImportRefused("The file does not begin as an export of Eko.") from error
                self.done.refused.append(Refusal(number, str(error)))

    async def _take(self, batch: Sequence[_Numbered]) -> None:
        if not batch:
            return
        if isinstance(batch[0][1], MemoryEntry):
            self._later += [one for one in batch if _is_history(one[1])]
            batch = [one for one in batch if not _is_history(one[1])]
        elif self._later:
            await self._take_later()
        await self._take_now(batch)

    async def _take_now(self, batch: Sequence[_Numbered]) -> None:
        placed = [each for each in [await self._placed(*one) for one in batch] if each]
        if placed and not isinstance(placed[0][1], PersonEntry | RoomEntry):
            placed = await self._unknown(placed)
        self.done.new.update(row.entry for _, row in placed)
        if placed and not self._dry_run:
            await self._rows.add([row for _, row in placed])

    async def _unknown(self, placed: Sequence[_Numbered]) -> list[_Numbered]:
        """Those that are neither here already nor forgotten, each once."""
        new: list[_Numbered] = []
        rows = [row for _, row in placed]
        known, forgotten = await self._rows.known(rows), await self._forgotten_among(rows)
        for (number, row), is_known, is_forgotten in zip(placed, known, forgotten, strict=True):
            if is_known:
                self.done.known[row.entry] += 1
            elif is_forgotten:
                self.done.forgotten += 1
                self._named.lose(row)
            else:
                new.append((number, row))
        return new

    async def _forgotten_among(self, rows: Sequence[Row]) -> list[bool]:
        """Which rows hold a text that was forgotten since it was said."""
        texts = [(place, said) for place, row in enumerate(rows) for said in _said(row)]
        refused = await self._forgotten.refuses([said for _, said in texts])
        places = {
            place for (place, _), is_refused in zip(texts, refused, strict=True) if is_refused
        }
        return [place in places for place in range(len(rows))]

    async def _placed(self, number: int, row: Row) -> _Numbered | None:
        """The entry with the ids of this database; None when it is known, put off, or refused."""
        row = self._named.past(row)
        try:
            match row:
                case PersonEntry():
                    person = await self._met(row)
                    return None if person is None else (number, person)
                case RoomEntry():
                    room = await self._found(row)
                    return None if room is None else (number, room)
                case _:
                    return number, self._named.here(row)
        except EntryRefused as refused:
            self.done.refused.append(Refusal(number, str(refused)))
            return None

    async def _take_later(self) -> None:
        """Take in the statements whose place others took, once those are there."""
        while ready := [one for one in self._later if self._named.has_taken_over(one[1])]:
            self._later = [one for one in self._later if one not in ready]
            for start in range(0, len(ready), AT_ONCE):
                await self._take_now(ready[start : start + AT_ONCE])
        reason = "superseded_by: what took its place is not in the file, or was refused"
        self.done.refused += [Refusal(number, reason) for number, _ in self._later]
        self._later = []

    async def _met(self, row: PersonEntry) -> PersonEntry | None:
        """The person as new; None when they are here already."""
        if row.id in self._named.people:
            raise EntryRefused("id: the file names this person twice")
        here = await self._rows.person_with(row)
        if here is None and await self._rows.knows_person(row.id):
            if row.accounts:
                raise EntryRefused("id: somebody else has this id here")
            here = PersonId(row.id)
        self._named.meet(row, here or PersonId(row.id))
        if here is None:
            return self._named.called(row)
        if self._moves and not row.observed and not self._dry_run:
            await self._rows.unobserve(here)
        self.done.known[row.entry] += 1
        return None

    @property
    def _moves(self) -> bool:
        """Whether the file is a space that moves: then opt-outs of both sides hold."""
        return self.header is not None and self.header.space is not None

    async def _found(self, row: RoomEntry) -> RoomEntry | None:
        """The room as new; None when it is here already."""
        if row.id in self._named.rooms:
            raise EntryRefused("id: the file names this room twice")
        here = await self._rows.room_at(row)
        if here is None and await self._rows.knows_room(row.id):
            raise EntryRefused("id: another room has this id here")
        room, space = here or (None, row.space)
        self._named.find(row, room, space)
        if room is None:
            return row
        if self._moves and not self._dry_run:
            await self._rows.meet_again(row, room)
        self.done.known[row.entry] += 1
        return None


def _is_history(row: Row) -> bool:
    return isinstance(row, MemoryEntry) and row.superseded_by is not None


def _said(row: Row) -> Iterator[IncomingText]:
    """What was said in an entry."""
    match row:
        case MessageEntry():
            yield IncomingText(text=row.text, at=row.sent_at, audience=Audience(row.audience))
        case TurnEntry():
            for text in (row.text, row.reply):
                yield IncomingText(text=text, at=row.at, audience=Audience(row.audience))
        case MemoryEntry():
            audience = audience_of(origin_of_entry(row))
            yield IncomingText(text=row.content, at=row.valid_from, audience=audience)
        case KnowledgeEntry():
            audience = audience_of(origin_of_entry(row))
            yield IncomingText(text=row.content, at=row.at, audience=audience)
        case ReminderEntry():
            yield IncomingText(text=row.text, at=row.created_at, audience=Audience(row.audience))
        case QuietTopicEntry():
            yield IncomingText(text=row.topic, at=row.created_at, audience=Audience(row.audience))


def _checked_header(first: tuple[int, Entry] | None) -> Header:
    if first is None or not isinstance(first[1], Header):
        raise ImportRefused("The file does not begin as an export of Eko.")
    if first[1].version not in READABLE:
        raise ImportRefused(
            f"The file is of version {first[1].version} of the format, and this Eko reads "
            f"version {VERSION}."
        )
    return first[1]
