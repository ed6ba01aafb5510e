"""The cursor of extraction: which stretch of a session is read next, and what moves it."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from bot.model.events import RoomRef
from memory.model.conversations import NewTurn, Session, Span, ToolUse
from memory.model.messages import Arrival, Handling
from memory.model.rooms import RoomRole
from memory.storage.database import Transaction
from tests.cast import CORNER, DAVID, PLATFORM, group, room_of
from tests.truth import Truth, open_truth

IDLE = timedelta(minutes=15)


@pytest.fixture
async def truth(tmp_path: Path) -> AsyncIterator[Truth]:
    """Empty tables."""
    async with open_truth(tmp_path) as opened:
        yield opened


async def exchange(
    truth: Truth,
    text: str,
    *,
    where: RoomRef = CORNER,
    confidential: bool = False,
    **fields: object,
) -> Session:
    """Let David say something and have it answered."""
    room = room_of(where, confidential=confidential)
    david = await truth.people.person(PLATFORM, DAVID.external_id, DAVID.name)
    await truth.people.keep_room(room)
    arrival = Arrival(
        platform=PLATFORM,
        external_id=f"m{await truth.count('messages')}",
        room=room,
        author=DAVID.name,
        person=david.id,
        text=text,
        sent_at=truth.clock.now(),
        handling=Handling.PENDING,
    )
    (message,) = await truth.messages.accept([arrival])
    assert message is not None
    session = await truth.turns.session(david.id, room.id, IDLE)
    await truth.turns.keep(
        new_turn(session=session, room=room, text=text, messages=(message,), **fields)
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
        **fields,
    }
    return NewTurn(**given)  # type: ignore[arg-type]


async def claimed(truth: Truth, session: Session, *, turns: int = 10, chars: int = 1000) -> Span:
    """The next stretch of a session."""
    span = await truth.extractions.claim(session.id, turns=turns, chars=chars)
    assert span is not None
    return span


async def lines(truth: Truth, span: Span) -> list[str]:
    """What people say in a stretch."""
    return [line.text for turn in await truth.extractions.turns(span) for line in turn.lines]


async def stores(truth: Truth, span: Span) -> bool:
    """Store a stretch of which nothing was worth keeping."""

    async def nothing(_transaction: Transaction) -> int:
        return 0

    return await truth.extractions.store(span, await truth.extractions.turns(span), nothing)


async def test_a_stretch_is_claimed_until_it_is_stored(truth: Truth) -> None:
    """What is said meanwhile belongs to the next one."""
    session = await exchange(truth, "un")
    first = await claimed(truth, session)
    await exchange(truth, "deux")
    assert await claimed(truth, session) == first
    assert await lines(truth, first) == ["un"]
    assert await stores(truth, first)
    second = await claimed(truth, session)
    assert await lines(truth, second) == ["deux"]
    assert await stores(truth, second)
    assert await truth.extractions.claim(session.id, turns=10, chars=1000) is None
    assert await truth.extractions.unread() == []


async def test_a_stretch_has_so_many_turns_and_characters(truth: Truth) -> None:
    """One turn that is longer than all that is a stretch of its own."""
    for text in ("un", "deux", "x" * 2000, "quatre"):
        session = await exchange(truth, text)
    sizes = []
    for _ in range(3):
        span = await claimed(truth, session, turns=2, chars=100)
        sizes.append([len(line) for line in await lines(truth, span)])
        await stores(truth, span)
    assert sizes == [[2, 4], [2000], [6]]


async def test_a_stretch_has_one_audience(truth: Truth) -> None:
    """A room that became confidential in between is read apart."""
    await exchange(truth, "devant tous")
    session = await exchange(truth, "entre nous", confidential=True)
    span = await claimed(truth, session)
    assert (await lines(truth, span), span.audience) == (["devant tous"], "space:home")
    await stores(truth, span)
    span = await claimed(truth, session)
    assert (await lines(truth, span), span.audience) == (["entre nous"], "room:chat:corner")


async def test_a_stretch_that_has_changed_is_not_stored(truth: Truth) -> None:
    """It is to be read again; the cursor stays."""
    session = await exchange(truth, "un")
    span = await claimed(truth, session)
    read = await truth.extractions.turns(span)
    await truth.messages.edit(PLATFORM, "m0", "une")

    async def never(_transaction: Transaction) -> int:
        raise AssertionError("what was read no longer stands")

    assert not await truth.extractions.store(span, read, never)
    assert await lines(truth, await claimed(truth, session)) == ["une"]


async def test_a_stretch_is_given_up_after_its_tries_and_can_be_released(truth: Truth) -> None:
    """What follows it goes on meanwhile."""
    session = await exchange(truth, "un")
    span = await claimed(truth, session)
    assert not await truth.extractions.failed(span, "nonsense", 2)
    assert await truth.extractions.failed(span, "nonsense", 2)
    assert await truth.extractions.unread() == []
    await exchange(truth, "deux")
    assert await lines(truth, await claimed(truth, session)) == ["deux"]
    await stores(truth, await claimed(truth, session))
    assert await truth.extractions.release() == 1
    assert [one.session for one in await truth.extractions.unread()] == [session.id]
    again = await claimed(truth, session)
    assert again == span
    await stores(truth, again)
    assert await truth.extractions.unread() == []


async def test_what_was_taken_back_is_not_read(truth: Truth) -> None:
    """What the pet could not answer is: it was said all the same."""
    await exchange(truth, "j'habite à Nantes")
    await truth.messages.withdraw(PLATFORM, "m0")
    session = await exchange(truth, "j'habite à Lyon", searchable=False, error="away")
    assert await lines(truth, await claimed(truth, session)) == ["j'habite à Lyon"]


async def test_unread_sessions_say_how_much_and_since_when(truth: Truth) -> None:
    """The one that fell silent first comes first."""
    first = await exchange(truth, "un")
    truth.clock.advance(timedelta(seconds=5))
    den = group("den", RoomRole.PET)
    second = await exchange(truth, "deux", where=den)
    await exchange(truth, "trois", where=den)
    assert [(one.session, one.turns, one.ended_at) for one in await truth.extractions.unread()] == [
        (first.id, 1, None),
        (second.id, 2, None),
    ]
    assert (await truth.extractions.unread())[1].last_at == truth.clock.now()


async def test_the_tools_of_a_turn_come_with_it(truth: Truth) -> None:
    """In order, as they were kept."""
    uses = (
        ToolUse(name="search_memories", arguments='{"query": "x"}', result="Nothing."),
        ToolUse(name="nope", arguments="{}", result="There is no such tool.", failed=True),
    )
    session = await exchange(truth, "un", tools=uses)
    (turn,) = await truth.extractions.turns(await claimed(truth, session))
    assert turn.tools == uses


async def test_what_came_before_is_shown_with_a_stretch(truth: Truth) -> None:
    """The last exchanges of the session, oldest first."""
    for text in ("un", "deux", "trois"):
        session = await exchange(truth, text)
        span = await claimed(truth, session)
        if text != "trois":
            await stores(truth, span)
    before = await truth.extractions.before(span, 5)
    assert [(one.speaker, one.text, one.reply) for one in before] == [
        ("David", "un", "d'accord"),
        ("David", "deux", "d'accord"),
    ]
