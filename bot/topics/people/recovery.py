"""The operation behind `eko people recovery-link`."""

from typing import Annotated

from pydantic import Field

from bot.channels.local.web_accounts import PLATFORM, recovery_address
from bot.errors import BotError
from bot.lock import holder_of
from bot.surfaces.operations import TopicOperations, operation
from bot.surfaces.requests import OperationRequest
from bot.surfaces.values import Event
from config.settings import Settings
from memory.model.linking import RecoveredAccount


class RecoveryLinkRequest(OperationRequest):
    """A new recovery link for an account of the page, by its id or its name."""

    account: Annotated[str, Field(min_length=1, max_length=80)]


class NoSuchAccount(BotError):
    """No account of the page is called so, or several are."""


class RecoveryOperations(TopicOperations):
    """Gives visitors their account back where their browser has lost it, as the operator."""

    @operation("recovery_link")
    async def link(self, request: RecoveryLinkRequest) -> Event:
        """A new one-time link for an account, in the place of an earlier one."""
        account = await self._one(request.account)
        code = await self._app.storage.recovery.offer(
            account.platform, account.external_id, by=self._caller.signature
        )
        return {
            "account": f"{account.platform}:{account.external_id}",
            "name": account.name,
            "code": code,
            "link": recovery_address(page_of(self._app.settings), code),
        }

    async def _one(self, named: str) -> RecoveredAccount:
        id_or_name = named.removeprefix(f"{PLATFORM}:")
        found = await self._app.storage.recovery.accounts(PLATFORM, id_or_name)
        if len(found) == 1:
            return found[0]
        if not found:
            raise NoSuchAccount(f'No account of the page is called "{named}".')
        ids = ", ".join(f"{one.platform}:{one.external_id}" for one in found)
        raise NoSuchAccount(f'Several accounts are called "{named}": name one by its id ({ids}).')


def page_of(settings: Settings) -> str:
    """Where browsers find the page, as far as is known here."""
    holder = holder_of(settings.data_dir)
    running = holder.page if holder is not None else None
    return next(iter(settings.web.origins), running or settings.web.address)
