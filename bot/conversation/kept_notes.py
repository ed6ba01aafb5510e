"""The note beside a reply that says what was kept of a person's words, to who asked for it."""

from collections.abc import Sequence
from typing import Protocol

from bot.model.turns import Outgoing
from bot.texts.catalogue import say
from bot.texts.choice import spoken_locale
from bot.texts.provenance import SHOWN_ID
from bot.texts.sanitizing import extract
from memory.language.parts.reading import own_words
from memory.model.conversations import Turn
from memory.model.listing import KeptStatement
from memory.model.people import PersonId
from memory.model.rooms import Room, RoomKind

MOST_ROWS = 5
"""Statements of one note: it stands under an answer and is no list."""

LONGEST_ROW = 160
"""Characters of each, so that it is one line."""


class UnseenStatements(Protocol):
    """Knows what was kept of a person's words that they have not seen yet."""

    async def take(self, person: PersonId) -> Sequence[KeptStatement]:
        """What there is, in order, for who wants to see it; from now on they have."""
        ...

    async def give_back(self, person: PersonId, kept: Sequence[KeptStatement]) -> None:
        """Note that what was taken could not be shown."""
        ...


class KeptNoteWriter:
    """Writes the notes. What they say is read when they are sent and stored nowhere."""

    def __init__(self, unseen: UnseenStatements, *, locale: str) -> None:
        self._unseen = unseen
        self._locale = locale

    async def take(self, room: Room, turn: Turn) -> Outgoing | None:
        """The note that goes with a reply; each statement is handed out once.

        There is none in a group, nor beside what answers no words, such as a reminder.
        """
        if room.kind is not RoomKind.DIRECT or not turn.text or not turn.said:
            return None
        kept = await self._unseen.take(turn.person)
        if not kept:
            return None
        locale = spoken_locale(own_words(turn.text), self._locale)
        lines = [_line(one, locale) for one in kept[:MOST_ROWS]]
        if len(kept) > MOST_ROWS:
            lines.append(say("kept_note.more", locale, count=len(kept) - MOST_ROWS))
        nonce = f"kept:{turn.id}"
        return Outgoing(room=room, text="\n".join(lines), nonce=nonce, kept=tuple(kept))

    async def give_back(self, turn: Turn, note: Outgoing) -> None:
        """Let what no platform took be shown with a later reply."""
        await self._unseen.give_back(turn.person, note.kept)


def _line(one: KeptStatement, locale: str) -> str:
    """What was kept, in the place of what, and the two lines to type where it is wrong."""
    old = "; ".join(extract(words, LONGEST_ROW) for words in one.replaced)
    key = "kept_note.line_instead" if old else "kept_note.line"
    content = extract(one.content, LONGEST_ROW)
    return say(key, locale, content=content, old=old, id=one.id.hex[:SHOWN_ID])
