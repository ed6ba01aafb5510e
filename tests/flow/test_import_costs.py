"""What it costs to know lines of a file again that were said in one moment with many others."""

from dataclasses import replace
from pathlib import Path

from memory.clock import FrozenClock
from memory.model.audience import space_audience
from memory.model.histories import Brought, HistoryFile, ImportId
from memory.model.messages import Arrival
from memory.model.people import PersonId
from memory.model.rooms import HOME
from memory.storage.transfer.histories import Histories
from tests.cast import DAVID, LOBBY, NOON, room_of
from tests.linked import person_behind
from tests.query_steps import Counted, counts, forget_counts
from tests.storage import StorageParts, arrival, open_truth, overhear

IN_A_MOMENT = 2_000
AT_ONCE = 128
A_LINE = 100
"""Steps that a line of the file may take by itself."""


async def test_what_was_said_in_a_moment_is_read_once_for_all_lines_of_a_file(
    tmp_path: Path,
) -> None:
    """A hundred lines cost about what one of them does."""
    async with open_truth(tmp_path, clock=FrozenClock(NOON), kind=Counted) as storage:
        person = await person_behind(storage, DAVID)
        await overhear(storage, *(f"line {number}" for number in range(IN_A_MOMENT)))
        by = await _import(storage)
        one = await _steps(storage, [_line(by, person, "one")])
        many = await _steps(
            storage, [_line(by, person, f"many {number}") for number in range(AT_ONCE)]
        )
        assert many < 2 * one + A_LINE * AT_ONCE


async def _import(storage: StorageParts) -> ImportId:
    room = room_of(LOBBY)
    file = HistoryFile(
        file="a.jsonl", fingerprint="", format="", room=room.id, audience=space_audience(HOME)
    )
    return (await Histories(storage.database, storage.clock).begin(file)).id


def _line(by: ImportId, person: PersonId, text: str) -> Arrival:
    heard = arrival(text, text)
    brought = Brought(by=by, audience=space_audience(HOME), person=person, ordinal=0)
    return replace(heard, person=person, brought=brought)


async def _steps(storage: StorageParts, lines: list[Arrival]) -> int:
    """What looking for lines among those that were heard has cost."""
    forget_counts()
    stored = await storage.messages.accept(lines)
    assert None not in stored
    return counts()["brought.heard"].steps
