"""Who said what where, of the latest messages: for edits, answers and mentions."""

from collections import OrderedDict
from dataclasses import dataclass

from bot.channels.matrix.inbound.contents import relation_of
from bot.channels.matrix.service.json_values import Json, map_in, text_in

MOST_KEPT = 5000
"""Messages that are kept in mind; others are asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownEvent:
    """A message: its room, its author, and the message that its thread began at."""

    room: str
    sender: str
    thread: str | None = None


class KnownEvents:
    """Keeps the latest messages in mind, without their words."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, KnownEvent] = OrderedDict()
        self._reacted_to: OrderedDict[str, str] = OrderedDict()

    def note(self, room: str, event: Json) -> KnownEvent:
        """Keep an event in mind."""
        thread = relation_of(map_in(event, "content")).thread
        known = KnownEvent(room=room, sender=text_in(event, "sender"), thread=thread)
        self._known[text_in(event, "event_id")] = known
        if len(self._known) > MOST_KEPT:
            self._known.popitem(last=False)
        return known

    def of(self, event_id: str) -> KnownEvent | None:
        """What is known of a message; None where that is nothing."""
        return self._known.get(event_id)

    def note_reaction(self, reaction: str, message: str) -> None:
        """Keep in mind to which message a reaction was: once taken back, it does not say."""
        self._reacted_to[reaction] = message
        if len(self._reacted_to) > MOST_KEPT:
            self._reacted_to.popitem(last=False)

    def reacted_to(self, reaction: str) -> str | None:
        """To which message a reaction was; None where that is not known."""
        return self._reacted_to.get(reaction)
