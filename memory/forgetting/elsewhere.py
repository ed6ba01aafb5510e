"""What the pet's other processes forget of what is forgotten here."""

from dataclasses import dataclass
from typing import Protocol

from memory.forgetting.finding import ForgettingFinder
from memory.model.elsewhere import Elsewhere
from memory.rules.forgetting.selector import Requester, Selector
from memory.storage.sqlite.database import Transaction


class ForgettingElsewhere(Protocol):
    """Has the pet's other processes forget what people ask for by their own word."""

    async def preview(self, selector: Selector, asker: Requester) -> Elsewhere:
        """What they would forget, as far as they answer in time."""
        ...

    async def confirmed(
        self, transaction: Transaction, selector: Selector, asker: Requester, forgetting: int
    ) -> None:
        """Have them forget it, from the transaction on that forgets it here."""
        ...

    async def undone(self, transaction: Transaction, forgetting: int) -> None:
        """Have them give it back, from the transaction on that gives it back here."""
        ...

    async def outcome(self, forgetting: int, *, undone: bool = False) -> Elsewhere:
        """Who of them has done so after a short wait; the others will."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgettingReach:
    """What finds out what is meant here, and who forgets it elsewhere, if anybody does."""

    finder: ForgettingFinder
    elsewhere: ForgettingElsewhere | None = None


def holds_everywhere(selector: Selector, asker: Requester) -> bool:
    """Whether a forgetting is one person's own, and not of rows that only this process has.

    `/forget TOPIC` and `/forget-me` are; what a manager or the operator asks for is their own
    process's, and so is what was chosen by its room, its time or its lines.
    """
    if not asker.own_only or asker.person is None:
        return False
    return bool(selector.asked) or selector.erases(asker.person)
