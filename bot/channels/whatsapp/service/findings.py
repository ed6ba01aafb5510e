"""Findings about WhatsApp for the doctor. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType

from bot.diagnostics.findings import Finding, PartState

TEXTS = Path(__file__).parents[1] / "texts"
"""What people read of WhatsApp alone, a file for each language."""


class CloudLogin(StrEnum):
    """What came of showing Meta the access token."""

    WORKS = "works"
    REFUSED = "refused"
    UNKNOWN_NUMBER = "unknown_number"
    UNREACHABLE = "unreachable"
    NUMBERLESS = "numberless"


_TODO: Mapping[CloudLogin, str] = MappingProxyType(
    {
        CloudLogin.REFUSED: "renew_token",
        CloudLogin.UNKNOWN_NUMBER: "check_number",
        CloudLogin.NUMBERLESS: "check_number",
        CloudLogin.UNREACHABLE: "check_network",
    }
)
"""What there is to do where the token does not let the pet in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CloudSight:
    """What was seen of the pet's number, and of the calls that it should get.

    `calls` counts those since the start, and `stranger` is the account that wrote last without
    being answered; both are None where the pet does not run.
    """

    login: CloudLogin
    code: int = 0
    name: str = ""
    quality: str = ""
    takes_calls: bool = False
    has_word: bool = False
    answers_someone: bool = False
    calls: int | None = None
    stranger: str | None = None


def finding_of(sight: CloudSight | None) -> Finding:
    """What there is to say and to do about a sight; None where there is no key to look with."""
    state, said, todo = _judged(sight)
    values: dict[str, object] = {}
    if sight is not None:
        values = {
            "name": sight.name,
            "quality": sight.quality,
            "code": sight.code,
            "account": sight.stranger or "",
        }
    return Finding(part="whatsapp", state=state, said=said, todo=todo, values=values, texts=TEXTS)


def _judged(sight: CloudSight | None) -> tuple[PartState, str, str | None]:
    if sight is None:
        return PartState.NOTE, "unused", "set_token"
    todo = _TODO.get(sight.login)
    return _called(sight) if todo is None else (PartState.FAIL, sight.login.value, todo)


def _called(sight: CloudSight) -> tuple[PartState, str, str | None]:
    """What there is to say of calls where the token works."""
    if not sight.takes_calls:
        return PartState.FAIL, "deaf", "set_secret"
    if sight.calls == 0:
        return PartState.NOTE, "uncalled", "show_address" if sight.has_word else "set_word"
    if sight.stranger is not None:
        return PartState.NOTE, "stranger", "allow"
    return PartState.OK, "connected", None if sight.answers_someone else "allow_someone"
