"""What was said before in a conversation: its session, its window and what came before that."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from uuid import UUID

from bot.model.turns import Batch
from memory.language.parts.reading import own_words
from memory.language.questions.going_on import looked_up_with
from memory.model.audience import Scope
from memory.model.conversations import NewTurn, Session, SessionBackground, Turn
from memory.model.messages import TurnId
from memory.model.room_excerpts import RoomExcerpt
from memory.model.rooms import Room, RoomKind
from memory.rules.compaction import Checkpoint
from memory.storage.conversations.messages import Messages
from memory.storage.conversations.room_excerpts import RoomExcerpts
from memory.storage.conversations.session_backgrounds import SessionBackgrounds
from memory.storage.conversations.summaries import Summaries
from memory.storage.conversations.turns import Turns


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """A session with the turns a model is shown, oldest first.

    `earlier` is what came before these: the end of the last conversation there, then the
    checkpoints of this one. `context` is the message the batch quotes, or the pet's last question
    and what the person said before, where the batch goes on with it; "" when there is none.
    `excerpt` is what the room said since the last turn, `excerpts` what each turn of the window
    was told of it. `background` is what the session began with. `last_talk` are the last turns of
    the conversation before, where the two were alone and no summary tells of it.
    """

    session: Session
    window: tuple[Turn, ...]
    context: str
    excerpt: RoomExcerpt
    background: SessionBackground = field(default_factory=SessionBackground)
    excerpts: Mapping[TurnId, RoomExcerpt] = field(default_factory=dict)
    earlier: tuple[Checkpoint, ...] = ()
    last_talk: tuple[Turn, ...] = ()

    @property
    def told(self) -> frozenset[UUID]:
        """The messages and statements that stand before the model without being recalled."""
        excerpts = (self.excerpt, *self.excerpts.values())
        return self.background.ids | {line.id for one in excerpts for line in one.lines}


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What is known of where a session is: what its room says, and what it began with."""

    excerpts: RoomExcerpts
    backgrounds: SessionBackgrounds


class ContextBuilder:
    """Opens the thread a batch belongs to; a session ends after `idle` of silence.

    The window begins after the last checkpoint and grows until there is another one.
    """

    def __init__(
        self,
        turns: Turns,
        messages: Messages,
        summaries: Summaries,
        surroundings: Surroundings,
        *,
        idle: timedelta,
    ) -> None:
        self._turns = turns
        self._messages = messages
        self._summaries = summaries
        self._surroundings = surroundings
        self._idle = idle

    async def of(self, batch: Batch, scope: Scope) -> Context:
        """The thread of a batch, with a new session when the last one ended."""
        session = await self._turns.session(batch.person.id, batch.room.id, self._idle)
        window = await self._turns.window(session.id, scope)
        answered = [one.message for one in batch.heard]
        excerpts = self._surroundings.excerpts
        stale = await self._turns.stale([turn.id for turn in window], scope)
        window = [replace(t, recalled=()) if t.id in stale else t for t in window]
        earlier = tuple(await self._summaries.before(session.id, scope))
        last_talk = await self._last_talk(session, batch.room, earlier, scope)
        return Context(
            session=session,
            window=tuple(window),
            context=await self._quoted(batch)
            or _talk_so_far(batch.own_text, window or _written_first(last_talk)),
            excerpt=await excerpts.latest(session, batch.room, answered, scope),
            excerpts=await excerpts.of(window, batch.room, scope),
            background=await self._surroundings.backgrounds.of(session, batch.person.name, scope),
            earlier=earlier,
            last_talk=last_talk,
        )

    async def _last_talk(
        self, session: Session, room: Room, earlier: Sequence[Checkpoint], scope: Scope
    ) -> tuple[Turn, ...]:
        is_told = any(one.session != session.id for one in earlier)
        if is_told or room.kind is not RoomKind.DIRECT:
            return ()
        return tuple(await self._turns.last_talk(session, scope))

    async def keep(self, turn: NewTurn) -> Turn:
        """Store a turn; from here on its reply survives a crash."""
        return await self._turns.keep(turn)

    async def end_idle(self) -> int:
        """End the sessions that have been silent for long enough; how many."""
        return await self._turns.end_idle(self._idle)

    async def _quoted(self, batch: Batch) -> str:
        for heard in reversed(batch.heard):
            if heard.arrival.reply_to is None:
                continue
            quoted = await self._messages.by_external_id(heard.channel, heard.arrival.reply_to)
            # A platform id of another room must not bring that room's words here.
            if quoted is not None and quoted.room == batch.room.id:
                return quoted.text
        return ""


def _written_first(last_talk: Sequence[Turn]) -> Sequence[Turn]:
    """What the pet wrote first and is not answered yet: a talk may begin with the answer."""
    return [one for one in last_talk[-1:] if not one.text]


def _talk_so_far(text: str, window: Sequence[Turn]) -> str:
    """What a message may answer, or go on with."""
    before = looked_up_with(text, [own_words(turn.text) for turn in window])
    return f"{_last_question(window)}\n{before}".strip()


def _last_question(window: Sequence[Turn]) -> str:
    asked = window[-1].reply if window else ""
    return asked if asked.rstrip().endswith("?") else ""
