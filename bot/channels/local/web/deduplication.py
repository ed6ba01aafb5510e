"""Which messages a page has from the history already, when they also arrive as they happen."""

from collections.abc import Iterable
from datetime import timedelta

from bot.channels.local.ports import Shown
from memory.model.messages import AuthorKind, Message

CLOSE = timedelta(seconds=2)
"""Most time between when a message is stored and shown."""


def shown_of(message: Message) -> Shown:
    """A message of the history as a room shows it."""
    return Shown(
        key=f"history:{message.id}",
        kind=message.author_kind,
        author=message.author,
        text=message.text,
        sent_at=message.sent_at,
    )


class ShownOnce:
    """The end of a history, which absorbs what it told already.

    A room is subscribed to before its history is read, so that nothing is lost in between; what
    came twice because of that is dropped here, once for each message.
    """

    def __init__(self, told: Iterable[Shown]) -> None:
        self._told = list(told)

    def absorb(self, event: Shown) -> bool:
        """Whether this event was told by the history; each telling absorbs one event."""
        echo = next((shown for shown in self._told if _same(shown, event)), None)
        if echo is not None:
            self._told.remove(echo)
        return echo is not None


def continues(shown: Shown, before: Shown | None, within: timedelta) -> bool:
    """Whether a message goes on where its author stopped, within this time."""
    return (
        before is not None
        and shown.kind is not AuthorKind.SYSTEM
        and (shown.kind, shown.author) == (before.kind, before.author)
        and timedelta(0) <= shown.sent_at - before.sent_at <= within
    )


def _same(one: Shown, other: Shown) -> bool:
    return (
        (one.kind, one.author) == (other.kind, other.author)
        and one.text.split() == other.text.split()
        and abs(one.sent_at - other.sent_at) <= CLOSE
    )
