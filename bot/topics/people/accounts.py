"""The operations behind `eko people`."""

from typing import Annotated

from pydantic import Field

from bot.surfaces.operations import TopicOperations, operation
from bot.surfaces.requests import NoArguments, OperationRequest
from bot.surfaces.values import Event
from memory.model.people import AccountId


class SplitAccountRequest(OperationRequest):
    """Take an account out of its person, or only show what that would move."""

    account: Annotated[str, Field(min_length=3, max_length=300)]
    yes: bool = False


class JoinAccountsRequest(OperationRequest):
    """Put an account to the person of another one, or only show what that would move."""

    account: Annotated[str, Field(min_length=3, max_length=300)]
    other: Annotated[str, Field(min_length=3, max_length=300)]
    yes: bool = False


class PeopleOperations(TopicOperations):
    """Shows the operator whose account is whose; joins two, and takes one out of its person."""

    @operation("people")
    async def listed(self, _request: NoArguments) -> Event:
        """Every account, person by person."""
        return {"accounts": await self._app.storage.accounts.listed()}

    @operation("split_account")
    async def split(self, request: SplitAccountRequest) -> Event:
        """Show what splitting an account off would move, or do it."""
        accounts, account = self._app.storage.accounts, AccountId(request.account)
        splitting = (
            await accounts.split(account, self._caller.signature)
            if request.yes
            else await accounts.preview(account)
        )
        return {
            "leaving": splitting.leaving,
            "staying": splitting.staying,
            "counts": splitting.counts,
            "done": request.yes,
        }

    @operation("join_accounts")
    async def join(self, request: JoinAccountsRequest) -> Event:
        """Show what putting an account to the person of another would move, or do it."""
        accounts, account = self._app.storage.accounts, AccountId(request.account)
        joined = await accounts.preview_join(account, AccountId(request.other))
        if request.yes:
            joined = await accounts.attach(account, joined.person, self._caller.signature)
        return {"accounts": joined.accounts, "counts": joined.counts, "done": request.yes}
