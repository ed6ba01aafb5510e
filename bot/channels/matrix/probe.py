"""A look at the homeserver by requests alone: whether the session works, and what waits there."""

import asyncio
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from bot.channels.matrix.channel import MatrixChannel
from bot.channels.matrix.findings import MatrixLook, MatrixSight
from bot.channels.matrix.inbound.sync import news_in
from bot.channels.matrix.invitations import inviter_in, is_allowed
from bot.channels.matrix.service.account import HomeserverAccount
from bot.channels.matrix.service.cross_signing import is_vouched_for
from bot.channels.matrix.service.homeserver import INVITATIONS, Homeserver, TokenRefused
from bot.channels.matrix.service.login import kept_token
from bot.errors import DeliveryFailed
from bot.ports import Platform

LIMIT_S = 5.0
"""Seconds the whole look may take: the caller of the doctor waits for it."""


def with_standing(look: MatrixLook, here: Platform | None) -> MatrixLook:
    """The same with what the open channel knows of its connection, if there is one."""
    if not isinstance(here, MatrixChannel):
        return look
    if look.sight is MatrixSight.NO_SESSION and here.is_refused:
        return replace(look, sight=MatrixSight.PASSWORD_REFUSED)
    standing = here.standing
    return look if standing is None else replace(look, standing=standing)


async def look_at(
    account: HomeserverAccount, folder: Path | None, allowed: Collection[str]
) -> MatrixLook:
    """What the session is good for now; never fails, at worst says why it could not be seen."""
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
    keys = await homeserver.keys_of(user)
    news = news_in(await homeserver.standing(INVITATIONS))
    inviters = [inviter_in(state, user) for state in news.invited.values()]
    return MatrixLook(
        sight=MatrixSight.WORKS,
        account=user,
        device=device,
        is_signed=is_vouched_for(keys, user, device),
        rooms=await homeserver.joined_rooms(),
        ignored=sum(not is_allowed(one, allowed) for one in inviters),
    )
