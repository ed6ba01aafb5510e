"""Findings about Telegram for the doctor. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from bot.diagnostics.findings import Finding, PartState
from bot.platforms.plugin import PlatformState

TEXTS = Path(__file__).parent / "texts"
"""What people read of Telegram alone, a file for each language."""


class BotLogin(StrEnum):
    """What came of showing Telegram the token."""

    WORKS = "works"
    REFUSED = "refused"
    UNREACHABLE = "unreachable"


class RoomRefusal(StrEnum):
    """Why a room takes nothing from the pet."""

    MUTED = "muted"
    TOPIC_CLOSED = "topic_closed"
    """A topic that is closed to all but admins, or gone."""
    OUT = "out"
    """It was put out of the group, or never was in it."""
    BLOCKED = "blocked"
    """A person blocked it."""
    UNSTARTED = "unstarted"
    """A person who never began a chat with it, or a chat that is not there."""
    GONE = "gone"
    """An account or a group that was deleted."""


def todo_of(kind: RoomRefusal) -> str:
    """The text, under `doctor.todo`, that says what a refusal means and who can change it."""
    return f"shut_{kind}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TelegramSight:
    """What was seen of Telegram: nothing but the login where it does not work.

    `webhook_failed`: its last call of the pet's address failed. `waiting` are the updates that it
    keeps. `refusing` are the rooms that take nothing from the pet now.
    """

    login: BotLogin
    username: str = ""
    reads_groups: bool = False
    calls: bool = False
    webhook_failed: bool = False
    waiting: int = 0
    refusing: Mapping[str, RoomRefusal] = field(default_factory=dict)


def finding_of(sight: TelegramSight | None, here: PlatformState) -> Finding:
    """What there is to say and to do about a sight; None where there is no token to look with."""
    state, said, todo = _judged(sight, here)
    values: Mapping[str, object] = {}
    if sight is not None:
        refusing = sight.refusing
        why = next(iter(refusing.values()), None)  # one reason is said at a time
        values = {
            "name": f"@{sight.username}",
            "link": f"https://t.me/{sight.username}",
            "waiting": sight.waiting,
            "rooms": ", ".join(one for one in refusing if refusing[one] is why),
        }
    return Finding(part="telegram", state=state, said=said, todo=todo, values=values, texts=TEXTS)


_UNSEEN = {
    BotLogin.REFUSED: ("refused", "check_token"),
    BotLogin.UNREACHABLE: ("unreachable", "check_network"),
}


def _judged(sight: TelegramSight | None, here: PlatformState) -> tuple[PartState, str, str | None]:
    if sight is None:
        return PartState.NOTE, "unused", "set_token"
    if sight.login is not BotLogin.WORKS:
        return PartState.FAIL, *_UNSEEN[sight.login]
    if sight.calls and sight.webhook_failed:
        return PartState.FAIL, "uncalled", "check_webhook"
    return _standing(sight, here)


def _standing(sight: TelegramSight, here: PlatformState) -> tuple[PartState, str, str]:
    """What there is to say where the token works and what was said comes."""
    if not here.connected:
        return PartState.NOTE, "apart", "invite"
    if sight.refusing:
        return PartState.NOTE, "shut", todo_of(next(iter(sight.refusing.values())))
    if not sight.reads_groups:
        return PartState.NOTE, "private", "allow_groups"
    return PartState.OK, "connected", "invite"
