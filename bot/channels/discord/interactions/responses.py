"""What goes back for an interaction: in time, seen by the caller only, again where it failed."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from enum import Enum
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

TRY_S = 0.6
"""For one try to acknowledge: where a server fails, the library would wait one second and then
three before it asks again."""

AGAIN_S = 0.1
"""Between two tries to acknowledge."""

EDIT_S = 10
"""For one try to show an answer."""

EDIT_WAITS_S = (0.5, 1.0, 2.0, 4.0)
"""Between the tries to show an answer; Discord takes it for a quarter of an hour."""

_ALREADY_ACKNOWLEDGED = 40060
_TOO_MANY_REQUESTS = 429
_FAULT_OF_THEIRS = 500

NO_MENTIONS = discord.AllowedMentions.none()


class Acknowledgement(Enum):
    """What Discord knows of an answer to come."""

    TAKEN = "taken"
    REFUSED = "refused"
    """It did not take it and has told the caller that it failed."""
    UNCLEAR = "unclear"
    """It failed, in time or not, and may have taken it all the same."""


class Place(Enum):
    """What became of the place where an answer was to be seen."""

    SETTLED = "settled"
    """The answer is there, or was given up."""
    REFUSED = "refused"
    """Discord does not take this answer there."""
    GONE = "gone"


async def acknowledged(
    interaction: Interaction, respond: Callable[[], Awaitable[object]]
) -> Acknowledgement:
    """Whether Discord knows that this interaction is answered; tried until it would be too late.

    One that is acknowledged already counts: its first try may have been cut after it was taken,
    and what was done already is not done again.
    """
    tries = _Tries(interaction, respond)
    try:
        async with asyncio.timeout(ACKNOWLEDGE_S):
            return await tries.until_settled()
    except TimeoutError:
        log.warning("acknowledgement.missed", interaction=interaction.id)
        return Acknowledgement.UNCLEAR


class _Tries:
    """The tries to acknowledge one interaction."""

    def __init__(self, interaction: Interaction, respond: Callable[[], Awaitable[object]]) -> None:
        self._interaction = interaction
        self._respond = respond
        self._has_failed = False

    async def until_settled(self) -> Acknowledgement:
        """Try until Discord has taken it, or says no."""
        while True:
            try:
                async with asyncio.timeout(TRY_S):
                    await self._respond()
            except discord.HTTPException as error:
                if not _may_pass(error):
                    return self._refused(error)
            except (aiohttp.ClientError, OSError) as error:
                reason = type(error).__name__  # what it says may hold the token of the interaction
                log.debug("acknowledgement.failed", interaction=self._interaction.id, reason=reason)
            else:
                return Acknowledgement.TAKEN
            self._has_failed = True
            await asyncio.sleep(AGAIN_S)

    def _refused(self, error: discord.HTTPException) -> Acknowledgement:
        id_, status, code = self._interaction.id, error.status, error.code
        log.info("acknowledgement.refused", interaction=id_, status=status, code=code)
        if error.code == _ALREADY_ACKNOWLEDGED:
            return Acknowledgement.TAKEN
        return Acknowledgement.UNCLEAR if self._has_failed else Acknowledgement.REFUSED


async def show(interaction: Interaction, pages: Sequence[AnswerPage]) -> bool:
    """Put an answer in the place of what was acknowledged: the first page that is not refused.

    False where there is no such place.
    """
    for page in pages:
        outcome = await _settled(interaction, page)
        if outcome is not Place.REFUSED:
            return outcome is Place.SETTLED
    return True


async def _settled(interaction: Interaction, page: AnswerPage) -> Place:
    """What became of a page."""
    for wait_s in (*EDIT_WAITS_S, None):
        try:
            async with asyncio.timeout(EDIT_S):
                await _edit(interaction, page)
        except discord.HTTPException as error:
            reason = f"{error.status} {error.code}"
            if not _may_pass(error):
                log.warning("answer.refused", interaction=interaction.id, reason=reason)
                return Place.GONE if isinstance(error, discord.NotFound) else Place.REFUSED
        except (aiohttp.ClientError, OSError) as error:
            reason = type(error).__name__
        else:
            return Place.SETTLED
        log.info("answer.delayed", interaction=interaction.id, reason=reason)
        if wait_s is not None:
            await asyncio.sleep(wait_s)
    log.warning("answer.lost", interaction=interaction.id)
    return Place.SETTLED


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
