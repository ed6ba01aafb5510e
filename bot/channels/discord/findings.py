"""What the doctor is told of Discord. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from bot.diagnostics.findings import Finding, PartState

TEXTS = Path(__file__).parent / "texts"
"""What people read of Discord alone, a file for each language."""


class Login(StrEnum):
    """What came of showing Discord the token."""

    WORKS = "works"
    REFUSED = "refused"
    UNREACHABLE = "unreachable"


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscordSight:
    """What was seen of Discord: nothing but the login and the invitation where it does not work.

    `guilds` is None where Discord does not say in how many servers it is.
    """

    login: Login
    name: str = ""
    reads_content: bool = False
    guilds: int | None = None
    invite: str = ""


def finding_of(sight: DiscordSight | None, *, connected: bool) -> Finding:
    """What there is to say and to do about a sight; None where there is no token to look with.

    `connected` says whether the pet is there now.
    """
    state, said, todo = _judged(sight, connected=connected)
    values: Mapping[str, object] = {}
    if sight is not None:
        guilds = "?" if sight.guilds is None else sight.guilds
        values = {"name": sight.name, "guilds": guilds, "invite": sight.invite}
    return Finding(part="discord", state=state, said=said, todo=todo, values=values, texts=TEXTS)


def _judged(sight: DiscordSight | None, *, connected: bool) -> tuple[PartState, str, str]:
    if sight is None:
        return PartState.NOTE, "unused", "set_token"
    if sight.login is Login.REFUSED:
        return PartState.FAIL, "refused", "check_token"
    if sight.login is Login.UNREACHABLE:
        todo = "check_network_invited" if sight.invite else "check_network"
        return PartState.FAIL, "unreachable", todo
    if not sight.reads_content:
        return PartState.NOTE, "blind", "allow_content"
    if not connected:
        return PartState.NOTE, "apart", "invite"
    return PartState.OK, "connected", "invite"
