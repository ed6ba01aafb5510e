"""The tools that keep, for the turn of a person and nowhere else."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Annotated

from pydantic import Field

from bot.agent.toolbox import Arguments, Run, Tool, ToolAnswer, ToolContext
from bot.agent.tools.listing import Listing, show
from bot.model.tool_values import StatementForgotten, StatementStored
from bot.model.turns import Batch
from memory.language.names import names_in
from memory.language.parts.provenance import only_repeats
from memory.language.text import stems, words
from memory.learning.store import StatementWriter, Stored
from memory.model.audience import Audience, Origin, audience_of
from memory.model.authority import Actor
from memory.model.errors import EkoMemoryError, ForgottenBefore
from memory.model.people import PersonId
from memory.model.settings import InForce, Tuning
from memory.model.statements import (
    GoalCategory,
    Memory,
    MemoryId,
    MemoryType,
    NewMemory,
    SelfCategory,
    Source,
)
from memory.model.stores import Store
from memory.model.ttl import parse_ttl
from memory.statements.extraction.sentences import is_marked_joke
from memory.statements.readings.decision import is_correction
from memory.storage.statements.statements import Memories

_TYPES = {Store.SELF: MemoryType.OBSERVATION, Store.GOALS: MemoryType.GOAL}

_TELLING = 4
"""Words in a row that two texts do not share by chance."""

Content = Annotated[str, Field(min_length=1, max_length=2000)]
Subject = Annotated[str, Field(min_length=1, max_length=80)]
Ttl = Annotated[str | None, Field(default=None)]
"""Told once, with `store_memory`."""
Replaces = Annotated[
    list[Annotated[str, Field(max_length=300)]], Field(default_factory=list, max_length=8)
]
"""Rows, as the model was shown them; told once, too."""


class NewStatement(Arguments):
    """A statement about people and their world."""

    content: Content
    memory_type: MemoryType = MemoryType.FACT
    subjects: Annotated[list[Subject], Field(default_factory=list, max_length=12)]
    importance: Annotated[float | None, Field(default=None, ge=0, le=1)]
    ttl: Annotated[Ttl, Field(description='How long it stays true, like "7d".')]
    replaces: Annotated[Replaces, Field(description="What it ends: ids, or its words.")]


class NewSelf(Arguments):
    """Something the pet noticed about itself."""

    content: Content
    category: SelfCategory
    ttl: Ttl
    replaces: Replaces


class NewGoal(Arguments):
    """Something the pet wants."""

    content: Content
    category: GoalCategory
    subjects: Annotated[
        list[Subject],
        Field(
            default_factory=list,
            max_length=12,
        ),
    ]
    ttl: Ttl


class WritingTools:
    """What a model can keep; who said it and who may know it is the daemon's word.

    `tuning` says how long lasts what a model keeps without saying so.
    """

    def __init__(
        self,
        writer: StatementWriter,
        memories: Memories,
        listing: Listing,
        tuning: InForce = Tuning,
    ) -> None:
        self._writer = writer
        self._memories = memories
        self._listing = listing
        self._tuning = tuning

    @property
    def of_turn(self) -> tuple[Tool, ...]:
        """What a turn may keep."""
        return (
            Tool(
                "store_memory",
                "Keep one statement about people.",
                NewStatement,
                self._store_memory,
                stores=True,
            ),
            Tool(
                "store_self",
                "Keep something you noticed about yourself.",
                NewSelf,
                self._storing(Store.SELF),
                stores=True,
            ),
            Tool(
                "store_goal",
                "Keep something you want.",
                NewGoal,
                self._storing(Store.GOALS),
                stores=True,
            ),
        )

    async def _store_memory(self, arguments: NewStatement, context: ToolContext) -> ToolAnswer:
        if _is_concluded(arguments.content, context):
            raise NobodySaid("That is your own conclusion and nobody said it: it is not stored.")
        speaker = context.batch.person
        if is_marked_joke(context.batch.own_text):
            raise NobodySaid("The person says that this is a joke: it is not stored.")
        if only_repeats(arguments.content, speaker.name, [one.text for one in context.batch.heard]):
            raise NobodySaid(_REPEATED)
        new = NewMemory(
            store=Store.MEMORY,
            content=arguments.content,
            origin=origin_of(context.batch),
            source=Source.CONVERSATION,
            memory_type=arguments.memory_type,
            subjects=tuple(arguments.subjects),
            importance=arguments.importance,
            ttl=self._ttl(arguments, arguments.memory_type),
            said_by=speaker.name,
            author=speaker.id,
            corrects=is_correction(context.batch.own_text),
            beside=context.batch.own_text,
            messages=tuple(one.message for one in context.batch.heard),
        )
        return await self._kept(new, arguments.replaces, context)

    def _storing(self, store: Store) -> Run:
        async def keep(arguments: NewSelf | NewGoal, context: ToolContext) -> ToolAnswer:
            new = NewMemory(
                store=store,
                content=arguments.content,
                origin=origin_of(context.batch),
                source=Source.CONVERSATION,
                memory_type=_TYPES[store],
                category=arguments.category,
                subjects=_subjects(arguments, context.batch.person.name),
                author=context.batch.person.id,
                corrects=is_correction(context.batch.own_text),
                ttl=self._ttl(arguments, arguments.category),
                messages=tuple(one.message for one in context.batch.heard),
            )
            return await self._kept(new, _replaced(arguments), context)

        return keep

    async def _rows_named(
        self, named: Sequence[str], store: Store, context: ToolContext
    ) -> dict[str, MemoryId | None]:
        """The rows that are named, by the ids they were listed under or by their words."""
        return {
            one: context.shown.get(one) or await self._worded(one, store, context) for one in named
        }

    async def _worded(self, words: str, store: Store, context: ToolContext) -> MemoryId | None:
        """The row that says these words, as a block of the request showed it.

        What the pet finds out to be may end what it wants.
        """
        words = _AGE.sub("", words)
        said = set(stems(words))
        near = [
            one
            for each in ((Store.SELF, Store.GOALS) if store is Store.SELF else (store,))
            for one in (
                await self._memories.alike(words, each, context.scope, _MOST_ALIKE) if said else []
            )
        ]
        shares = {one.id: _share(said, set(stems(one.content))) for one in near}
        best = max(shares, key=lambda one: shares[one], default=None)
        return best if best is not None and shares[best] >= _SAME_WORDS else None

    async def _kept(
        self, new: NewMemory, replaces: Sequence[str], context: ToolContext
    ) -> ToolAnswer:
        """What became of a statement; it is stored though what it replaces is not found."""
        context.effects.changed = True
        named = await self._rows_named(replaces, new.store, context)
        new = replace(new, ends=tuple(dict.fromkeys(one for one in named.values() if one)))
        try:
            stored = await self._writer.store(new, speaker_in(context))
        except ForgottenBefore as refusal:
            return ToolAnswer(str(refusal), StatementForgotten())
        told = _in_words(stored, context)
        if missing := [one for one, row in named.items() if row is None]:
            told = f"{told} Not found, so nothing is replaced: {'; '.join(missing)}."
        told += await self._left(stored, new, context)
        beside = (one for one in stored.beside if one.id not in new.ends)
        near = [one for one in beside if _is_near(new, one)][:MOST_BESIDE]
        if near and not stored.replaced:
            rows = await self._listing.of_memories(near, context)
            told = f"{told} {_STAYS}\n{rows.text}"
        return ToolAnswer(told, StatementStored(is_new=stored.is_new))

    async def _left(self, stored: Stored, new: NewMemory, context: ToolContext) -> str:
        """Which of what a statement was said to replace stays, and why."""
        gone = {stored.id, *(one.id for one in (*stored.replaced, *stored.closed))}
        left = [one for one in new.ends if one not in gone]
        rows = await self._memories.visible(left, context.scope) if left else []
        own, here = speaker_in(context).person, audience_of(new.origin)
        return "".join(f" It stays: {one.content} ({_why_left(one, own, here)})." for one in rows)

    def _ttl(self, arguments: NewStatement | NewSelf | NewGoal, kind: str) -> timedelta | None:
        """How long it lasts: as the model says, null being for ever, or else as its kind does."""
        if "ttl" in arguments.model_fields_set:
            return parse_ttl(arguments.ttl)
        return self._tuning().ttl_of(kind)


_MOST_ALIKE = 5
_SAME_WORDS = 0.7
"""The share of words that a row and the words it is named by have in common at least."""

_AGE = re.compile(r"\s\([^()]{1,80}\)$")
"""What a block adds to a row: how long ago it was said."""

MOST_BESIDE = 4
"""Rows shown that stay beside what was stored: what it updates is among the nearest."""

_STAYS = "Beside it stay (store it again with `replaces` if one of these is over by it):"


def _why_left(kept: Memory, own: PersonId | None, here: Audience) -> str:
    if kept.store is Store.MEMORY and kept.author != own:
        return "others said it"
    return "it tells more" if audience_of(kept.origin) == here else "others were told it elsewhere"


def _is_near(new: NewMemory, kept: Memory) -> bool:
    """Whether a row is by or of the same person, of the same thing, or the pet's own as well."""
    if new.store is not Store.MEMORY or kept.author == new.author:
        return True
    named = {one.casefold() for one in new.subjects}
    return not named.isdisjoint(one.casefold() for one in kept.subjects)


