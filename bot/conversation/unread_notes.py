"""Messages that are only a voice note, a video or a file: who hears that they are not read."""

from collections import OrderedDict
from collections.abc import Collection
from datetime import datetime, timedelta

from bot.agent.toolbox import ToolContext
from bot.conversation.fallback import TurnLoop
from bot.model.requests import ModelRequest
from bot.model.turns import Expression, Reply
from bot.texts.catalogue import say
from bot.texts.choice import language_of
from bot.texts.wordless import notes_alone, reply_to_wordless
from memory.model.parts import NoteKind
from memory.model.people import PersonId
from memory.model.rooms import RoomId
from memory.model.voices import VoiceState

UNREAD = frozenset(
    {
        NoteKind.VOICE,
        NoteKind.AUDIO,
        NoteKind.VIDEO,
        NoteKind.VIDEO_NOTE,
        NoteKind.DOCUMENT,
        NoteKind.OTHER,
    }
)
"""What no model is shown."""

PICTURES = frozenset({NoteKind.PHOTO, NoteKind.ANIMATION})
"""What a model that cannot see is not shown either."""

_UNHEARD = frozenset(VoiceState) - {VoiceState.WAITING, VoiceState.HEARD}

AGAIN_AFTER = timedelta(hours=1)
"""Until a person is informed of a kind again: twenty voice notes are not answered twenty times."""

MOST_TOLD = 10_000
"""The most kinds that are kept in mind; the oldest goes first."""


class UnreadNotices:
    """Which people were told lately that a kind is not read. Pure: time comes in."""

    def __init__(self, unread: Collection[NoteKind]) -> None:
        self._unread = frozenset(unread)
        self._told: OrderedDict[tuple[PersonId, RoomId, NoteKind], datetime] = OrderedDict()

    def answers(self, text: str, person: PersonId, room: RoomId, now: datetime) -> bool:
        """Whether a message is answered; from then on others of nothing but such kinds are not."""
        kinds = notes_alone(text)
        if not kinds or not kinds <= self._unread:
            return True
        due = [one for one in sorted(kinds) if self._is_due((person, room, one), now)]
        for one in due:
            self._tell((person, room, one), now)
        return bool(due)

    def _is_due(self, key: tuple[PersonId, RoomId, NoteKind], now: datetime) -> bool:
        told = self._told.get(key)
        return told is None or now - told >= AGAIN_AFTER

    def _tell(self, key: tuple[PersonId, RoomId, NoteKind], now: datetime) -> None:
        self._told[key] = now
        self._told.move_to_end(key)
        if len(self._told) > MOST_TOLD:
            self._told.popitem(last=False)


class UnreadNotesLoop:
    """Answers a message of nothing but such kinds by itself: a model would know no more of it.

    A voice note that was not heard is told why.
    """

    def __init__(self, by_model: TurnLoop, unread: Collection[NoteKind]) -> None:
        self._by_model = by_model
        self._unread = frozenset(unread)

    async def until_closed(self, request: ModelRequest, context: ToolContext) -> Reply | None:
        """The reply to a request; see `ModelLoop`."""
        kinds = notes_alone(context.batch.text)
        unheard = [one.voice for one in context.batch.heard if one.voice in _UNHEARD]
        if unheard and kinds == {NoteKind.VOICE}:
            sentence = say(f"voice.{unheard[-1]}", language_of(request))
            return Reply(text=sentence, expression=Expression.CURIOUS)
        if kinds and kinds <= self._unread:
            return reply_to_wordless(context.batch.text, language_of(request))
        return await self._by_model.until_closed(request, context)
