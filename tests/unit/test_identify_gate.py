"""Sessions begin apart from each other, by the clock, also after a restart."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

import pytest
import structlog

from bot.channels.discord.identify_gate import APART, IdentifyGate
from memory.clock import FrozenClock
from memory.model.errors import StorageFailed
from tests.cast import NOON

EKO = "discord:7"


@dataclass
class Times:
    """The SessionTimes port as a value; it fails while the disk is full."""

    at: datetime | None = None
    full: bool = False

    async def last(self, account: str) -> datetime | None:
        """When the one account began."""
        assert account == EKO
        return self.at

    async def keep(self, account: str, at: datetime) -> None:
        """Keep it."""
        assert account == EKO
        if self.full:
            raise StorageFailed("The disk is full.")
        self.at = at


@dataclass
class Door:
    """Gates over one clock, which moves by as much as is waited."""

    times: Times = field(default_factory=Times)
    clock: FrozenClock = field(default_factory=lambda: FrozenClock(NOON))
    waits: list[float] = field(default_factory=list)

    async def wait(self, seconds: float) -> None:
        """Let the time pass."""
        self.waits.append(seconds)
        self.clock.advance(timedelta(seconds=seconds))

    def gate(self) -> IdentifyGate:
        """The gate of a process that starts."""
        return IdentifyGate(self.clock, self.times, self.wait)


async def test_the_first_waits_for_nothing_and_the_next_for_what_is_left() -> None:
    """One that comes late enough does not wait."""
    door = Door()
    gate = door.gate()
    await gate.passed(EKO)
    door.clock.advance(timedelta(seconds=2))
    await gate.passed(EKO)
    door.clock.advance(APART)
    await gate.passed(EKO)
    assert door.waits == [APART.total_seconds() - 2]


async def test_a_quick_restart_waits_too() -> None:
    """The moment is kept on disk."""
    door = Door()
    await door.gate().passed(EKO)
    door.clock.advance(timedelta(seconds=1))
    await door.gate().passed(EKO)
    assert door.waits == [APART.total_seconds() - 1]


@pytest.mark.parametrize("step", [timedelta(days=-365), timedelta(days=365)])
async def test_a_clock_that_was_set_keeps_no_session_waiting_for_longer(step: timedelta) -> None:
    """The wait is bounded by what it is for."""
    door = Door()
    await door.gate().passed(EKO)
    door.clock.advance(step)
    await door.gate().passed(EKO)
    assert all(wait <= APART.total_seconds() for wait in door.waits)


async def test_a_disk_that_is_full_keeps_no_session_away() -> None:
    """Within the process they are kept apart all the same."""
    door = Door(Times(full=True))
    gate = door.gate()
    with structlog.testing.capture_logs() as logs:
        await gate.passed(EKO)
        await gate.passed(EKO)
    assert door.waits == [APART.total_seconds()]
    assert [entry["event"] for entry in logs] == ["session.unrecorded"] * 2
