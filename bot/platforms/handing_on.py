"""Hands events to the inbox: in order, messages in a row together, one that fails alone."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from itertools import groupby

from bot.model.events import Inbound, InboundEvent
from bot.platforms.room_queues import MOST_TOGETHER
from bot.ports import Hearing
from memory.model.errors import StorageFailed
from memory.tasks import Boundary

Together = tuple[list[InboundEvent], datetime | None]
"""What is stored in one transaction, and since when it was missed; None for what is said now."""


def batches(
    events: Iterable[InboundEvent],
    missed_at: Callable[[Inbound], datetime | None] = lambda _: None,
) -> Iterator[Together]:
    """The events in order: messages of one time in a row together, all others one by one.

    `missed_at` says of a message when the pet came back, if it was away when it was said.
    """

    def kind(event: InboundEvent) -> tuple[bool, datetime | None]:
        is_message = isinstance(event, Inbound)
        return is_message, missed_at(event) if isinstance(event, Inbound) else None

    for (is_message, moment), row in groupby(events, kind):
        found, step = list(row), MOST_TOGETHER if is_message else 1
        yield from ((found[at : at + step], moment) for at in range(0, len(found), step))


async def store(
    inbox: Hearing, together: Sequence[InboundEvent], missed_at: datetime | None = None
) -> None:
    """Store events of one batch; where a fault of this program's stops them, one by one.

    Raises:
        StorageFailed: the disk refuses; hand them in again.

    """
    with Boundary("event.failed", passing=(StorageFailed,), events=len(together)) as boundary:
        messages = [event for event in together if isinstance(event, Inbound)]
        if messages:
            await inbox.receive_all(messages, missed_at=missed_at)
        else:
            for event in together:
                await inbox.receive(event)
    if boundary.failed and len(together) > 1:
        for event in together:
            await store(inbox, [event], missed_at)
