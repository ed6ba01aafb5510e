"""One request to Discord: bounded in time, and what goes wrong in our words."""

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import TypeVar

import aiohttp
import discord

from bot.errors import DeliveryFailed

T = TypeVar("T")

UNREADABLE = (LookupError, TypeError, ValueError, AttributeError)
"""What the library dies of when something that Discord says is not what it expects."""


class RequestRefused(DeliveryFailed):
    """Discord understood the request and says no; `code` is its own number for why, 0 for none."""

    def __init__(self, message: str, *, status: int, code: int) -> None:
        super().__init__(message)
        self.status = status
        self.code = code


@dataclass(frozen=True, slots=True)
class _Failed:
    error: DeliveryFailed


async def requested(work: Awaitable[T], *, limit_s: float) -> T:
    """What the request comes to within the limit.

    A request that takes longer is left to end by itself and not cancelled: the library would
    then hold back every other request for ever if it was waiting out a limit of the whole bot.

    Raises:
        DeliveryFailed: away, overloaded, too slow, or it refuses everybody.
        RequestRefused: it refuses this request.

    """
    try:
        async with asyncio.timeout(limit_s):
            outcome = await asyncio.shield(_outcome(work))
    except TimeoutError:
        raise DeliveryFailed(f"Discord did not answer within {limit_s:g} seconds.") from None
    if isinstance(outcome, _Failed):
        raise outcome.error
    return outcome


async def _outcome(work: Awaitable[T]) -> T | _Failed:
    """The result, or the error as a value: there may be no caller left to receive it raised."""
    try:
        return await work
    except discord.RateLimited as error:
        wait_s = error.retry_after
        return _Failed(DeliveryFailed(f"Discord asks to wait for {wait_s:.0f} seconds."))
    except discord.HTTPException as error:
        return _Failed(_told(error))
    except (aiohttp.ClientError, OSError, TimeoutError) as error:
        return _Failed(DeliveryFailed(f"Discord cannot be reached ({type(error).__name__})."))
    except (RuntimeError, *UNREADABLE) as error:
        # A session closed meanwhile, or an answer that is not what the library reads.
        name = type(error).__name__
        return _Failed(DeliveryFailed(f"Discord gave no answer that can be read ({name})."))


def _told(error: discord.HTTPException) -> DeliveryFailed:
    """A refusal has a status below 500 and a number of Discord's; a proxy's has no number."""
    about = f"{error.status}, code {error.code}"
    if error.status in _OF_EVERYBODY or error.status >= 500:
        return DeliveryFailed(f"Discord does not take anything for now ({about}).")
    if error.status == 403 and not error.code:
        return DeliveryFailed(f"Something before Discord refuses the request ({about}).")
    return RequestRefused(f"Discord refuses it ({about}).", status=error.status, code=error.code)


_OF_EVERYBODY = frozenset({401, 408, 429})
"""Statuses about the token or the load, which are not about one message."""
