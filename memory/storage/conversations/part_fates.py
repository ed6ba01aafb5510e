"""What platforms say became of the parts of replies: how far they came, or that they did not."""

from collections import OrderedDict

from memory.model.conversations import PartFate, PartReport, PlatformMessage
from memory.storage.sqlite.columns import millis
from memory.storage.sqlite.database import Transaction
from memory.storage.sqlite.queries import queries

_SQL = queries("conversations/part_fates")

MOST_EARLY = 500
"""Reports that wait for their message to be known, which it is moments later."""


class PartFates:
    """Follows messages, also those that are reported before they are known as parts."""

    def __init__(self) -> None:
        self._early: OrderedDict[PlatformMessage, PartReport] = OrderedDict()

    async def follow(
        self, transaction: Transaction, message: PlatformMessage, report: PartReport
    ) -> None:
        """Keep how far a message has come; the furthest that is said of it stays."""
        platform, external_id = message
        values = {"platform": platform, "external_id": external_id}
        row = await transaction.one(_SQL["fate"], values)
        if row is None:
            self._wait(message, report)
        elif row["fate"] is None or report.fate.is_beyond(PartFate(row["fate"])):
            kept = {**values, "fate": report.fate.value, "at": millis(report.at)}
            await transaction.run(_SQL["keep"], kept)

    async def catch_up(self, transaction: Transaction, message: PlatformMessage) -> None:
        """Keep what was said of a message before it was known."""
        report = self._early.pop(message, None)
        if report is not None:
            await self.follow(transaction, message, report)

    def _wait(self, message: PlatformMessage, report: PartReport) -> None:
        early = self._early.pop(message, None)
        if early is not None and not report.fate.is_beyond(early.fate):
            report = early
        self._early[message] = report
        if len(self._early) > MOST_EARLY:
            self._early.popitem(last=False)
