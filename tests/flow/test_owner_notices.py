"""The owner is warned in the log and in private, at most once an hour for each kind."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot.diagnostics.owner_notices import DirectRoomNotices, OwnerNoticeDesk, in_words
from bot.errors import BotError
from memory.clock import FrozenClock
from memory.model.notices import NoticeKind, OwnerNotice
from memory.tasks import background_task
from tests.cast import CORNER, DAVID, NOON, PLATFORM, direct
from tests.flow.pet import Pet, awake
from tests.patience import PATIENCE_S

FAILED = OwnerNotice(kind=NoticeKind.DIGEST_FAILED, reason="It is away.")


class ListedOutlet:
    """A place where warnings are read; `broken` fails like a platform that is away."""

    def __init__(self) -> None:
        self.shown: list[Sequence[OwnerNotice]] = []
        self.broken = False

    async def show(self, notices: Sequence[OwnerNotice]) -> None:
        """Keep warnings, or fail."""
        if self.broken:
            raise BotError("It is away.")
        self.shown.append(notices)


@asynccontextmanager
async def open_desk(
    outlet: ListedOutlet | DirectRoomNotices, clock: FrozenClock
) -> AsyncIterator[OwnerNoticeDesk]:
    """A desk with one outlet."""
    desk = OwnerNoticeDesk([outlet], clock)
    async with background_task(desk.run(), name="notices"):
        yield desk


async def told(desk: OwnerNoticeDesk, *notices: OwnerNotice) -> None:
    """Tell warnings, and wait until those that are due are shown."""
    for notice in notices:
        desk.tell(notice)
    async with asyncio.timeout(PATIENCE_S):
        await desk.quiet()


async def test_each_kind_is_told_once_an_hour(clock: FrozenClock) -> None:
    """A kind does not wait for another one; what came meanwhile is told together."""
    outlet = ListedOutlet()
    about = [OwnerNotice(kind=NoticeKind.BUDGET_LOW, about=one) for one in ("day", "newcomers")]
    async with open_desk(outlet, clock) as desk:
        await told(desk, FAILED)
        await told(desk, about[0], FAILED, FAILED)
        assert outlet.shown == [(FAILED,), (about[0],)]
        await told(desk, *about, *about)
        clock.advance(timedelta(minutes=59))
        await told(desk, FAILED)
        assert len(outlet.shown) == 2
        clock.advance(timedelta(minutes=2))
        await told(desk, FAILED)
        assert outlet.shown[2:] == [(FAILED,), tuple(about)]


async def test_a_warning_that_cannot_be_shown_ends_nothing(clock: FrozenClock) -> None:
    """It stands in the log all the same, and the next one is shown."""
    outlet = ListedOutlet()
    outlet.broken = True
    async with open_desk(outlet, clock) as desk:
        with capture_logs() as logged:
            await told(desk, FAILED)
        assert [one["event"] for one in logged] == ["owner.warned", "notice.missed"]
        outlet.broken = False
        clock.advance(timedelta(hours=2))
        await told(desk, FAILED)
        assert outlet.shown == [(FAILED,)]


async def test_very_many_warnings_are_not_kept(clock: FrozenClock) -> None:
    """The first ones of an hour say what is wrong."""
    outlet = ListedOutlet()
    many = [OwnerNotice(kind=NoticeKind.BUDGET_SPENT, about=f"community {n}") for n in range(500)]
    async with open_desk(outlet, clock) as desk:
        await told(desk, *many)
    assert outlet.shown == [tuple(many[:20])]


async def test_the_owner_is_written_to_where_they_wrote_last_in_private(tmp_path: Path) -> None:
    """Not in a group, and not before they have written."""
    async with awake(tmp_path) as pet:
        outlet = _outlet(pet)
        async with open_desk(outlet, pet.storage.clock) as desk:
            await pet.asked("bonjour", DAVID, CORNER)
            await told(desk, FAILED)
            assert len(pet.channel.sent) == 1
            await pet.asked("bonjour", DAVID, direct(DAVID))
            pet.storage.clock.advance(timedelta(hours=2))
            await told(desk, FAILED)
        room, text = pet.channel.sent[-1]
        assert room == f"{PLATFORM}:dm-david"
        assert text.startswith("Je n'ai pas pu lire")
        assert await pet.storage.count("messages", "author_kind = 'pet'") == 2, "it is no talk"


def _outlet(pet: Pet) -> DirectRoomNotices:
    return DirectRoomNotices((PLATFORM, "david"), pet.storage.people, pet.delivery, locale="fr")


@pytest.mark.parametrize("kind", NoticeKind)
def test_every_kind_is_a_sentence_in_each_language(kind: NoticeKind) -> None:
    """A budget names its part in the language of the owner."""
    of_budget = kind in {NoticeKind.BUDGET_LOW, NoticeKind.BUDGET_SPENT}
    notice = OwnerNotice(kind=kind, about="purpose digest" if of_budget else "x", reason="Why.")
    english, french = in_words(notice, "en"), in_words(notice, "fr")
    assert english != french
    assert of_budget == ("digests" in english)
    assert of_budget != ("(Why.)" in french)


@pytest.fixture
def clock() -> FrozenClock:
    """The time, in the hand of the test."""
    return FrozenClock(NOON)
