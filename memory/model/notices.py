"""What the owner of the pet is warned of."""

from dataclasses import dataclass
from enum import StrEnum


class NoticeKind(StrEnum):
    """What has happened; the owner is notified of each kind at most once an hour."""

    BUDGET_LOW = "budget_low"
    """Four fifths of a day's cap are used."""
    BUDGET_SPENT = "budget_spent"
    """A day's cap is used up."""
    BACKUP_FAILED = "backup_failed"
    DIGEST_FAILED = "digest_failed"
    ACCESS_REFUSED = "access_refused"
    """A service elsewhere takes the pet's key no more."""
    DELIVERY_FAILED = "delivery_failed"
    """A service had taken a message, or was to take it, and it did not arrive."""
    TASK_DIED = "task_died"
    """Something that should run for ever has ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnerNotice:
    """One warning. `about` names the part of it, such as a cap or a task; `reason` is a sentence.

    Neither quotes what people wrote, nor holds a secret.
    """

    kind: NoticeKind
    about: str = ""
    reason: str = ""
