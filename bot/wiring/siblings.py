"""The pet's other processes, as the settings name them."""

import hmac
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import uuid4

from bot.siblings.circle import Siblings
from bot.siblings.client import Sibling
from bot.siblings.values import ProcessStanding
from config.settings import SHARED_OUT, Settings
from memory.retrieval.ranking import Limits
from memory.retrieval.recall import RecallRules

_MARK = 16
"""Characters of the mark of a bot: enough to tell one from another, and no token."""


@asynccontextmanager
async def open_siblings(settings: Settings, *, still: bool) -> AsyncIterator[Siblings]:
    """The other processes, until the body ends; none of a pet that only looks at a copy."""
    key = settings.shared_out.sibling_key
    secret = "" if key is None else key.get_secret_value()
    named = () if still else settings.shared_out.siblings
    siblings = Siblings([Sibling(one, secret) for one in named], secret, SHARED_OUT)
    try:
        yield siblings
    finally:
        await siblings.close()


def standing_of(settings: Settings) -> ProcessStanding:
    """Who this process is, to siblings: its bot by a mark that is made with their key."""
    key, token = settings.shared_out.sibling_key, settings.shared_out.token
    secret = b"" if key is None else key.get_secret_value().encode()
    bot = b"" if token is None else token.get_secret_value().encode()
    mark = hmac.new(secret, bot, "sha256").hexdigest()[:_MARK]
    return ProcessStanding(bot=mark, shards=settings.shared_out.shards, process=uuid4().hex)


def limits_of(rules: RecallRules) -> tuple[Limits, float]:
    """What is injected at most, and the seconds others have once it is looked up here."""
    return rules.limits, 3 * rules.deadline_s
