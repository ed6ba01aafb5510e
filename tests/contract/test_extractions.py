"""The cursor of extraction: which stretch of a session is read next, and what moves it."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from bot.model.events import RoomRef
from memory.model.conversations import ExtractionSpan, NewTurn, Session, ToolUse
from memory.model.messages import Arrival, Handling
from memory.model.room_excerpts import RoomExcerpt
from memory.model.rooms import RoomRole
from memory.storage.sqlite.database import Transaction
from tests.cast import CORNER, DAVID, NOON, PLATFORM, group, room_of
from tests.storage import StorageParts, open_truth

IDLE = timedelta(minutes=15)


@pytest.fixture
async def storage(tmp_path: Path) -> AsyncIterator[StorageParts]:
    """Empty tables."""
    async with open_truth(tmp_path) as opened:
        yield opened


async def exchange(
    storage: StorageParts,
    text: str,
    *,
    where: RoomRef = CORNER,
    confidential: bool = False,
    **fields: object,
) -> Session:
    """Let David say something and have it answered."""
    room = room_of(where, confidential=confidential)
    david = await storage.people.person(PLATFORM, DAVID.external_id, DAVID.name)
    await storage.people.keep_room(room)
    arrival = Arrival(
        platform=PLATFORM,
        external_id=f"m{await storage.count('messages')}",
        room=room,
        author=DAVID.name,
        person=david.id,
        text=text,
        sent_at=storage.clock.now(),
        handling=Handling.PENDING,
    )
    (accepted,) = await storage.messages.accept([arrival])
    assert accepted is not None
    session = await storage.turns.session(david.id, room.id, IDLE)
    await storage.turns.keep(
        new_turn(session=session, room=room, text=text, messages=(accepted,), **fields)
    )
    return session


def new_turn(**fields: object) -> NewTurn:
    """A turn that the pet agreed in."""
    given: dict[str, object] = {
        "channel": PLATFORM,
        "speaker": DAVID.name,
        "recalled": (),
        "reply": "d'accord",
        "expression": "happy",
        "searchable": True,
        "pet_name": "Eko",
        "excerpt": RoomExcerpt(at=NOON),
        **fields,
    }
    return NewTurn(**given)  # type: ignore[arg-type]


async def claimed(
    storage: StorageParts, session: Session, *, turns: int = 10, chars: int = 1000
) -> ExtractionSpan:
    """The next stretch of a session."""
    span = await storage.extractions.claim(session.id, turns=turns, chars=chars)
    assert span is not None
    return span


async def lines(storage: StorageParts, span: ExtractionSpan) -> list[str]:
    """What people say in a stretch."""
    return [line.text for turn in await storage.extractions.turns(span) for line in turn.lines]


async def stores(storage: StorageParts, span: ExtractionSpan) -> bool:
    """Store a stretch of which nothing was worth keeping."""

    async def nothing(_transaction: Transaction) -> int:
        return 0

    return await storage.extractions.store(span, await storage.extractions.turns(span), nothing)


async def test_a_stretch_is_claimed_until_it_is_stored(storage: StorageParts) -> None:
    """What is said meanwhile belongs to the next one."""
    session = await exchange(storage, "un")
    first = await claimed(storage, session)
    await exchange(storage, "deux")
    assert await claimed(storage, session) == first
    assert await lines(storage, first) == ["un"]
    assert await stores(storage, first)
    second = await claimed(storage, session)
    assert await lines(storage, second) == ["deux"]
    assert await stores(storage, second)
    assert await storage.extractions.claim(session.id, turns=10, chars=1000) is None
    assert await storage.extractions.unread() == []


async def test_a_stretch_has_so_many_turns_and_characters(storage: StorageParts) -> None:
    """One turn that is longer than all that is a stretch of its own."""
    for text in ("un", "deux", "x" * 2000, "quatre"):
        session = await exchange(storage, text)
    sizes = []
    for _ in range(3):
        span = await claimed(storage, session, turns=2, chars=100)
        sizes.append([len(line) for line in await lines(storage, span)])
        await stores(storage, span)
    assert sizes == [[2, 4], [2000], [6]]


async def test_a_stretch_has_one_audience(storage: StorageParts) -> None:
    """A room that became confidential in between is read apart."""
    await exchange(storage, "devant tous")
    session = await exchange(storage, "entre nous", confidential=True)
    span = await claimed(storage, session)
    assert (await lines(storage, span), span.audience) == (["devant tous"], "space:home")
    await stores(storage, span)
    span = await claimed(storage, session)
    assert (await lines(storage, span), span.audience) == (["entre nous"], "room:chat:corner")


async def test_a_stretch_that_has_changed_is_not_stored(storage: StorageParts) -> None:
    """It is to be read again; the cursor stays."""
    session = await exchange(storage, "un")
    span = await claimed(storage, session)
    read = await storage.extractions.turns(span)
    await storage.messages.edit(PLATFORM, "m0", "une")

    async def never(_transaction: Transaction) -> int:
        raise AssertionError("what was read no longer stands")

    assert not await storage.extractions.store(span, read, never)
    assert await lines(storage, await claimed(storage, session)) == ["une"]


async def test_a_stretch_is_given_up_after_its_tries_and_can_be_released(
    storage: StorageParts,
) -> None:
    """What follows it goes on meanwhile."""
    session = await exchange(storage, "un")
    span = await claimed(storage, session)
    assert not await storage.extractions.failed(span, "nonsense", 2)
    assert await storage.extractions.failed(span, "nonsense", 2)
    assert await storage.extractions.unread() == []
    await exchange(storage, "deux")
    assert await lines(storage, await claimed(storage, session)) == ["deux"]
    await stores(storage, await claimed(storage, session))
    assert await storage.extractions.release() == 1
    assert [one.session for one in await storage.extractions.unread()] == [session.id]
    again = await claimed(storage, session)
    assert again == span
    await stores(storage, again)
    assert await storage.extractions.unread() == []


async def test_what_was_taken_back_is_not_read(storage: StorageParts) -> None:
    """What the pet could not answer is: it was said all the same."""
    await exchange(storage, "j'habite à Nantes")
    await storage.messages.withdraw(PLATFORM, "m0")
    session = await exchange(storage, "j'habite à Lyon", searchable=False, error="away")
    assert await lines(storage, await claimed(storage, session)) == ["j'habite à Lyon"]


async def test_unread_sessions_say_how_much_and_since_when(storage: StorageParts) -> None:
    """The one that fell silent first comes first."""
    first = await exchange(storage, "un")
    storage.clock.advance(timedelta(seconds=5))
    den = group("den", RoomRole.PET)
    second = await exchange(storage, "deux", where=den)
    await exchange(storage, "trois", where=den)
    assert [
        (one.session, one.turns, one.ended_at) for one in await storage.extractions.unread()
    ] == [
        (first.id, 1, None),
        (second.id, 2, None),
    ]
    assert (await storage.extractions.unread())[1].last_at == storage.clock.now()


async def test_the_tools_of_a_turn_come_with_it(storage: StorageParts) -> None:
    """In order, as they were kept."""
    uses = (
        ToolUse(name="search_memories", arguments='{"query": "x"}', result="Nothing."),
        ToolUse(name="nope", arguments="{}", result="There is no such tool.", failed=True),
    )
    session = await exchange(storage, "un", tools=uses)
    (turn,) = await storage.extractions.turns(await claimed(storage, session))
    assert turn.tools == uses


async def test_what_came_before_is_shown_with_a_stretch(storage: StorageParts) -> None:
    """The last exchanges of the session, oldest first."""
    for text in ("un", "deux", "trois"):
        session = await exchange(storage, text)
        span = await claimed(storage, session)
        if text != "trois":
            await stores(storage, span)
    before = await storage.extractions.before(span, 5)
    assert [(one.speaker, one.text, one.reply) for one in before] == [
        ("David", "un", "d'accord"),
        ("David", "deux", "d'accord"),
    ]
