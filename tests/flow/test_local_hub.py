"""What is said in a room of the local platform reaches the daemon and the others there."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.channels.local.hub import LOBBY, TEXT_LIMIT, LocalHub, direct_room
from bot.channels.local.ports import LocalEvent, Missed, Shown, Writing
from bot.channels.local.presence import BACKLOG
from bot.errors import (
    MessageTooLong,
    NameOfNamesake,
    NameOfPet,
    NobodyListens,
    NotYourRoom,
    TooFast,
)
from bot.model.events import AuthorRef, Inbound, InboundEvent, Typing
from bot.model.turns import Expression, Reply
from bot.ports import Channel
from memory.clock import FrozenClock
from memory.model.messages import AuthorKind
from memory.model.rooms import HOME, RoomKind, RoomRole
from tests.cast import outgoing, room_of
from tests.patience import PATIENCE_S

NOON = datetime(2026, 1, 17, 12, tzinfo=UTC)
LEA = AuthorRef(platform="web", external_id="lea-1", name="Léa")
OTHER_LEA = AuthorRef(platform="web", external_id="lea-2", name="Léa")


@dataclass
class Inbox:
    """A daemon that keeps what it receives, and may answer before it returns."""

    received: list[InboundEvent] = field(default_factory=list)
    fails: bool = False
    takes: bool = True
    hub: LocalHub | None = None

    async def __call__(self, event: InboundEvent) -> bool:
        """Keep an event, if it takes any; with a hub, answer it at once as a command would be."""
        if self.fails:
            raise OSError("disk full")
        if not self.takes:
            return False
        self.received.append(event)
        if self.hub is not None and isinstance(event, Inbound):
            await self.hub.send(outgoing(event.room, "done", nonce=event.external_id))
        return True


@pytest.fixture
def clock() -> FrozenClock:
    """A clock that stands at noon."""
    return FrozenClock(NOON)


@pytest.fixture
def hub(clock: FrozenClock) -> LocalHub:
    """A hub of a pet named Eko."""
    return LocalHub(pet_name="Eko", clock=clock)


@asynccontextmanager
async def running(hub: LocalHub, inbox: Inbox) -> AsyncIterator[None]:
    """The hub delivering to an inbox."""
    task = asyncio.create_task(hub.run(inbox))
    await asyncio.sleep(0)
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def following(events: AsyncIterator[LocalEvent]) -> LocalEvent:
    """The next event, which must already be there."""
    return await asyncio.wait_for(anext(events), PATIENCE_S)


async def nothing_more(events: AsyncIterator[LocalEvent]) -> bool:
    """Whether no event waits."""
    pending = asyncio.ensure_future(anext(events))
    await asyncio.sleep(0)
    waits = not pending.done()
    pending.cancel()
    with suppress(asyncio.CancelledError):
        await pending
    return waits


def test_it_is_a_channel(hub: LocalHub) -> None:
    """The hub fits the port that replies are delivered through."""
    channel: Channel = hub
    assert (channel.platform, channel.text_limit) == ("local", TEXT_LIMIT)


async def test_words_in_the_lobby_reach_the_daemon_and_everybody_there(hub: LocalHub) -> None:
    """A message is handed over with its author and shown to both people, mine to one of them."""
    inbox = Inbox()
    async with (
        running(hub, inbox),
        hub.talk(LEA, LOBBY).events() as mine,
        hub.talk(OTHER_LEA, LOBBY).events() as theirs,
    ):
        await hub.talk(LEA, LOBBY).say("Eko, salut")
        (inbound,) = inbox.received
        assert isinstance(inbound, Inbound)
        assert (inbound.author, inbound.room, inbound.spaces) == (LEA, LOBBY, frozenset({HOME}))
        first, second = await following(mine), await following(theirs)
    assert isinstance(first, Shown)
    assert isinstance(second, Shown)
    assert (first.text, first.mine, second.mine) == ("Eko, salut", True, False)
    assert first.sent_at == inbound.sent_at == NOON
    assert first.key == second.key == inbound.external_id


async def test_a_reply_is_shown_once_per_nonce_with_its_face(hub: LocalHub) -> None:
    """Delivering the same reply again shows nothing."""
    async with hub.talk(LEA, LOBBY).events() as events:
        reply = Reply(text="Coucou", expression=Expression.HAPPY)
        await hub.send(outgoing(LOBBY, reply.text, nonce="n1", expression=reply.expression))
        await hub.send(outgoing(LOBBY, reply.text, nonce="n1", expression=reply.expression))
        shown = await following(events)
        assert isinstance(shown, Shown)
        assert (shown.kind, shown.author, shown.text) == (AuthorKind.PET, "Eko", "Coucou")
        assert shown.expression is Expression.HAPPY
        assert await nothing_more(events)


async def test_an_answer_given_while_storing_comes_after_the_words_it_answers(
    hub: LocalHub,
) -> None:
    """A command answered before the inbox returns is not shown above the command."""
    async with running(hub, Inbox(hub=hub)), hub.talk(LEA, LOBBY).events() as events:
        await hub.talk(LEA, LOBBY).say("/help")
        texts = [await following(events), await following(events)]
    assert [event.text for event in texts if isinstance(event, Shown)] == ["/help", "done"]


async def test_what_was_not_stored_is_not_shown(hub: LocalHub) -> None:
    """When the daemon cannot keep a message, its author learns it and nobody sees it."""
    async with running(hub, Inbox(fails=True)), hub.talk(LEA, LOBBY).events() as events:
        with pytest.raises(OSError, match="disk full"):
            await hub.talk(LEA, LOBBY).say("hello")
        assert await nothing_more(events)


async def test_what_comes_too_fast_is_not_shown(hub: LocalHub) -> None:
    """Its author learns it, and does not wait for an answer."""
    async with running(hub, Inbox(takes=False)), hub.talk(LEA, LOBBY).events() as events:
        with pytest.raises(TooFast):
            await hub.talk(LEA, LOBBY).say("hello")
        assert await nothing_more(events)


async def test_the_daemon_is_told_where_in_the_network_words_come_from(hub: LocalHub) -> None:
    """A platform of its own each: a page without an address, and the terminal, are one."""
    inbox = Inbox()
    async with running(hub, inbox):
        await hub.talk(LEA, LOBBY, address="192.0.2.7").say("hello")
        await hub.talk(OTHER_LEA, LOBBY).say("hello")
    told = [one.address for one in inbox.received if isinstance(one, Inbound)]
    assert told == [f"{LEA.platform} 192.0.2.7", OTHER_LEA.platform]


async def test_nobody_listens_before_and_after_it_runs(hub: LocalHub) -> None:
    """A message said while the daemon is down is refused, not lost."""
    with pytest.raises(NobodyListens):
        await hub.talk(LEA, LOBBY).say("hello")
    async with running(hub, Inbox()):
        await hub.talk(LEA, LOBBY).say("hello")
    with pytest.raises(NobodyListens):
        await hub.talk(LEA, LOBBY).say("hello")


async def test_blank_words_say_nothing(hub: LocalHub) -> None:
    """White space reaches neither the daemon nor the room."""
    inbox = Inbox()
    async with running(hub, inbox):
        await hub.talk(LEA, LOBBY).say(" \n\t ")
    assert inbox.received == []


async def test_a_message_over_the_limit_is_refused(hub: LocalHub) -> None:
    """The limit itself passes, one more does not."""
    inbox = Inbox()
    async with running(hub, inbox):
        await hub.talk(LEA, LOBBY).say("a" * TEXT_LIMIT)
        with pytest.raises(MessageTooLong):
            await hub.talk(LEA, LOBBY).say("a" * (TEXT_LIMIT + 1))
    assert len(inbox.received) == 1


async def test_a_lone_surrogate_is_replaced(hub: LocalHub) -> None:
    """What cannot be written as UTF-8 never reaches the store or a screen."""
    inbox = Inbox()
    async with running(hub, inbox):
        await hub.talk(LEA, LOBBY).say("a\ud800b")
    (inbound,) = inbox.received
    assert isinstance(inbound, Inbound)
    assert inbound.text == "a?b"


async def test_a_slow_reader_is_told_to_reload_and_holds_nobody_up(hub: LocalHub) -> None:
    """Past its backlog a reader has one Missed and what came after it; the others lose nothing."""
    async with (
        hub.talk(LEA, LOBBY).events() as slow,
        hub.talk(OTHER_LEA, LOBBY).events() as quick,
    ):
        for number in range(BACKLOG + 2):
            await hub.send(outgoing(LOBBY, str(number), nonce=str(number)))
            event = await following(quick)
            assert isinstance(event, Shown)
            assert event.text == str(number)
        assert isinstance(await following(slow), Missed)
        last = await following(slow)
        assert isinstance(last, Shown)
        assert last.text == str(BACKLOG + 1)


async def test_typing_reaches_the_daemon_and_the_others_throttled(
    hub: LocalHub, clock: FrozenClock
) -> None:
    """Keys pressed within a second are one event; whoever types does not see it."""
    inbox = Inbox()
    talk = hub.talk(LEA, LOBBY)
    async with running(hub, inbox), talk.events() as mine, hub.subscribe("lobby", OTHER_LEA) as yes:
        await talk.typing()
        await talk.typing()
        clock.advance(timedelta(seconds=1))
        await talk.typing()
        assert inbox.received == [Typing(room=LOBBY, author=LEA)] * 2
        assert await following(yes) == Writing(kind=AuthorKind.PERSON, author="Léa")
        assert await nothing_more(mine)


async def test_the_pet_writing_is_shown(hub: LocalHub) -> None:
    """Typing of the pet goes to everybody in the room."""
    async with hub.talk(LEA, LOBBY).events() as events:
        await hub.show_typing(room_of(LOBBY))
        assert await following(events) == Writing(kind=AuthorKind.PET, author="Eko")


async def test_a_direct_room_is_closed_to_others(hub: LocalHub) -> None:
    """Nobody else can sit in, read, write or type in a direct room, whatever their name."""
    hers = direct_room(LEA)
    with pytest.raises(NotYourRoom):
        hub.talk(OTHER_LEA, hers)
    with pytest.raises(NotYourRoom):
        await hub.say(hers, OTHER_LEA, "let me in")
    with pytest.raises(NotYourRoom):
        await hub.typing(hers, OTHER_LEA)
    with pytest.raises(NotYourRoom):
        async with hub.subscribe(hers.external_id, OTHER_LEA):
            pass


async def test_private_words_stay_in_their_room(hub: LocalHub) -> None:
    """What is said in a direct room is shown neither in the lobby nor in another direct room."""
    async with (
        running(hub, Inbox()),
        hub.talk(OTHER_LEA, LOBBY).events() as lobby,
        hub.talk(OTHER_LEA, direct_room(OTHER_LEA)).events() as other,
        hub.talk(LEA, direct_room(LEA)).events() as own,
    ):
        await hub.talk(LEA, direct_room(LEA)).say("a secret")
        await hub.send(outgoing(direct_room(LEA), "kept"))
        assert [type(await following(own)), type(await following(own))] == [Shown, Shown]
        assert await nothing_more(lobby)
        assert await nothing_more(other)


async def test_rooms_are_forgotten_when_everybody_left(hub: LocalHub) -> None:
    """A visitor leaves nothing behind in the daemon's memory."""
    async with running(hub, Inbox()), hub.talk(LEA, direct_room(LEA)).events():
        await hub.talk(LEA, direct_room(LEA)).say("hello")
        assert hub._presences
    assert not hub._presences


