"""Whether Meta hands the messages of a business account to the pet's app: not all do by themselves.

https://developers.facebook.com/docs/graph-api/reference/whats-app-business-account/subscribed_apps/
"""

from collections.abc import Sequence

import structlog

from bot.channels.whatsapp.cloud.graph import GraphApi
from bot.channels.whatsapp.service.findings import SubscriptionSight
from bot.errors import DeliveryFailed

log = structlog.get_logger()

MOST_ACCOUNTS = 10
"""Business accounts of one token that are looked through for the pet's number."""


class WebhookSubscription:
    """Looks at the subscription of the pet's app, and makes it where it is missing."""

    def __init__(self, graph: GraphApi, business_account_id: str) -> None:
        self._graph = graph
        self._chosen = business_account_id

    async def look(self) -> SubscriptionSight:
        """How it stands; never fails, at worst it is not known."""
        account = self._chosen
        try:
            token = await self._graph.token()
            account = account or await self._account_of_number(token.accounts)
            if not account:
                return SubscriptionSight()
            apps = await self._graph.subscribed_apps(account)
        except DeliveryFailed:
            return SubscriptionSight(account=account)
        is_there = token.app in apps if token.app else bool(apps)
        return SubscriptionSight(account=account, subscribed=is_there)

    async def make(self) -> None:
        """Subscribe where Meta says that it is missing and lets the token; never fails."""
        sight = await self.look()
        if sight.subscribed is not False:
            return
        try:
            await self._graph.subscribe(sight.account)
        except DeliveryFailed as error:
            log.warning("subscription.refused", account=sight.account, reason=str(error))
        else:
            log.info("webhook.subscribed", account=sight.account)

    async def _account_of_number(self, accounts: Sequence[str]) -> str:
        """Which of the token's accounts has the pet's number; "" for none of them."""
        for account in accounts[:MOST_ACCOUNTS]:
            if await self._graph.has_number(account):
                return account
        return ""
