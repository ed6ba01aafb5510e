"""What the pet without a model reads back: within the scope, and at a cost that does not grow."""

from datetime import timedelta
from pathlib import Path

from memory.model.audience import scope_of
from memory.model.messages import Arrival, Handling
from memory.storage.conversations.transcript import LATEST, Transcript
from tests.cast import DAVID, LOBBY, PLATFORM, direct, room_of
from tests.storage import StorageParts, open_truth

HOME_OF_DAVID = direct(DAVID)


async def told(storage: StorageParts, lines: int, first: int = 0) -> None:
    """David says so many lines in the lobby, and one between in private."""
    person = await storage.people.person(PLATFORM, DAVID.external_id, DAVID.name)
    for room in (LOBBY, HOME_OF_DAVID):
        await storage.people.keep_room(room_of(room))
    arrivals = [
        Arrival(
            platform=PLATFORM,
            external_id=f"said-{number}",
            room=room_of(HOME_OF_DAVID if number % 10 == 0 else LOBBY),
            author=DAVID.name,
            text=f"line {number} of the talk",
            sent_at=storage.clock.now() + timedelta(seconds=number),
            handling=Handling.OBSERVED if number % 10 else Handling.ANSWERED,
            person=person.id,
        )
        for number in range(first, first + lines)
    ]
    storage.clock.advance(timedelta(seconds=first + lines))
    await storage.messages.accept(arrivals)


async def test_only_what_the_room_may_know_is_read_back(tmp_path: Path) -> None:
    """What was said in private stays there."""
    async with open_truth(tmp_path) as storage:
        await told(storage, 20)
        person = await storage.people.person(PLATFORM, DAVID.external_id, DAVID.name)
        lobby = scope_of(room_of(LOBBY), person.id)
        lines = await Transcript(storage.database).lines("", (), lobby)
        assert [one.text for one in lines if one.room == room_of(HOME_OF_DAVID).id] == []
        assert len(lines) == 18


async def test_older_lines_come_by_their_words_with_those_around_them(tmp_path: Path) -> None:
    """The latest are read anyway; "seven" was said long before."""
    async with open_truth(tmp_path) as storage:
        await told(storage, LATEST * 2)
        person = await storage.people.person(PLATFORM, DAVID.external_id, DAVID.name)
        scope = scope_of(room_of(LOBBY), person.id)
        lines = await Transcript(storage.database).lines("line 37 of the talk", (), scope)
        texts = [one.text for one in lines]
        assert {"line 36 of the talk", "line 37 of the talk", "line 38 of the talk"} <= set(texts)
        assert texts == sorted(texts, key=lambda text: int(text.split()[1]))