@given(st.text(), st.text(), st.sampled_from(["web", "console"]))
def test_two_accounts_never_share_a_direct_room(one: str, other: str, platform: str) -> None:
    """Different ids, or the same id on another platform, are different rooms."""
    first = direct_room(AuthorRef(platform=platform, external_id=one, name="n"))
    second = direct_room(AuthorRef(platform="web", external_id=other, name="n"))
    assert (first == second) == ((platform, one) == ("web", other))
    assert first.external_id != LOBBY.external_id
    assert (first.kind, first.role) == (RoomKind.DIRECT, RoomRole.PET)


def test_nobody_sits_down_under_what_a_namesake_is_called(hub: LocalHub) -> None:
    """The mark is the pet's to give."""
    author = AuthorRef(platform="console", external_id="x", name="Lea#3f2a")
    with pytest.raises(NameOfNamesake, match="choose another one"):
        hub.talk(author, LOBBY)


@pytest.mark.parametrize("name", ["Eko", "E\u200dko", "\u0415\u043ao", "\uff25\uff2b\uff2f"])
def test_nobody_sits_down_under_the_pets_name(hub: LocalHub, name: str) -> None:
    """From the terminal as little as from the page, in whatever disguise."""
    author = AuthorRef(platform="console", external_id=name, name=name)
    for room in (LOBBY, direct_room(author)):
        with pytest.raises(NameOfPet, match="choose another one"):
            hub.talk(author, room)
