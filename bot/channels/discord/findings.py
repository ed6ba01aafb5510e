"""Findings about Discord for the doctor. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from bot.diagnostics.findings import Finding, PartState
from bot.platforms.plugin import PlatformState

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


def finding_of(sight: DiscordSight | None, here: PlatformState) -> Finding:
    """What there is to say and to do about a sight; None where there is no token to look with.

    `here` is how the pet stands there now.
    """
    state, said, todo = _judged(sight, here)
    values: Mapping[str, object] = {}
    if sight is not None:
        guilds = "?" if sight.guilds is None else sight.guilds
        values = {
            "name": sight.name,
            "guilds": guilds,
            "invite": sight.invite,
            "away": here.away,
            "gated": ", ".join(here.gated),
        }
    return Finding(part="discord", state=state, said=said, todo=todo, values=values, texts=TEXTS)


def _judged(sight: DiscordSight | None, here: PlatformState) -> tuple[PartState, str, str]:
    if sight is None:
        return PartState.NOTE, "unused", "set_token"
    if sight.login is Login.REFUSED:
        return PartState.FAIL, "refused", "check_token"
    if sight.login is Login.UNREACHABLE:
        todo = "check_network_invited" if sight.invite else "check_network"
        return PartState.FAIL, "unreachable", todo
    if not sight.reads_content:
        return PartState.NOTE, "blind", "allow_content"
    if not here.connected:
        return PartState.NOTE, "apart", "invite"
    return _standing(here)


def _standing(here: PlatformState) -> tuple[PartState, str, str]:
    """What there is to say of guilds where the token and the connection are as they should be."""
    if here.away:
        return PartState.NOTE, "partly", "wait"
    if here.gated:
        return PartState.NOTE, "gated", "choose_everyone"
    return PartState.OK, "connected", "invite"
