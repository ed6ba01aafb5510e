"""THE PATH: a batch in, silently helped by what the pet remembers, a reply out."""

from typing import Protocol

import structlog

from bot.agent.toolbox import ToolContext
from bot.conversation.composer import Composer, TurnRules
from bot.conversation.delivery import Delivery
from bot.conversation.prompt.context import Context, ContextBuilder
from bot.errors import BotError
from bot.model.requests import ModelRequest
from bot.model.turns import Batch, Effects, Expression, Reply
from bot.texts.catalogue import say
from bot.texts.choice import spoken_locale
from bot.texts.wordless import notes_alone
from memory.language.detection import nothing_to_look_up
from memory.language.questions.asking import share_that_asks
from memory.model.audience import scope_of
from memory.model.conversations import NewTurn
from memory.model.retrieval import Retrieval
from memory.retrieval.askings import only_asks

log = structlog.get_logger()


class Answering(Protocol):
    """Comes to a reply."""

    async def until_closed(self, request: ModelRequest, context: ToolContext) -> Reply | None:
        """The reply to a request; None when there is none that can be used.

        Raises:
            BotError: there is none, and why.

        """
        ...


class AnswerTurn:
    """What happens between a batch and its delivered reply."""

    def __init__(
        self,
        composer: Composer,
        loop: Answering,
        contexts: ContextBuilder,
        delivery: Delivery,
        rules: TurnRules,
    ) -> None:
        self._composer = composer
        self._loop = loop
        self._contexts = contexts
        self._delivery = delivery
        self._rules = rules

    async def think(self, batch: Batch, effects: Effects) -> NewTurn:
        """Answer one batch, silently helped by what the pet remembers; nothing is sent yet."""
        async with self._delivery.typing(batch.room):
            return await self._thought(batch, effects)

    async def _thought(self, batch: Batch, effects: Effects) -> NewTurn:
        scope = scope_of(batch.room, batch.person.id, batch.heard[-1].arrival.spaces)
        thread = await self._contexts.of(batch, scope)
        composed = await self._composer.composed(batch, thread, scope)
        context = ToolContext(batch=batch, scope=scope, effects=effects)
        try:
            reply, error = await self._loop.until_closed(composed.request, context), None
        except BotError as failure:
            log.warning("answer.failed", error=type(failure).__name__, reason=str(failure))
            reply, error = None, str(failure)
        return self._drafted(context, thread, composed.retrieval, reply, error)

    async def recalled(self, batch: Batch) -> Retrieval:
        """What would be recalled for a batch now; no model is asked, and nothing is kept."""
        scope = scope_of(batch.room, batch.person.id, batch.heard[-1].arrival.spaces)
        thread = await self._contexts.of(batch, scope)
        return (await self._composer.composed(batch, thread, scope)).retrieval

    async def apologise(self, batch: Batch) -> None:
        """Say that this batch could not be answered, after an unforeseen error."""
        scope = scope_of(batch.room, batch.person.id, batch.heard[-1].arrival.spaces)
        thread = await self._contexts.of(batch, scope)
        context = ToolContext(batch=batch, scope=scope)
        nothing = Retrieval(query="", reason="the turn failed")
        await self.answer(self._drafted(context, thread, nothing, None, "turn failed"))

    async def answer(self, turn: NewTurn) -> None:
        """Store the reply, then deliver it."""
        kept = await self._contexts.keep(turn)
        delivered = await self._delivery.deliver(turn.room, kept, spoken=kept.reply)
        log.info(
            "turn.replied",
            turn=str(kept.id),
            delivered=delivered,
            room=turn.room.id,
            messages=len(turn.messages),
            injected=len(turn.retrieval.lines) if turn.retrieval else 0,
            recall_ms=round(turn.retrieval.took_ms, 1) if turn.retrieval else 0,
        )

    def _drafted(
        self,
        context: ToolContext,
        thread: Context,
        retrieval: Retrieval,
        reply: Reply | None,
        error: str | None,
    ) -> NewTurn:
        batch = context.batch
        said = reply or self._apology(batch)
        is_answered = reply is not None and reply.failure is None
        return NewTurn(
            session=thread.session,
            room=batch.room,
            channel=batch.heard[-1].channel,
            speaker=batch.person.name,
            text=batch.text,
            messages=tuple(one.message for one in batch.heard),
            recalled=retrieval.own_lines,
            reply=said.text,
            expression=said.expression,
            searchable=not context.effects.forgot
            and not retrieval.given  # its owner answers who asks again
            and (is_answered or _tells(batch.text))
            and self._says_something(batch, context),
            pet_name=self._rules.names[0],
            notice=said.notice,
            excerpt=thread.excerpt,
            retrieval=retrieval,
            error=error or said.failure,
            tools=tuple(context.used),
            listed=tuple(row.ref for row in context.rows.values() if row.ref),
        )

    def _apology(self, batch: Batch) -> Reply:
        """One sentence to the one who speaks; no model ever reads it."""
        language = spoken_locale(batch.own_text, self._rules.locale)
        notice = say("turn.cannot_think", language)
        return Reply(text="", notice=notice, expression=Expression.SLEEPY)

    def _says_something(self, batch: Batch, context: ToolContext) -> bool:
        """Whether a batch is more than a note or a greeting; after "yes" a tool may tell more."""
        if batch.is_system or notes_alone(batch.text):
            return False
        return bool(context.used) or not nothing_to_look_up(batch.text, self._rules.names)


def _tells(text: str) -> bool:
    """Whether words say something: a question alone does not, "it is on Monday, you see?" does."""
    before_tag = text.rpartition(",")[0].strip()
    return not only_asks(text) or (bool(before_tag) and not share_that_asks(before_tag))
