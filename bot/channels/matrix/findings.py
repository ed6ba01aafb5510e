"""Findings about Matrix for the doctor. Pure."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from bot.diagnostics.findings import Finding, PartState
from bot.platforms.plugin import PlatformState

TEXTS = Path(__file__).parent / "texts"
"""What people read of Matrix alone, a file for each language."""


class MatrixSight(StrEnum):
    """What came of looking at the homeserver."""

    UNUSED = "unused"
    MISSING = "missing"
    """The library is not installed."""
    UNREACHABLE = "unreachable"
    REFUSED = "refused"
    OTHER_ACCOUNT = "other_account"
    NO_SESSION = "no_session"
    """There is a password, and no session was begun with it yet."""
    WORKS = "works"


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixLook:
    """What was seen: the account, its device, its rooms, and the invitations left unanswered."""

    sight: MatrixSight
    account: str = ""
    device: str = ""
    rooms: int = 0
    ignored: int = 0


_TODO = {
    MatrixSight.UNUSED: (PartState.NOTE, "set_account"),
    MatrixSight.MISSING: (PartState.FAIL, "install"),
    MatrixSight.UNREACHABLE: (PartState.FAIL, "check_homeserver"),
    MatrixSight.REFUSED: (PartState.FAIL, "check_token"),
    MatrixSight.OTHER_ACCOUNT: (PartState.FAIL, "check_account"),
    MatrixSight.NO_SESSION: (PartState.NOTE, "start"),
}


def finding_of(look: MatrixLook, here: PlatformState) -> Finding:
    """What there is to say and to do; `here` is how the pet stands there now."""
    state, said, todo = _judged(look, here)
    values = {
        "account": look.account,
        "device": look.device,
        "rooms": look.rooms,
        "ignored": look.ignored,
    }
    return Finding(part="matrix", state=state, said=said, todo=todo, values=values, texts=TEXTS)


def _judged(look: MatrixLook, here: PlatformState) -> tuple[PartState, str, str]:
    if look.sight in _TODO:
        state, todo = _TODO[look.sight]
        return state, look.sight.value, todo
    if not here.connected:
        return PartState.NOTE, "apart", "start"
    if look.ignored:
        return PartState.NOTE, "ignoring", "allow"
    if not look.rooms:
        return PartState.NOTE, "alone", "invite"
    return PartState.OK, "connected", ""
