"""The daemon is killed with -9 at the moment of a check-in: it was sent once, or never is."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.peers.daemon import Daemon, awake, kept

HANDED_OVER, WAIT = "checkin.handed_over", 2 * 24 * 3600 * 1000
SETTLED = "checkin.settled"


def by_day() -> dict[str, str]:
    """Settings in whose zone it is noon now: check-ins are by day."""
    away = datetime.now(UTC).hour - 12
    return {
        "EKO_EMBEDDER__KIND": "none",
        "EKO_LOG__LEVEL": "info",
        "EKO_TIMEZONE": f"Etc/GMT{away:+d}" if away else "Etc/GMT",
    }


def waits_for_it(data: Path) -> None:
    """Let what was said be two days old, and its room want check-ins."""
    with closing(sqlite3.connect(data / "eko.sqlite3")) as database:
        database.execute(
            "UPDATE messages SET sent_at = sent_at - ?, received_at = received_at - ?", (WAIT, WAIT)
        )
        database.execute(
            "INSERT INTO checkin_rooms (room_id, person_id, account, locale, since)"
            " SELECT room_id, person_id, account, 'fr', 0 FROM messages"
            " WHERE author_kind = 'person' LIMIT 1"
        )
        database.commit()


def checked_in(data: Path) -> list[tuple[str, str]]:
    """What became of each check-in: the state of its turn, and what was audited."""
    rows = kept(
        data,
        "SELECT t.state, a.action FROM checkins AS k JOIN turns AS t ON t.id = k.turn_id"
        " LEFT JOIN audit_log AS a ON a.action LIKE 'checkin.%'",
    )
    return [(row[0], row[1]) for row in rows]


async def tells(daemon: Daemon) -> None:
    """Somebody says what can be asked after."""
    await daemon.does("ask", text="je passe mon permis demain", name="David")


@pytest.mark.parametrize("kills", [1, 3])
async def test_killed_at_the_moment(tmp_path: Path, kills: int) -> None:
    """As soon as it is handed over, and again at each start."""
    data, settings = tmp_path / "data", by_day()
    async with awake(data, settings) as daemon:
        await tells(daemon)
        assert await daemon.interrupted() == 0
    waits_for_it(data)
    for at in range(kills):
        async with awake(data, settings) as daemon:
            if at == 0:
                await daemon.has_written(HANDED_OVER)
            await daemon.killed()
    async with awake(data, settings) as daemon:
        assert (await daemon.does("verify"))["result"]["sound"]
        assert HANDED_OVER not in daemon.output
        assert await daemon.interrupted() == 0
    ((state, action),) = checked_in(data)
    assert (state, action) in {
        ("delivered", "checkin.sent"),
        ("delivered", None),
        ("refused", "checkin.given_up"),
    }


async def test_without_a_kill_it_is_sent(tmp_path: Path) -> None:
    """What the others are measured against."""
    data, settings = tmp_path / "data", by_day()
    async with awake(data, settings) as daemon:
        await tells(daemon)
        assert await daemon.interrupted() == 0
    waits_for_it(data)
    async with awake(data, settings) as daemon:
        await daemon.has_written(HANDED_OVER)
        await daemon.has_written(SETTLED)
        assert await daemon.interrupted() == 0
    assert checked_in(data) == [("delivered", "checkin.sent")]
