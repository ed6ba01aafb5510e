"""Check-ins in the words of a language model; the rule's sentence where it fails."""

import asyncio
import hashlib
from dataclasses import replace
from datetime import datetime

import structlog

from bot.errors import BotError
from bot.model.requests import ModelRequest, Purpose, UserMessage
from bot.model.text_limits import shortened
from bot.ports import Model
from bot.texts.checkins import CheckinTexts, language_of, with_farewell
from memory.model.checkins import CheckinRoom, CheckinRule, Occasion

log = structlog.get_logger()

MAX_TOKENS = 200
"""Room for two sentences in any language."""

LONGEST = 300
"""Characters of a check-in: a longer one is none."""

PATIENCE_S = 30
"""Seconds for the model: the moment of a check-in passes."""


class ModelCheckinWording:
    """Asks a model once to say what the rule's sentence says; `prompt` is how."""

    def __init__(self, model: Model, texts: CheckinTexts, *, prompt: str) -> None:
        self._model = model
        self._texts = texts
        self._prompt = prompt

    async def words(self, place: CheckinRoom, occasion: Occasion, now: datetime) -> str:
        """The model's message, or the rule's sentence."""
        plain = self._texts.by_rule(place, occasion, now)
        said = self._texts.by_rule(replace(place, unanswered=0), occasion, now)
        try:
            async with asyncio.timeout(PATIENCE_S):
                reply = await self._model.complete(_request(self._prompt, place, occasion, said))
        except (BotError, TimeoutError) as error:
            log.info("checkin.worded_by_rule", reason=str(error) or type(error).__name__)
            return plain
        told = " ".join(reply.text.split()).strip('"')
        if reply.stop_reason in {"length", "refusal"} or not _may_be_sent(told, occasion):
            log.info("checkin.worded_by_rule", reason=reply.stop_reason)
            return plain
        return with_farewell(place, told, language_of(place, occasion))


def _request(prompt: str, place: CheckinRoom, occasion: Occasion, plain: str) -> ModelRequest:
    return ModelRequest(
        system=prompt,
        messages=(UserMessage(text=_fenced(place, occasion, plain), speaker=""),),
        tools=(),
        purpose=Purpose.CHECKIN,
        max_tokens=MAX_TOKENS,
        person=occasion.person,
        space=place.room.space,
        room=place.room.id,
    )


def _may_be_sent(told: str, occasion: Occasion) -> bool:
    """Whether words are one short message; what asks ends with its question."""
    asks = occasion.rule in {CheckinRule.OUTCOME, CheckinRule.PROMISE}
    return 0 < len(told) <= LONGEST and (told.endswith("?") or not asks)


def _fenced(place: CheckinRoom, occasion: Occasion, plain: str) -> str:
    """What the message is about, between marks that nothing inside can close."""
    where = "to the person alone" if place.is_direct else "to a group"
    inside = "\n".join(
        (
            f"Occasion: {occasion.rule}, {where}",
            f"Person: {occasion.name}",
            f"Their words: {shortened(' '.join(occasion.words.split()))}",
            f"A plain sentence for it: {plain}",
        )
    )
    mark = hashlib.sha256(inside.encode(errors="replace")).hexdigest()[:12]
    return (
        f"<occasion {mark}>\n{inside}\n</occasion {mark}>\nLanguage: {language_of(place, occasion)}"
    )
