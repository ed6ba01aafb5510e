"""The operations behind `eko people`."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from bot.surfaces.names import NotOne
from bot.surfaces.operations import TopicOperations, operation
from bot.surfaces.requests import NoArguments, OperationRequest
from bot.surfaces.values import Event
from bot.transfer.history.inbounds import hidden_id
from memory.model.errors import UnknownAccount
from memory.model.histories import HISTORY
from memory.model.linking import OwnedAccount
from memory.model.people import AccountId, PersonId, account_id, account_parts

MOST_NAMED = 20
"""Accounts of one name that are told apart by their ids."""


_Text = Annotated[str, Field(min_length=1, max_length=300)]


class SplitAccountRequest(OperationRequest):
    """Take accounts of one person out of it, or only show what that would move."""

    account: _Text
    others: tuple[_Text, ...] = ()
    yes: bool = False


class JoinAccountsRequest(OperationRequest):
    """Join the person of an account with that of another, or only show what becomes known."""

    account: _Text
    other: _Text
    yes: bool = False


class PeopleOperations(TopicOperations):
    """Shows the operator whose account is whose; joins two people, and takes accounts out."""

    @operation("people")
    async def listed(self, _request: NoArguments) -> Event:
        """Every account, person by person."""
        return {"accounts": await self._app.storage.accounts.listed()}

    @operation("split_account")
    async def split(self, request: SplitAccountRequest) -> Event:
        """Show what splitting accounts off would move, or do it."""
        accounts = self._app.storage.accounts
        owned = [await self._account(one) for one in (request.account, *request.others)]
        account, *others = [one.account for one in owned]
        splitting = (
            await accounts.split(account, self._caller.signature, *others)
            if request.yes
            else await accounts.preview(account, *others)
        )
        return {
            "accounts": owned,
            "leaving": splitting.leaving,
            "others": splitting.others,
            "staying": splitting.staying,
            "counts": splitting.counts,
            "done": request.yes,
        }

    @operation("join_accounts")
    async def join(self, request: JoinAccountsRequest) -> Event:
        """Show what joining two people makes known to whom, or do it."""
        people = self._app.storage.joined_people
        merged, survivor = await self._person(request.account), await self._person(request.other)
        joined = (
            await people.join(merged, survivor, self._caller.signature)
            if request.yes
            else await people.preview(merged, survivor)
        )
        return {"join": joined, "done": request.yes}

    async def _account(self, text: str) -> OwnedAccount:
        """The one account that is meant.

        Raises:
            UnknownAccount: there is none.
            NotOne: it is several.

        """
        found = await self._called(text)
        if len(found) > 1:
            raise _which(text, found)
        return found[0]

    async def _person(self, text: str) -> PersonId:
        """The one person whose accounts are meant.

        Raises:
            UnknownAccount: there is none.
            NotOne: it is several people's.

        """
        found = await self._called(text)
        if len({one.person for one in found}) > 1:
            raise _which(text, found)
        return found[0].person

    async def _called(self, text: str) -> list[OwnedAccount]:
        text = text.strip()
        accounts = self._app.storage.accounts
        found = await accounts.called(text) or await accounts.called(_in_files(text))
        if not found:
            raise UnknownAccount(f'Nothing was ever said from an account called "{text}".')
        return found


def _in_files(text: str) -> AccountId:
    """What an account is called where files alone tell of it."""
    return account_id(HISTORY, hidden_id(*account_parts(text)))


def _which(text: str, found: Sequence[OwnedAccount]) -> NotOne:
    told = ", ".join(f"{one.account} ({one.name})" for one in found[:MOST_NAMED])
    return NotOne(f'Several accounts are called "{text}": name one by its id: {told}.')
