"""People, whatever accounts they write from."""

from dataclasses import dataclass
from datetime import datetime
from typing import NewType

from memory.model.shown import Shown

PersonId = NewType("PersonId", str)

AccountId = NewType("AccountId", str)
"""An account, as `platform:external_id`."""


def account_id(platform: str, external_id: str) -> AccountId:
    """How an account is written down beside what came from it."""
    return AccountId(f"{platform}:{external_id}")


def account_parts(account: str) -> tuple[str, str]:
    """The platform of an account, and its id there; see `account_id`."""
    platform, _, external_id = account.partition(":")
    return platform, external_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A human, whatever accounts they write from."""

    id: PersonId
    name: str
    observed: bool = True


PSEUDONYM = "someone"
"""What goes by a name that was forgotten."""

Signature = NewType("Signature", str)
"""Who does something: an account as `platform:id`, or `OPERATOR_ACTOR`."""

PET_ACTOR = Signature("pet")
"""The pet itself, for what it recognised and told people of."""

OPERATOR_ACTOR = Signature("operator")
"""The operator: the one who runs commands on the machine of the pet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditedChange:
    """One change: `action` is `noun.past_participle`, `target` a key or an id.

    `detail` says more of it; `before` and `after` are what was and what is, where that can be told
    by a choice or an id. No words that people said: those must not outlive a forgetting here.
    """

    actor: Shown[Signature]
    action: Shown[str]
    target: Shown[str]
    detail: Shown[str] = ""
    before: Shown[str | None] = None
    after: Shown[str | None] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry(AuditedChange):
    """One change: when, by whom, what was done to what; never what people said.

    `origin` is the session or key it came by, and its address.
    """

    id: Shown[int]
    at: Shown[datetime]
    origin: Shown[str | None] = None
