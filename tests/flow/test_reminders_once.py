"""A reminder is told once: through kills, stops, pauses, and platforms that are away."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.conversation.delivery import Delivery
from bot.conversation.pauses import Pausing
from bot.errors import ChannelAway
from bot.model.turns import Outgoing
from memory.clock import FrozenClock
from memory.model.audience import scope_of
from memory.model.errors import StorageFailed
from memory.model.people import Signature
from memory.model.reminders import ReminderRequest
from memory.model.rooms import HOME, RoomRole
from memory.storage.community.pauses import Pauses
from tests.cast import CORNER, DAVID, LEA, LOBBY, direct, room_of
from tests.flow.pet import ListedChannel, awake
from tests.linked import DAV, MAIL
from tests.reminding import asked, dispatch_on, reminders_on
from tests.storage import StorageParts, open_truth

MONDAY = datetime(2026, 11, 23, 14, tzinfo=UTC)
"""15:00 in Paris."""

DUE = "Rappel de 16:00 : partir"
LATE = "C'était prévu pour 16:00, et je n'ai pas pu te le dire à temps : partir"


@pytest.fixture
def clock() -> FrozenClock:
    """The time, in the hand of the test."""
    return FrozenClock(MONDAY)


@pytest.fixture
async def storage(tmp_path: Path, clock: FrozenClock) -> AsyncIterator[StorageParts]:
    """Tables without a pet around them."""
    async with open_truth(tmp_path, clock=clock) as opened:
        yield opened


async def test_killed_before_the_moment_it_is_told_at_it(
    tmp_path: Path, clock: FrozenClock
) -> None:
    """What is set is on disk before anything is promised."""
    channel = ListedChannel()
    async with awake(tmp_path, clock=clock, channel=channel) as pet:
        await asked(pet.storage)
    clock.advance(timedelta(minutes=59))
    async with awake(tmp_path, clock=clock, channel=channel) as pet:
        assert await pet.reminders.deliver_due() == 0
        clock.advance(timedelta(minutes=1))
        assert await pet.reminders.deliver_due() == 1
    async with awake(tmp_path, clock=clock, channel=channel) as pet:
        assert await pet.reminders.deliver_due() == 0
        assert await pet.delivery.resume() == 0
    assert channel.texts == [DUE]


async def test_killed_at_the_moment_it_is_told_after_the_restart_once(
    tmp_path: Path, clock: FrozenClock
) -> None:
    """Handed over and not sent: what sends unsent replies sends it, under the same nonce."""
    channel = ListedChannel()
    async with awake(tmp_path, clock=clock, channel=channel) as pet:
        await asked(pet.storage)
        clock.advance(timedelta(hours=1))
        (due,) = await pet.storage.reminders.due(())
        turn = await pet.storage.reminders.hand_over(due, DUE, "Eko", timedelta(minutes=15))
        assert turn is not None
        assert await pet.storage.reminders.hand_over(due, DUE, "Eko", timedelta()) is None
    async with awake(tmp_path, clock=clock, channel=channel) as pet:
        assert await pet.delivery.resume() == 1
        assert await pet.reminders.deliver_due() == 0
    assert channel.texts == [DUE]
    assert channel.nonces == [f"{turn.id}:0"]


async def test_killed_after_it_was_sent_it_comes_again_under_the_same_nonce_only(
    tmp_path: Path, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The platform had it and it was not marked: a nonce is shown once, as of every reply."""
    channel = ListedChannel()
    async with awake(tmp_path, clock=clock, channel=channel) as pet:
        await asked(pet.storage)
        clock.advance(timedelta(hours=1))

        async def killed(*_: object) -> None:
            raise StorageFailed("killed")

        monkeypatch.setattr(pet.storage.turns, "part_sent", killed)
        await pet.reminders.deliver_due()
        assert await pet.storage.count("turns", "state = 'replied'") == 1
    async with awake(tmp_path, clock=clock, channel=channel) as pet:
        assert await pet.delivery.resume() == 1
        assert await pet.reminders.deliver_due() == 0
        assert await pet.delivery.resume() == 0
    assert len(set(channel.nonces)) == 1


async def test_what_was_due_while_it_was_away_is_told_once_and_says_so(
    tmp_path: Path, clock: FrozenClock
) -> None:
    """At start, with when it was due."""
    channel = ListedChannel()
    async with awake(tmp_path, clock=clock, channel=channel) as pet:
        await asked(pet.storage)
        await asked(pet.storage, "dormir", LEA, LOBBY, "ce soir à 23h")
    clock.advance(timedelta(days=2))
    async with awake(tmp_path, clock=clock, channel=channel) as pet:
        assert await pet.reminders.deliver_due() == 2
        assert await pet.reminders.deliver_due() == 0
    late = "C'était prévu pour lundi 23 novembre à {}, et je n'ai pas pu te le dire à temps : {}"
    theirs = late.format("23:00", "dormir")
    assert sorted(channel.texts) == [
        late.format("16:00", "partir"),
        f"Léa, {theirs[0].lower()}{theirs[1:]}",
    ]


