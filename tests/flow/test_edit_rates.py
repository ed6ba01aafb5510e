"""Edits that come too fast: the last of each message is read when there is room for it."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.conversation import paced_inbox
from bot.conversation.arrival_rates import Rate
from bot.conversation.paced_inbox import PacedInbox
from bot.model.events import AuthorRef, Deleted, Edited, InboundEvent, RoomRef
from memory.model.errors import StorageFailed
from tests.cast import CORNER, DAVID, LEA, LOBBY, NOON, PLATFORM
from tests.flow.limits import RATES
from tests.flow.past import ListedPast, read_back
from tests.flow.pet import Pet, awake

STRICT = replace(
    RATES,
    account=Rate(burst=1, per_minute=1),
    overheard_account=Rate(burst=3, per_minute=6),
)
ONE_MORE = timedelta(seconds=10)
"""Until there is room for one more that is read along."""


@pytest.fixture
async def pet(tmp_path: Path) -> AsyncIterator[Pet]:
    """A pet that reads three messages of an account at once."""
    async with awake(tmp_path, rates=STRICT) as born:
        yield born


def edited(
    message: str, text: str, who: AuthorRef | None = DAVID, where: RoomRef = LOBBY
) -> Edited:
    """New words of a message; without an author those that were read back."""
    return Edited(platform=PLATFORM, external_id=message, text=text, room=where, author=who)


async def texts(pet: Pet) -> list[str]:
    """What the messages of people say, in order."""
    rows = await pet.storage.database.all(
        "SELECT text FROM messages WHERE author_kind = 'person' ORDER BY rowid"
    )
    return [row["text"] for row in rows]


async def spent(pet: Pet, *lines: str) -> list[str]:
    """Messages of David in the lobby, after which there is no room for more; their ids."""
    ids = [await pet.hears(line, DAVID, LOBBY) for line in lines]
    for number in range(STRICT.overheard_account.burst - len(lines)):
        await pet.paced_inbox.receive(edited("unheard", f"mot {number}"))
    return ids


async def test_of_many_edits_the_last_is_read_when_there_is_room(pet: Pet) -> None:
    """Two of a hundred at once, and one later."""
    (line,) = await spent(pet, "version 0")
    for number in range(1, 101):
        await pet.paced_inbox.receive(edited(line, f"version {number}"))
    assert await texts(pet) == ["version 0"]
    await pet.paced_inbox.read_due()
    assert await texts(pet) == ["version 0"]
    pet.storage.clock.advance(ONE_MORE)
    await pet.paced_inbox.read_due()
    assert await texts(pet) == ["version 100"]
    await pet.paced_inbox.receive(edited(line, "version 101"))
    assert await texts(pet) == ["version 100"]


async def test_each_message_waits_for_its_own_and_others_for_nobody(pet: Pet) -> None:
    """The one that waits for longest is read first; another person has rates of their own."""
    first, second = await spent(pet, "le train part", "le bus part")
    theirs = await pet.hears("le bateau part", LEA, LOBBY)
    await pet.paced_inbox.receive(edited(first, "le train reste"))
    await pet.paced_inbox.receive(edited(second, "le bus reste"))
    await pet.paced_inbox.receive(edited(theirs, "le bateau reste", LEA))
    assert await texts(pet) == ["le train part", "le bus part", "le bateau reste"]
    pet.storage.clock.advance(ONE_MORE)
    await pet.paced_inbox.read_due()
    assert await texts(pet) == ["le train reste", "le bus part", "le bateau reste"]


async def test_what_is_taken_back_waits_for_nothing_and_does_not_return(pet: Pet) -> None:
    """Not even in the words that waited."""
    (line,) = await spent(pet, "mon code est 2846")
    await pet.paced_inbox.receive(edited(line, "mon code est 5555"))
    await pet.paced_inbox.receive(Deleted(platform=PLATFORM, external_id=line))
    assert await texts(pet) == [""]
    await pet.paced_inbox.settle()
    assert await texts(pet) == [""]


async def test_where_all_is_said_to_the_pet_its_own_rates_hold(pet: Pet) -> None:
    """They are narrower than those of what is read along."""
    line = await pet.hears("où est Léa ?", DAVID, CORNER)
    await pet.paced_inbox.receive(edited(line, "où est Tom ?", where=CORNER))
    assert await texts(pet) == ["où est Léa ?"]
    pet.storage.clock.advance(timedelta(minutes=1))
    await pet.paced_inbox.read_due()
    assert await texts(pet) == ["où est Tom ?"]


async def test_what_is_read_back_is_read_at_once(pet: Pet) -> None:
    """How much that is has a limit of its own."""
    (line,) = await spent(pet, "je pars")
    await pet.paced_inbox.receive(edited(line, "je reste", who=None))
    assert await texts(pet) == ["je reste"]


async def test_what_waits_is_older_than_what_a_platform_lists(pet: Pet) -> None:
    """Words that were put back while the pet was away stay."""
    past = ListedPast()
    (line,) = await spent(pet, "je pars")
    past.says(line, "je pars", NOON)
    past.edited.add(line)
    await pet.paced_inbox.receive(edited(line, "je reste"))
    pet.storage.clock.advance(timedelta(minutes=30))
    await read_back(pet, past)
    await pet.paced_inbox.settle()
    assert await texts(pet) == ["je pars"]


async def test_no_more_than_so_many_wait(pet: Pet, monkeypatch: pytest.MonkeyPatch) -> None:
    """With one more the oldest is read, whatever the rates say: none is lost."""
    monkeypatch.setattr(paced_inbox, "MOST_WAITING", 2)
    ids = await spent(pet, "un", "deux", "trois")
    for line, text in zip(ids, ("eins", "zwei", "drei"), strict=True):
        await pet.paced_inbox.receive(edited(line, text))
    assert await texts(pet) == ["eins", "deux", "trois"]


class FullDisk:
    """An inbox that cannot store until `room`."""

    def __init__(self, pet: Pet) -> None:
        self._inbox = pet.inbox
        self.room = False

    async def receive(self, event: InboundEvent) -> bool:
        """Store an event, or not."""
        if not self.room:
            raise StorageFailed("The disk is full.")
        return await self._inbox.receive(event)


async def test_an_edit_that_cannot_be_stored_waits_on(pet: Pet) -> None:
    """Until it can be."""
    (line,) = await spent(pet, "je pars")
    disk = FullDisk(pet)
    paced = PacedInbox(disk, pet.paced_inbox._register, pet.limiter)  # type: ignore[arg-type]
    await paced.receive(edited(line, "je reste"))
    await paced.settle()
    assert await texts(pet) == ["je pars"]
    disk.room = True
    await paced.settle()
    assert await texts(pet) == ["je reste"]
