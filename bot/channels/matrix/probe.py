"""A look at the homeserver by requests alone: whether the session works, and what waits there."""

import asyncio
from collections.abc import Collection
from importlib.util import find_spec
from pathlib import Path

from bot.channels.matrix.findings import MatrixLook, MatrixSight
from bot.channels.matrix.inbound.sync import news_in
from bot.channels.matrix.invitations import inviter_in, is_allowed
from bot.channels.matrix.service.account import HomeserverAccount
from bot.channels.matrix.service.homeserver import INVITATIONS, Homeserver, TokenRefused
from bot.channels.matrix.service.login import kept_token
from bot.errors import DeliveryFailed

LIMIT_S = 5.0
"""Seconds the whole look may take: the caller of the doctor waits for it."""


def is_installed() -> bool:
    """Whether the library is there, with what encrypts."""
    return all(find_spec(name) is not None for name in ("nio", "vodozemac", "peewee"))


async def look_at(
    account: HomeserverAccount, folder: Path | None, allowed: Collection[str]
) -> MatrixLook:
    """What the session is good for now; never fails, at worst says why it could not be seen."""
    if not is_installed():
        return MatrixLook(sight=MatrixSight.MISSING)
    token = account.token or kept_token(account, folder)
    homeserver = Homeserver(account.homeserver, token)
    try:
        async with asyncio.timeout(LIMIT_S):
            await homeserver.versions()
            if token is None:
                return MatrixLook(sight=MatrixSight.NO_SESSION)
            return await _seen(homeserver, account, allowed)
    except TokenRefused:
        return MatrixLook(sight=MatrixSight.REFUSED)
    except (DeliveryFailed, TimeoutError):
        return MatrixLook(sight=MatrixSight.UNREACHABLE)
    finally:
        await homeserver.close()


async def _seen(
    homeserver: Homeserver, account: HomeserverAccount, allowed: Collection[str]
) -> MatrixLook:
    user, device = await homeserver.who_am_i()
    if account.user_id not in {None, user}:
        return MatrixLook(sight=MatrixSight.OTHER_ACCOUNT, account=user)
    news = news_in(await homeserver.standing(INVITATIONS))
    inviters = [inviter_in(state, user) for state in news.invited.values()]
    return MatrixLook(
        sight=MatrixSight.WORKS,
        account=user,
        device=device,
        rooms=len(news.joined),
        ignored=sum(not is_allowed(one, allowed) for one in inviters),
    )