async def test_a_turn_that_is_thought_again_after_a_kill_sets_one_reminder(
    storage: StorageParts, clock: FrozenClock
) -> None:
    """The message asks for it again, some minutes later: its words count from when it came."""
    first = await asked(storage)
    row = await storage.database.one("SELECT message_id, person_id FROM reminders")
    assert row is not None
    clock.advance(timedelta(minutes=5))
    room = room_of(direct(DAVID))
    again = await reminders_on(storage).ask(
        ReminderRequest(
            person=row["person_id"],
            account=DAVID.account,
            room=room,
            asking=(row["message_id"],),
            message=row["message_id"],
            scope=scope_of(room, row["person_id"]),
            locale="fr",
            text="partir",
            when="dans 1 heure",
        )
    )
    assert again == first
    assert await storage.count("reminders") == 1


class Away(ListedChannel):
    """A platform that cannot be reached, until it can."""

    is_away = True

    async def send(self, message: Outgoing) -> str | None:
        """Keep a message, or be away."""
        if self.is_away:
            raise ChannelAway("It is away.")
        return await super().send(message)


async def test_one_platform_that_is_away_holds_up_no_other(
    storage: StorageParts, clock: FrozenClock
) -> None:
    """What it was not told is sent when it is back, once, by what sends unsent replies."""
    here, away = ListedChannel(), Away(platform=MAIL.platform)
    channels = {here.platform: here, away.platform: away}
    delivery = Delivery(channels, storage.turns, storage.people)
    dispatch = dispatch_on(storage, delivery, Pausing(Pauses(storage.database, clock)))
    await asked(storage, "lire", DAV, MAIL)
    await asked(storage)
    clock.advance(timedelta(hours=1))
    assert await dispatch.deliver_due() == 2
    assert (here.texts, away.texts) == ([DUE], [])
    away.is_away = False
    assert await delivery.resume() == 1
    assert await dispatch.deliver_due() == 0
    assert (here.texts, away.texts) == ([DUE], ["Rappel de 16:00 : lire"])


async def test_in_a_paused_community_it_waits_until_the_pet_is_back(
    storage: StorageParts, clock: FrozenClock
) -> None:
    """Then it says that it is late."""
    channel = ListedChannel()
    delivery = Delivery({channel.platform: channel}, storage.turns, storage.people)
    pausing = Pausing(Pauses(storage.database, clock), storage.reminders.changed.set)
    dispatch = dispatch_on(storage, delivery, pausing)
    await asked(storage, where=CORNER)
    await pausing.pause(HOME, by=Signature("test"))
    clock.advance(timedelta(hours=1))
    assert await dispatch.deliver_due() == 0
    assert await storage.reminders.next_due([HOME]) is None
    clock.advance(timedelta(hours=1))
    storage.reminders.changed.clear()
    await pausing.resume(HOME, by=Signature("test"))
    assert storage.reminders.changed.is_set()
    assert await dispatch.deliver_due() == 1
    assert channel.texts == [f"David, {LATE[0].lower()}{LATE[1:]}"]


async def test_in_a_room_that_is_ignored_by_now_nothing_is_told(
    storage: StorageParts, clock: FrozenClock
) -> None:
    """Its words are gone with it."""
    channel = ListedChannel()
    delivery = Delivery({channel.platform: channel}, storage.turns, storage.people)
    dispatch = dispatch_on(storage, delivery, Pausing(Pauses(storage.database, clock)))
    await asked(storage, where=CORNER)
    await storage.database.write(_ignoring)
    clock.advance(timedelta(hours=1))
    assert await dispatch.deliver_due() == 0
    assert channel.texts == []
    assert await storage.count("reminders", "state = 'dropped' AND text = ''") == 1


async def _ignoring(transaction: object) -> None:
    await transaction.run("UPDATE rooms SET role = :role", {"role": RoomRole.IGNORED})  # type: ignore[attr-defined]


async def test_a_platform_that_hiccups_is_told_once(
    storage: StorageParts, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two refusals, one message."""
    monkeypatch.setattr("bot.conversation.delivery.FIRST_WAIT_S", 0.0)
    channel = ListedChannel(refuses=2)
    delivery = Delivery({channel.platform: channel}, storage.turns, storage.people)
    dispatch = dispatch_on(storage, delivery, Pausing(Pauses(storage.database, clock)))
    await asked(storage)
    clock.advance(timedelta(hours=1))
    assert await dispatch.deliver_due() == 1
    assert channel.texts == [DUE]
