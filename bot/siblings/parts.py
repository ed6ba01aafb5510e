"""The parts of this room: what asks the siblings, and what answers them."""

from collections.abc import Coroutine, Iterator
from typing import Any

from bot.conversation.composer import Recalling
from bot.diagnostics.findings import Look
from bot.siblings.checks import SiblingCheck
from bot.siblings.circle import Siblings
from bot.siblings.deeds import DeedQueue
from bot.siblings.everywhere import AccountsEverywhere, EveryProcess, LinkCodesEverywhere
from bot.siblings.recalling import LimitsInForce, SiblingRecall
from bot.siblings.values import ProcessStanding
from bot.siblings.vouching import VouchedElsewhere
from memory.storage.storage import Storage


class SiblingParts:
    """What has the pet's other processes do and say something; `own` is who this process is."""

    def __init__(self, siblings: Siblings, own: ProcessStanding, storage: Storage) -> None:
        self.circle = siblings
        self.queue = DeedQueue(siblings, storage.sibling_deeds, storage.clock)
        self.every = EveryProcess(self.queue, storage)
        self.linking = LinkCodesEverywhere(storage, self.every)
        self.accounts = AccountsEverywhere(storage, self.every)
        self.vouching = VouchedElsewhere(siblings, storage.given_lines)
        self.check = SiblingCheck(siblings, own, storage.sibling_deeds)
        self.looks: list[Look] = [self.check.look] if own.shards else []

    def recalling(self, own: Recalling, limits: LimitsInForce) -> Recalling:
        """Recall over all processes; the same as its own where there are no others."""
        if not self.circle.every:
            return own
        return SiblingRecall(own, self.circle, limits)

    def tasks(self) -> Iterator[tuple[str, Coroutine[Any, Any, None]]]:
        """What goes on beside the talk where there are other processes, each by its name."""
        if self.circle.every:
            yield "siblings", self.queue.run()
            yield "sibling-lines", self.vouching.run()
            yield "sibling-check", self.check.run()
