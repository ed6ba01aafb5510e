"""One request to a service: within its time, and without its pictures where those are refused."""

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from bot.errors import ModelTooSlow
from bot.llm.service.options import ServiceOptions
from bot.llm.service.refusals import PicturesRefused, without_pictures
from bot.model.requests import ModelRequest

log = structlog.get_logger(__name__)

Post = Callable[[ModelRequest], Awaitable[bytes]]
"""Sends a request; the bytes of a successful answer. Raises the errors of `Model`."""


async def answered(request: ModelRequest, post: Post, options: ServiceOptions) -> bytes:
    """The bytes of a successful answer, within the time limit of the request.

    Raises:
        ModelTooSlow: no answer within the limit.
        BotError: what `post` raises.

    """
    limit_s = options.limit_s(request)
    try:
        # The SDKs sleep for as long as any Retry-After says, so the limit is ours.
        async with asyncio.timeout(limit_s) as limit:
            return await _shown(request, post, options)
    except TimeoutError:
        if not limit.expired():
            raise
        raise ModelTooSlow(f"The model did not answer within {limit_s:g} seconds.") from None


async def _shown(request: ModelRequest, post: Post, options: ServiceOptions) -> bytes:
    """The answer to a request; to one without its pictures where those are not taken."""
    try:
        return await post(request)
    except PicturesRefused as refused:
        log.info("pictures.refused", model=options.model, reason=str(refused))
    return await post(without_pictures(request))
