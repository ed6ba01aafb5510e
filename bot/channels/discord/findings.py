"""Findings about Discord for the doctor. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
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


class Trouble(StrEnum):
    """Why Discord will not talk, where only a person can mend it; names texts of the doctor."""

    NO_SHARD = "no_shard"
    FEW_SHARDS = "few_shards"
    NO_INTENT = "no_intent"


TROUBLES: Mapping[int, Trouble] = {
    4010: Trouble.NO_SHARD,
    4011: Trouble.FEW_SHARDS,
    4013: Trouble.NO_INTENT,
}
"""By the codes that the gateway closes with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscordSight:
    """What was seen of Discord: nothing but the login and the invitation where it does not work.

    `guilds` is None where Discord does not say in how many servers it is. `lacking` are the
    permissions that servers did not give, by the servers' names. `sessions` is how many of this
    process's shards hear now, and how many there are to be.
    """

    login: Login
    name: str = ""
    reads_content: bool = False
    guilds: int | None = None
    invite: str = ""
    lacking: Mapping[str, Sequence[str]] = field(default_factory=dict)
    trouble: Trouble | None = None
    sessions: tuple[int, int] = (0, 0)


def finding_of(sight: DiscordSight | None, here: PlatformState) -> Finding:
    """What there is to say and to do about a sight; None where there is no token to look with.

    `here` is how the pet stands there now.
    """
    state, said, todo = _judged(sight, here)
    values: Mapping[str, object] = {}
    if sight is not None:
        guilds = "?" if sight.guilds is None else str(sight.guilds)
        if sight.sessions[1] > 1:
            guilds += " ({}/{} shards)".format(*sight.sessions)
        values = {
            "name": sight.name,
            "guilds": guilds,
            "invite": sight.invite,
            "away": here.away,
            "gated": ", ".join(here.gated),
            "lacking": "; ".join(
                f"{guild} ({', '.join(names)})" for guild, names in sight.lacking.items()
            ),
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
    return _connection(sight, here)


def _connection(sight: DiscordSight, here: PlatformState) -> tuple[PartState, str, str]:
    """What there is to say where the token is as it should be."""
    if sight.trouble is not None:
        return PartState.FAIL, sight.trouble, sight.trouble
    if not sight.reads_content:
        return PartState.NOTE, "blind", "allow_content"
    if not here.connected:
        return PartState.NOTE, "apart", "invite"
    return _standing(sight, here)


def _standing(sight: DiscordSight, here: PlatformState) -> tuple[PartState, str, str]:
    """What there is to say of guilds where the token and the connection are as they should be."""
    open_sessions, wanted = sight.sessions
    if open_sessions < wanted:
        return PartState.NOTE, "shards_away", "wait_shards"
    if here.away:
        return PartState.NOTE, "partly", "wait"
    if sight.lacking:
        return PartState.NOTE, "lacking", "invite_again"
    if here.gated:
        return PartState.NOTE, "gated", "choose_everyone"
    return PartState.OK, "connected", "invite"
