"""What was said before in a conversation: its session, its window and what came before that."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from bot.model.turns import Batch
from memory.model.audience import Scope
from memory.model.conversations import NewTurn, Session, Turn
from memory.rules.compaction import Checkpoint
from memory.storage.conversations.messages import Messages
from memory.storage.conversations.summaries import Summaries
from memory.storage.conversations.turns import Turns


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """A session with the turns a model is shown, oldest first.

    `earlier` is what came before these: the end of the last conversation there, then the
    checkpoints of this one. `context` is the message the batch quotes, or the pet's last question;
    "" when there is neither.
    """

    session: Session
    window: tuple[Turn, ...]
    context: str
    earlier: tuple[Checkpoint, ...] = ()


class ContextBuilder:
    """Opens the thread a batch belongs to; a session ends after `idle` of silence.

    The window begins after the last checkpoint and grows until there is another one.
    """

    def __init__(
        self, turns: Turns, messages: Messages, summaries: Summaries, *, idle: timedelta
    ) -> None:
        self._turns = turns
        self._messages = messages
        self._summaries = summaries
        self._idle = idle

    async def of(self, batch: Batch, scope: Scope) -> Context:
        """The thread of a batch, with a new session when the last one ended."""
        session = await self._turns.session(batch.person.id, batch.room.id, self._idle)
        window = await self._turns.window(session.id, scope)
        stale = await self._turns.stale([turn.id for turn in window], scope)
        window = [replace(t, recalled=()) if t.id in stale else t for t in window]
        return Context(
            session=session,
            window=tuple(window),
            context=await self._quoted(batch) or _last_question(window),
            earlier=tuple(await self._summaries.before(session.id, scope)),
        )

    async def keep(self, turn: NewTurn) -> Turn:
        """Store a turn; from here on its reply survives a crash."""
        return await self._turns.keep(turn)

    async def end_idle(self) -> int:
        """End the sessions that have been silent for long enough; how many."""
        return await self._turns.end_idle(self._idle)

    async def _quoted(self, batch: Batch) -> str:
        for heard in reversed(batch.heard):
            if heard.reply_to is None:
                continue
            quoted = await self._messages.by_external_id(heard.channel, heard.reply_to)
            # A platform id of another room must not bring that room's words here.
            if quoted is not None and quoted.room == batch.room.id:
                return quoted.text
        return ""


def _last_question(window: Sequence[Turn]) -> str:
    asked = window[-1].reply if window else ""
    return asked if asked.rstrip().endswith("?") else ""
