"""Findings about Matrix for the doctor. Pure."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from bot.channels.matrix.service.account import DeviceTrust
from bot.diagnostics.findings import Finding, PartState
from bot.platforms.plugin import PlatformState

TEXTS = Path(__file__).parent / "texts"
"""What people read of Matrix alone, a file for each language."""


OFTEN = 5
"""Requests too many for the server, within an hour, of which people notice the waits."""


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
    KEYLESS = "keyless"
    """There is a homeserver, and neither a token nor a password."""
    PASSWORD_REFUSED = "password_refused"  # noqa: S105 - names a text
    WORKS = "works"


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixStanding:
    """What only a connection knows.

    Whether its device is signed or what is in the way, how often its requests were too many for the
    server within an hour, and how many invitations it could not accept yet.
    """

    trust: DeviceTrust = DeviceTrust.POSTPONED
    limited: int = 0
    postponed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixLook:
    """What was seen: the account, its device, its rooms, and the invitations left unanswered.

    `is_signed`: the account's keys vouch for the device, as clients want of those they give keys.
    """

    sight: MatrixSight
    account: str = ""
    device: str = ""
    is_signed: bool = False
    rooms: int = 0
    ignored: int = 0
    standing: MatrixStanding = MatrixStanding()


_TODO = {
    MatrixSight.UNUSED: (PartState.NOTE, "set_account"),
    MatrixSight.MISSING: (PartState.FAIL, "install"),
    MatrixSight.UNREACHABLE: (PartState.FAIL, "check_homeserver"),
    MatrixSight.REFUSED: (PartState.FAIL, "check_token"),
    MatrixSight.OTHER_ACCOUNT: (PartState.FAIL, "check_account"),
    MatrixSight.NO_SESSION: (PartState.NOTE, "start"),
    MatrixSight.KEYLESS: (PartState.NOTE, "set_key"),
    MatrixSight.PASSWORD_REFUSED: (PartState.FAIL, "check_password"),
}


_TO_SIGN = {
    DeviceTrust.NEEDS_PASSWORD: "give_password",
    DeviceTrust.NEEDS_APPROVAL: "approve_keys",
    DeviceTrust.OTHER_KEYS: "replace_keys",
}


def finding_of(look: MatrixLook, here: PlatformState) -> Finding:
    """What there is to say and to do; `here` is how the pet stands there now."""
    state, said, todo = _judged(look, here)
    values = {
        "account": look.account,
        "device": look.device,
        "rooms": look.rooms,
        "ignored": look.ignored,
        "limited": look.standing.limited,
        "postponed": look.standing.postponed,
    }
    return Finding(part="matrix", state=state, said=said, todo=todo, values=values, texts=TEXTS)


def _judged(look: MatrixLook, here: PlatformState) -> tuple[PartState, str, str | None]:
    if look.sight in _TODO:
        state, todo = _TODO[look.sight]
        return state, look.sight.value, todo
    if not here.connected:
        return PartState.NOTE, "apart", "start"
    return _connected(look)


def _connected(look: MatrixLook) -> tuple[PartState, str, str | None]:
    """What there is to say while all is well with the session: the worst that is in the way."""
    here = look.standing
    told = (
        (not look.is_signed, "unsigned", _TO_SIGN.get(here.trust, "wait_for_keys")),
        (here.limited >= OFTEN, "limited", "override_ratelimit"),
        (here.postponed > 0, "postponed", "wait_for_room"),
        (look.ignored > 0, "ignoring", "allow"),
        (not look.rooms, "alone", "invite"),
    )
    found = ((PartState.NOTE, said, todo) for holds, said, todo in told if holds)
    return next(found, (PartState.OK, "connected", None))
