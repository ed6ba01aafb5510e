"""Answers that rest on lines of another process."""

from collections.abc import Sequence
from datetime import timedelta

from memory.model.conversations import NewTurn, Turn
from memory.model.retrieval import GivenBy, RecalledLine, Retrieval, Section
from memory.model.room_excerpts import RoomExcerpt
from tests.cast import DAVID, NOON, PLATFORM, direct, room_of
from tests.storage import StorageParts

OTHER = "http://127.0.0.1:1"


def borrowed(ref: str, address: str = OTHER) -> RecalledLine:
    """A line of another process."""
    given = GivenBy(address=address, name="shards 1/2", ref=ref, audiences=frozenset())
    return RecalledLine(
        section=Section.LIVE, content="the boat is Zanzibar", age="", said_by="", given=given
    )


async def answers(
    storage: StorageParts, text: str, reply: str, lines: Sequence[RecalledLine] = ()
) -> Turn:
    """David asks something alone and is answered, with these lines."""
    room = room_of(direct(DAVID))
    await storage.people.keep_room(room)
    person = await storage.people.person(PLATFORM, DAVID.external_id, DAVID.name)
    session = await storage.turns.session(person.id, room.id, timedelta(minutes=15))
    return await storage.turns.keep(
        NewTurn(
            session=session,
            room=room,
            channel=PLATFORM,
            speaker=DAVID.name,
            text=text,
            messages=(),
            recalled=(),
            reply=reply,
            expression="happy",
            searchable=not lines,
            pet_name="Eko",
            excerpt=RoomExcerpt(at=NOON),
            retrieval=Retrieval(query=text, reason="looked up", lines=tuple(lines)),
        )
    )