class NobodySaid(EkoMemoryError):
    """What a tool returned, or a person repeats of another, was about to be kept as their words."""


_REPEATED = (
    "Those are words that the person quotes or forwards, not their own: they are not stored. The"
    " message itself is found again as what it is."
)


def _in_words(stored: Stored, context: ToolContext) -> str:
    id_ = show(stored.id, context)
    closed = "".join(f" It closes the {_named(old)}: {old.content}" for old in stored.closed)
    replaced = "".join(f" It takes the place of: {old.content}" for old in stored.replaced)
    what = "Stored" if stored.is_new else "Known already"
    return f"{what} [id {id_}].{replaced}{closed}"


def _named(closed: Memory) -> str:
    return (closed.category or "").replace("_", " ")


def _is_concluded(content: str, context: ToolContext) -> bool:
    """Whether these are the words of a branch and not of the person who is being answered."""
    stated = words(content)
    if len(stated) < _TELLING or _holds(words(context.batch.text), stated):
        return False
    return any(_holds(words(conclusion), stated) for conclusion in context.concluded)


def _holds(said: Sequence[str], stated: Sequence[str]) -> bool:
    return f" {' '.join(stated)} " in f" {' '.join(said)} "


def speaker_in(context: ToolContext) -> Actor:
    """The person of a turn by their own word: whatever else they may, talk is no command."""
    return Actor(person=context.batch.person.id)


def origin_of(batch: Batch) -> Origin:
    """Where what a turn keeps was said, which decides who may ever know it."""
    room = batch.room
    return Origin(
        visibility=room.visibility,
        person=batch.person.id,
        room=room.id,
        space=room.space,
        account=batch.account,
    )


def _share(said: set[str], told: set[str]) -> float:
    return len(said & told) / max(1, len(said | told))


def _replaced(arguments: NewSelf | NewGoal) -> Sequence[str]:
    """What a statement about the pet ends; a wish ends nothing."""
    return () if isinstance(arguments, NewGoal) else arguments.replaces


def _subjects(arguments: NewSelf | NewGoal, speaker: str) -> tuple[str, ...]:
    """Whom a goal is about; the speaker when it names them and the model gave no subjects."""
    if isinstance(arguments, NewSelf):
        return ()
    return tuple(arguments.subjects) or tuple(names_in(arguments.content, [speaker]))
