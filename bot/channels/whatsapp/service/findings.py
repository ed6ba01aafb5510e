"""Findings about WhatsApp for the doctor. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from pathlib import Path
from types import MappingProxyType

from bot.diagnostics.findings import Finding, PartState

TEXTS = Path(__file__).parents[1] / "texts"
"""What people read of WhatsApp alone, a file for each language."""


LIST_RECIPIENT = "list_recipient"
"""The text, under `doctor.todo`, of what lets a number for tests write to a person."""


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


class CallStage(IntEnum):
    """What has ever come of Meta at the pet's address, each more than what stands before it."""

    NONE = 0
    VERIFIED = 1
    """It asked for the word, or made a call that is signed."""
    CALLED = 2
    """It made one for the pet's own phone number: what people write arrives."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionSight:
    """Whether the messages of a business account go to the pet's app.

    `account` is "" and `subscribed` None where that is not known.
    """

    account: str = ""
    subscribed: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CloudSight:
    """What was seen of the pet's number, and of the calls that it should get.

    Since the start, `elsewhere` is the number for which another call came, `stranger` the account
    that wrote last without being answered, and `unlisted` whether a person is not written to since
    the number is one for tests. `subscribing` is the address of the request to subscribe.
    """

    login: CloudLogin
    code: int = 0
    name: str = ""
    quality: str = ""
    takes_calls: bool = False
    has_word: bool = False
    answers_someone: bool = False
    stage: CallStage = CallStage.NONE
    subscription: SubscriptionSight = SubscriptionSight()
    subscribing: str = ""
    elsewhere: str | None = None
    stranger: str | None = None
    unlisted: bool = False


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
            "elsewhere": sight.elsewhere or "",
            "subscribing": sight.subscribing,
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
    if sight.stage is not CallStage.CALLED:
        return _uncalled(sight)
    if sight.unlisted:
        return PartState.NOTE, "unlisted", LIST_RECIPIENT
    if sight.stranger is not None:
        return PartState.NOTE, "stranger", "allow"
    return PartState.OK, "connected", None if sight.answers_someone else "allow_someone"


def _uncalled(sight: CloudSight) -> tuple[PartState, str, str]:
    """What is missing where nothing that people write has ever arrived."""
    if sight.stage is CallStage.NONE:
        return PartState.NOTE, "uncalled", "show_address" if sight.has_word else "set_word"
    if sight.subscription.subscribed is False:
        return PartState.FAIL, "unsubscribed", "subscribe"
    if sight.elsewhere is not None:
        return PartState.NOTE, "elsewhere", "check_elsewhere"
    return PartState.NOTE, "unheard", "publish"
