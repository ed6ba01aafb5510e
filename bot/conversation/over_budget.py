"""Answering when the day's budget is used up: from memory, by rules, and said so."""

from dataclasses import replace

import structlog

from bot.agent.loop import ModelLoop
from bot.agent.toolbox import RESPOND, ToolContext
from bot.errors import BudgetExhausted
from bot.model.requests import ModelRequest
from bot.model.turns import Reply
from bot.texts.catalogue import say
from bot.texts.choice import spoken_locale

log = structlog.get_logger()


class ThriftyLoop:
    """Asks the model while there is a budget for it; then answers from memory, by rules."""

    def __init__(self, by_model: ModelLoop[Reply], by_rules: ModelLoop[Reply]) -> None:
        self._by_model = by_model
        self._by_rules = by_rules

    async def until_closed(self, request: ModelRequest, context: ToolContext) -> Reply | None:
        """The reply to a request; one that was found by rules says so first.

        Raises:
            BotError: the model failed in another way.

        """
        try:
            return await self._by_model.until_closed(request, context)
        except BudgetExhausted as error:
            log.info("model.spared", room=context.batch.room.id, reason=str(error))
        # What the model has stored already must not be stored again in other words.
        asked = replace(request, force=RESPOND) if context.effects.changed else request
        reply = await self._by_rules.until_closed(asked, context)
        if reply is None or context.batch.is_system:
            return reply
        notice = say("turn.from_memory", spoken_locale(context.batch.text, request.locale))
        return replace(reply, text=f"{notice}\n{reply.text}")
