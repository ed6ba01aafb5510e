"""Puts the request of a turn together: what was said before, what is recalled, what is seen."""

from dataclasses import dataclass, replace
from typing import Protocol

from bot.conversation.pictures import Pictures
from bot.conversation.placement import without_name
from bot.conversation.prompt.context import Context
from bot.conversation.prompt.request import PromptRules, compose
from bot.model.requests import ModelRequest
from bot.model.turns import Batch
from bot.texts.wordless import notes_alone
from memory.language.parts.reading import others_words
from memory.model.audience import Scope
from memory.model.retrieval import Question, Retrieval
from memory.storage.people.zones import PersonZones


class Recalling(Protocol):
    """Looks up what is put before the model."""

    async def before(self, question: Question) -> Retrieval:
        """What to inject before this question; never fails."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRules:
    """Who the pet is to people, and the stable part of its requests."""

    names: tuple[str, ...]
    locale: str
    prompt: PromptRules


@dataclass(frozen=True, slots=True, kw_only=True)
class Composed:
    """A request, and what was recalled for it."""

    request: ModelRequest
    retrieval: Retrieval


class Composer:
    """Looks up what belongs to a batch; neither recall nor pictures ever fail a turn."""

    def __init__(
        self, recall: Recalling, pictures: Pictures, zones: PersonZones, rules: TurnRules
    ) -> None:
        self._recall = recall
        self._pictures = pictures
        self._zones = zones
        self._rules = rules

    async def composed(self, batch: Batch, thread: Context, scope: Scope) -> Composed:
        """The request for a batch, with what was recalled for it and the pictures that came."""
        retrieval = await self._recalled(batch, thread, scope)
        pictures = await self._pictures.of(batch)
        zone = await self._zones.of(batch.person.id, scope) or self._rules.prompt.zone
        rules = replace(self._rules.prompt, zone=zone)
        request = compose(batch, thread, retrieval, rules, pictures)
        return Composed(request=request, retrieval=retrieval)

    async def _recalled(self, batch: Batch, thread: Context, scope: Scope) -> Retrieval:
        if batch.is_system:
            return Retrieval(query="", reason="system event")
        if notes_alone(batch.text):
            return Retrieval(query="", reason="no speech")
        replayed = thread.window if self._rules.prompt.replay_injections else ()
        return await self._recall.before(
            Question(
                text=without_name(batch.own_text or batch.text, self._rules.names),
                context=thread.context or _repeated(batch),
                speaker=batch.person.name,
                person=batch.person.id,
                account=batch.account,
                room=batch.room,
                scope=scope,
                window=tuple(turn.id for turn in thread.window),
                replayed=tuple(turn.id for turn in replayed if turn.recalled),
                summarised=tuple(one.id for one in thread.earlier),
                told=thread.told,
                quiet_topics=thread.background.quiet_topics,
            )
        )


def _repeated(batch: Batch) -> str:
    """What a batch quotes or forwards beside its own words: it may be what they are about."""
    if not batch.own_text:
        return ""
    return "\n".join(part.text for one in batch.heard for part in others_words(one.text))
