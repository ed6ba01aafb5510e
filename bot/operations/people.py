"""The operations behind `eko people`."""

from collections.abc import AsyncIterator

from bot.operations import requests
from bot.operations.caller import OperationCaller
from bot.operations.json import Event
from bot.wiring.app import App
from memory.model.linking import Account, Splitting
from memory.model.people import AccountId


class PeopleOperations:
    """Shows the operator whose account is whose; joins two, and takes one out of its person."""

    def __init__(self, app: App, caller: OperationCaller) -> None:
        self._app = app
        self._caller = caller

    async def listed(self, _request: requests.NoArguments) -> AsyncIterator[Event]:
        """Every account, person by person."""
        known = await self._app.storage.accounts.listed()
        yield {
            "result": {
                "accounts": [
                    {"person": one.person, "account": one.account, "name": one.name}
                    for one in known
                ]
            }
        }

    async def split(self, request: requests.SplitAccountRequest) -> AsyncIterator[Event]:
        """Show what splitting an account off would move, or do it."""
        accounts, account = self._app.storage.accounts, AccountId(request.account)
        splitting = (
            await accounts.split(account, self._caller.signature)
            if request.yes
            else await accounts.preview(account)
        )
        yield {"result": _splitting_json(splitting) | {"done": request.yes}}

    async def join(self, request: requests.JoinAccountsRequest) -> AsyncIterator[Event]:
        """Show what putting an account to the person of another would move, or do it."""
        accounts, account = self._app.storage.accounts, AccountId(request.account)
        joined = await accounts.preview_join(account, AccountId(request.other))
        if request.yes:
            joined = await accounts.attach(account, joined.person, self._caller.signature)
        yield {
            "result": {
                "accounts": [_account_json(one) for one in joined.accounts],
                "counts": dict(joined.counts),
                "done": request.yes,
            }
        }


def _splitting_json(splitting: Splitting) -> dict[str, object]:
    return {
        "leaving": _account_json(splitting.leaving),
        "staying": [_account_json(one) for one in splitting.staying],
        "counts": dict(splitting.counts),
    }


def _account_json(one: Account) -> dict[str, str]:
    return {"platform": one.platform, "name": one.name}
