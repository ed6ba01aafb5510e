"""Hands what a call brought to the pet: stored first, then answered."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import structlog

from bot.channels.whatsapp.cloud.commands import CloudCommands
from bot.channels.whatsapp.cloud.events import Arrived, CallContent, Press, StatusReport
from bot.channels.whatsapp.cloud.followed import CloudTalks
from bot.channels.whatsapp.cloud.graph import PersonRefused, refusal_of
from bot.channels.whatsapp.cloud.identities import AllowedSenders
from bot.channels.whatsapp.cloud.options import PLATFORM
from bot.commands.syntax import CommandLine
from bot.model.events import Inbound, InboundEvent
from bot.platforms.handing_on import batches, store
from bot.ports import Host
from memory.model.conversations import PartFate, PartReport
from memory.model.notices import NoticeKind, OwnerNotice

log = structlog.get_logger()

REDELIVERED_FOR = timedelta(days=8)
"""Meta tries for 7 days to deliver a call; what is older was recorded by others and sent again."""

MISSED_AFTER = timedelta(minutes=10)
"""What is older than this when it comes was missed: commands in it were for then."""

MOST_STRANGERS = 200
"""Accounts that are not answered, each of which is logged once."""


class CloudIntake:
    """Takes what calls bring, in the order in which they come."""

    def __init__(
        self, host: Host, talks: CloudTalks, allowed: AllowedSenders, commands: CloudCommands
    ) -> None:
        self._host = host
        self._talks = talks
        self._allowed = allowed
        self._commands = commands
        self._strangers: dict[str, None] = {}

    @property
    def last_stranger(self) -> str | None:
        """The account that wrote last without being answered; None where none did."""
        return next(reversed(self._strangers), None)

    async def take(self, content: CallContent) -> None:
        """Take all of a call; returns when it is durable.

        Raises:
            StorageFailed: not all of it could be stored; what was is known when it comes again.

        """
        now = self._host.clock.now()
        taken = [one for one in content.arrived if self._is_taken(one, now)]
        missed = [one for one in taken if now - one.at > MISSED_AFTER]
        timely = [one for one in taken if now - one.at <= MISSED_AFTER]
        await self._store([one.event for one in missed if not isinstance(one.event, Press)], now)
        lines = {one.external_id: line for one in timely if (line := self._line(one)) is not None}
        words = [one.event for one in timely if one.external_id not in lines]
        await self._store([event for event in words if not isinstance(event, Press)])
        for one in timely:
            self._command(one, lines.get(one.external_id))
        for report in content.reports:
            await self._follow(report)
        for kind in content.unread:
            log.info("message.skipped", kind=kind)

    def _is_taken(self, one: Arrived, now: datetime) -> bool:
        if now - one.at > REDELIVERED_FOR:
            log.warning("replay.refused", age_days=(now - one.at).days)
            return False
        if not self._allowed.admits(one.person, self._host.is_admin):
            self._refuse(one.person.account)
            return False
        self._talks.windows.wrote(one.person.account, one.at, one.external_id)
        if self._talks.numbers.remember(one.person):
            self._host.arrived([one.person.account])
        return True

    def _refuse(self, account: str) -> None:
        """Tell of an account that is not answered, once; it can be copied into the settings."""
        if account in self._strangers:
            return
        if len(self._strangers) >= MOST_STRANGERS:
            self._strangers.clear()
        self._strangers[account] = None
        log.warning(
            "sender.refused",
            account=account,
            reason="Who writes is not under [whatsapp] allowed; nothing was kept. "
            "To answer them, put their account there.",
        )

    def _line(self, one: Arrived) -> CommandLine | None:
        return self._commands.line_in(one.event) if isinstance(one.event, Inbound) else None

    def _command(self, one: Arrived, line: CommandLine | None) -> None:
        if isinstance(one.event, Press):
            self._commands.pressed(one.event)
        elif isinstance(one.event, Inbound) and line is not None:
            self._commands.typed(one.event, line)

    async def _store(
        self, events: Sequence[InboundEvent], missed_at: datetime | None = None
    ) -> None:
        for together, moment in batches(events, lambda _: missed_at):
            await store(self._host.inbox, together, moment)

    async def _follow(self, report: StatusReport) -> None:
        """Note the status of a message; the owner is notified of a failed one."""
        if report.nonce:
            await self._talks.receipts.note(report.nonce, report.external_id)
        message = (PLATFORM, report.external_id)
        await self._host.follow(message, PartReport(fate=report.fate, at=report.at))
        if report.fate is not PartFate.FAILED:
            return
        log.warning("message.undelivered", code=report.code)
        reason = f"WhatsApp says that a message did not arrive (code {report.code})."
        if isinstance(why := refusal_of({"error": {"code": report.code}}, 400), PersonRefused):
            reason = str(why)
        self._host.warn(OwnerNotice(kind=NoticeKind.DELIVERY_FAILED, about=PLATFORM, reason=reason))
