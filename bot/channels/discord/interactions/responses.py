"""What goes back for an interaction: in time, seen by the caller only, again where it failed."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from io import BytesIO

import aiohttp
import discord
import structlog

from bot.channels.discord.interactions.buttons import view_of_page
from bot.channels.discord.interactions.invocation import Interaction
from bot.model.commands import Attached
from bot.platforms.paged_answer import AnswerPage

log = structlog.get_logger()

ACKNOWLEDGE_S = 2.8
"""Discord forgets an interaction that was not acknowledged within three seconds."""

AGAIN_S = 0.3
"""Between two tries to acknowledge."""

EDIT_S = 10
"""For one try to show an answer."""

EDIT_WAITS_S = (0.5, 1.0, 2.0, 4.0)
"""Between the tries to show an answer; Discord takes it for a quarter of an hour."""

_ALREADY_ACKNOWLEDGED = 40060
_TOO_MANY_REQUESTS = 429
_FAULT_OF_THEIRS = 500

NO_MENTIONS = discord.AllowedMentions.none()


async def acknowledged(interaction: Interaction, respond: Callable[[], Awaitable[object]]) -> bool:
    """Whether Discord knows that this interaction is answered; tried until it would be too late.

    One that is acknowledged already counts: its first try may have been cut after it was taken,
    and what was done already is not done again.
    """
    try:
        async with asyncio.timeout(ACKNOWLEDGE_S):
            return await _until_settled(interaction, respond)
    except TimeoutError:
        log.warning("interaction.lost", interaction=interaction.id)
        return False


async def _until_settled(
    interaction: Interaction, respond: Callable[[], Awaitable[object]]
) -> bool:
    while True:
        try:
            await respond()
        except discord.HTTPException as error:
            if not _may_pass(error):
                return _refused(interaction, error)
        except (aiohttp.ClientError, OSError) as error:
            reason = type(error).__name__  # what it says may hold the token of the interaction
            log.debug("acknowledgement.failed", interaction=interaction.id, reason=reason)
        else:
            return True
        await asyncio.sleep(AGAIN_S)


def _refused(interaction: Interaction, error: discord.HTTPException) -> bool:
    known = error.code == _ALREADY_ACKNOWLEDGED
    log.info(
        "acknowledgement.refused", interaction=interaction.id, status=error.status, code=error.code
    )
    return known


async def show(interaction: Interaction, pages: Sequence[AnswerPage]) -> None:
    """Put an answer in the place of what was acknowledged: the first page that is not refused."""
    for page in pages:
        if await _settled(interaction, page):
            return


async def _settled(interaction: Interaction, page: AnswerPage) -> bool:
    """Whether nothing is left to be done about a page: taken, or given up; refused is neither."""
    for wait_s in (*EDIT_WAITS_S, None):
        try:
            async with asyncio.timeout(EDIT_S):
                await _edit(interaction, page)
        except discord.HTTPException as error:
            reason = f"{error.status} {error.code}"
            if not _may_pass(error):
                log.warning("answer.refused", interaction=interaction.id, reason=reason)
                return isinstance(error, discord.NotFound)
        except (aiohttp.ClientError, OSError) as error:
            reason = type(error).__name__
        else:
            return True
        log.info("answer.delayed", interaction=interaction.id, reason=reason)
        if wait_s is not None:
            await asyncio.sleep(wait_s)
    log.warning("answer.lost", interaction=interaction.id)
    return True


async def _edit(interaction: Interaction, page: AnswerPage) -> None:
    files = [] if page.file is None else [_file(page.file)]
    await interaction.edit_original_response(
        content=page.content,
        view=view_of_page(page),
        attachments=files,
        allowed_mentions=NO_MENTIONS,
    )


def _file(attached: Attached) -> discord.File:
    return discord.File(BytesIO(attached.content), filename=attached.name)


def _may_pass(error: discord.HTTPException) -> bool:
    return error.status >= _FAULT_OF_THEIRS or error.status == _TOO_MANY_REQUESTS
