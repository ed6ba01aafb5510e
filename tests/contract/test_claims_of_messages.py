"""The claims of messages are read once, read anew after an edit, and gone with the words."""

from contextlib import closing
from pathlib import Path

from memory.model.claims import Slot, Status
from memory.storage.conversations.claims import Claims
from memory.storage.sqlite.rows import migrations
from memory.storage.sqlite.schema import connected
from tests.cast import PLATFORM
from tests.storage import StorageParts, open_truth, overhear


async def read_all(storage: StorageParts) -> None:
    """Read the messages that wait."""
    while await storage.claims.read_batch():
        pass


async def kept(storage: StorageParts) -> list[tuple[str, str]]:
    """The kept claims: of which slot, and the words of each."""
    rows = await storage.database.all(
        'SELECT c.slot, substr(m.text, c."start" + 1, c."end" - c."start") AS said'
        " FROM claims AS c JOIN messages AS m ON m.id = c.message_id"
    )
    return [(row["slot"], row["said"]) for row in rows]


async def test_what_is_said_is_read_once(tmp_path: Path) -> None:
    """The words stay in the message; the claim says where they stand."""
    async with open_truth(tmp_path) as storage:
        await overhear(storage, "hello all! I work at the bakery on Mill Road now")
        await read_all(storage)
        assert {said for _, said in await kept(storage)} == {
            "I work at the bakery on Mill Road now"
        }
        assert not await storage.claims.read_batch()


async def test_claims_of_a_line_are_there_when_they_are_asked_for(tmp_path: Path) -> None:
    """Also of one that the pass has not come to."""
    async with open_truth(tmp_path) as storage:
        [message] = await overhear(storage, "je suis allergique aux noix, sérieux")
        [claim] = (await storage.claims.of([message]))[message]
        assert (claim.slot, claim.status, claim.of_author) == (Slot.HEALTH, Status.HOLDS, True)


async def test_an_edited_message_is_read_anew(tmp_path: Path) -> None:
    """What it said before is claimed no longer."""
    async with open_truth(tmp_path) as storage:
        await overhear(storage, "I work at the bakery on Mill Road now")
        await read_all(storage)
        await storage.messages.edit(PLATFORM, "m1", "my dog is called Biscuit")
        assert await kept(storage) == []
        await read_all(storage)
        assert ("pet", "my dog is called Biscuit") in await kept(storage)


async def test_a_message_taken_back_claims_nothing(tmp_path: Path) -> None:
    """Its claims go with its words."""
    async with open_truth(tmp_path) as storage:
        await overhear(storage, "my dog is called Biscuit")
        await read_all(storage)
        await storage.messages.withdraw(PLATFORM, "m1")
        await read_all(storage)
        assert await kept(storage) == []


async def test_claims_of_a_text_that_changed_meanwhile_are_not_kept(tmp_path: Path) -> None:
    """They are of other words; the message waits still."""
    async with open_truth(tmp_path) as storage:
        [message] = await overhear(storage, "my dog is called Biscuit")
        table = Claims(storage.database)
        [before] = await table.waiting(1)
        claims = (await storage.claims.of([message]))[message]
        await storage.messages.edit(PLATFORM, "m1", "good evening")
        await table.keep({before: claims})
        assert await kept(storage) == []
        assert [one.text for one in await table.waiting(1)] == ["good evening"]


def test_messages_of_before_wait_to_be_read(tmp_path: Path) -> None:
    """The migration lists those of people, and none of the pet."""
    with closing(connected(tmp_path / "before.db")) as raw:
        for number, script in migrations():
            if number == 7:
                raw.executescript(_SPOKEN)
            raw.executescript(script)
        waiting = raw.execute("SELECT message_id FROM claims_waiting").fetchall()
    assert waiting == [(1,)]


_SPOKEN = """
INSERT INTO messages (id, platform, external_id, room_id, author_kind, author, text, search_text,
    audience, spaces, handling, sent_at, received_at)
VALUES (1, 'p', 'a', 'r', 'person', 'Lea', 'I live in Lyon', '', 'x', '[]', 'kept', 1, 1),
    (2, 'p', 'b', 'r', 'pet', 'Eko', 'You live in Lyon', '', 'x', '[]', 'kept', 2, 2);
"""
