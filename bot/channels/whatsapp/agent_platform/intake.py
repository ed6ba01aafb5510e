"""Stores what an agent was told, before the platform is asked for more."""

from collections.abc import Sequence
from itertools import groupby

import structlog

from bot.model.events import Inbound, ReactionsChanged
from bot.ports import Hearing
from memory.model.errors import StorageFailed

log = structlog.get_logger()

Told = Inbound | ReactionsChanged


async def store(inbox: Hearing, events: Sequence[Told]) -> None:
    """Hand events on in order; one that is a fault of this program's costs itself alone.

    Raises:
        StorageFailed: not all are stored; hand them in again.

    """
    for _, together in groupby(events, lambda event: isinstance(event, Inbound)):
        await _together(inbox, list(together))


async def _together(inbox: Hearing, events: Sequence[Told]) -> None:
    messages = [event for event in events if isinstance(event, Inbound)]
    try:
        if messages:
            await inbox.receive_all(messages)
        else:
            for event in events:
                await inbox.receive(event)
    except StorageFailed:
        raise
    except Exception:
        log.exception("event.failed", events=len(events))
        if len(events) > 1:
            for event in events:
                await _together(inbox, [event])
