"""Where candidates come from: the SQL path, full text and vectors, each within a scope."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from itertools import chain, zip_longest
from uuid import UUID

from memory.abilities import runs_into
from memory.adapters.sqlite.messages import Beside
from memory.asked import Asked
from memory.candidates import exchanged, held, in_order, known, listed, overheard, remembered
from memory.kept import Kept
from memory.model import (
    Association,
    Collection,
    GoalCategory,
    Knowledge,
    KnowledgeId,
    KnowledgeKind,
    MemoryId,
    MessageId,
    Room,
    SelfCategory,
    Store,
)
from memory.notes import CHANNEL, NoteChoice
from memory.open_answers import OpenAnswers
from memory.ports import Vectors, VectorSearch
from memory.retrieval import Candidate, Company, Near, Question, Told
from memory.scope import Scope

FIXED = 5
"""Rows each query of the SQL path may bring, most of them without further evidence."""

MOST_CORE_FACTS = 12
"""Core facts about who speaks that are always there: nobody has many, and each is a short line."""

MOST_EXPIRED = 8
"""How many times further a look-up by meaning reaches past what has expired: with hourly sweeps
once is enough, and the store is asked again only where rows are missing."""

MOST_LIMITATIONS = 60
"""The latest that are looked through."""

ACCOMPANIED = 60
"""Lobby messages, best first, whose neighbours are looked at: the others end far below. More, or
more statements, changed nothing on LoCoMo but the time."""

MOST_NOTES = 10
"""Notes that are always at hand: more would leave no room for what was said."""

MOST_PIECES = 60
"""Of each of those, from its beginning, that are looked through: thirty thousand characters."""

SEEDS = 25
"""Statements, best first, whose messages and associations are followed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """How far each source looks: rows per source, and how long "recent" is."""

    vector_results: int
    text_results: int
    recent: timedelta


class Sources:
    """Every way to find a row. Vectors only name ids: each row is read again within the scope."""

    def __init__(
        self,
        kept: Kept,
        index: VectorSearch,
        notes: Callable[[], NoteChoice] = NoteChoice,
    ) -> None:
        self._memories = kept.memories
        self._messages = kept.messages
        self._turns = kept.turns
        self._knowledge = kept.knowledge
        self._notes = kept.notes
        self._choice = notes
        self._associations = kept.associations
        self._open = OpenAnswers(kept)
        self._index = index

    def of_turn(
        self, question: Question, asked: Asked, reach: Reach, now: datetime
    ) -> Mapping[str, Awaitable[list[Candidate]]]:
        """Every look-up of a pre-hook by name, to be run side by side."""
        scope = question.scope
        return {
            "core": self._core(question),
            "speaker": self._about_speaker(question),
            "recent": self._recent(question.room, scope, now - reach.recent),
            "goals": self._goals_about(question),
            "notes": self._notes_at_hand(asked, scope),
            "limitation_text": self._limitations(asked, scope),
            **self._open.to(question, asked, now),
            **self.of_stores(asked, [Store.MEMORY], scope, reach),
            **self.of_history(asked, scope, reach),
            **self.of_knowledge(asked, scope, reach),
        }

    def of_stores(
        self, asked: Asked, stores: Sequence[Store], scope: Scope, reach: Reach
    ) -> Mapping[str, Awaitable[list[Candidate]]]:
        """Statements of these stores, by words and by meaning."""
        found: dict[str, Awaitable[list[Candidate]]] = {
            "memory_text": self._memories_by_text(asked, stores, scope, reach.text_results)
        }
        if asked.vector is not None:
            for store in stores:
                found[f"{store}_vector"] = self._memories_by_vector(
                    asked.vector, store, scope, reach.vector_results
                )
        return found

    def of_history(
        self, asked: Asked, scope: Scope, reach: Reach
    ) -> Mapping[str, Awaitable[list[Candidate]]]:
        """Lobby messages and earlier exchanges, by words and by meaning."""
        found: dict[str, Awaitable[list[Candidate]]] = {
            "history_text": self._turns_by_text(asked, scope, reach.text_results),
            "live_text": self._lobby_by_text(asked, scope, reach.text_results),
        }
        if asked.vector is not None:
            found["history_vector"] = self._turns_by_vector(
                asked.vector, scope, reach.vector_results
            )
            found["live_vector"] = self._lobby_by_vector(asked.vector, scope, reach.vector_results)
        return found

    def of_knowledge(
        self, asked: Asked, scope: Scope, reach: Reach
    ) -> Mapping[str, Awaitable[list[Candidate]]]:
        """Summaries, core facts and notes, by words and by meaning."""
        found: dict[str, Awaitable[list[Candidate]]] = {
            "knowledge_text": self._knowledge_by_text(asked, scope, reach.text_results)
        }
        if asked.vector is not None:
            found["knowledge_vector"] = self._knowledge_by_vector(
                asked, asked.vector, scope, reach.vector_results
            )
        return found

    async def accompanied(
        self, rows: Sequence[Candidate], scope: Scope
    ) -> tuple[list[Candidate], Company]:
        """The rows with their neighbours in the conversation, and what they have to do with these.

        Statements bring the lobby messages they were learnt from.
        """
        statements = _best(rows, Collection.MEMORY)[:SEEDS]
        heard = [MessageId(one.id.int) for one in _best(rows, Collection.LIVE)]
        told, ties = await asyncio.gather(
            self._told([MemoryId(one.id) for one in statements], scope),
            self._ties([MemoryId(one.id) for one in statements], scope),
        )
        behind = [message for _, message in told]
        found = {one.id: one for one in rows}
        tied = {end for one in ties for end in (one.start, one.end)} - found.keys()
        beside = await self._beside(_in_turn(heard, behind)[:ACCOMPANIED], scope)
        near = {one.message for one in beside}
        more = await asyncio.gather(
            self._overheard({*behind, *near} - set(heard), scope), self._tied(tied, scope)
        )
        found |= {one.id: one for one in chain.from_iterable(more)}
        keys = {message: UUID(int=message) for message in {*heard, *behind, *near}}
        return list(found.values()), Company(
            near=tuple(
                Near(of=keys[one.of], row=keys[one.message], offset=one.offset) for one in beside
            ),
            told=tuple(Told(memory=memory, message=keys[message]) for memory, message in told),
            ties=tuple(ties),
        )

    async def outdated(self, rows: Sequence[Candidate]) -> frozenset[UUID]:
        """Messages and exchanges of which nothing that was learnt holds any more."""
        said = [one for one in rows if one.collection is Collection.LIVE]
        exchanged = [one.id for one in rows if one.collection is Collection.CONVERSATIONS]
        return await self._associations.outdated([MessageId(one.id.int) for one in said], exchanged)

    async def _told(
        self, statements: Sequence[MemoryId], scope: Scope
    ) -> list[tuple[MemoryId, MessageId]]:
        return await self._associations.messages_behind(statements, scope) if statements else []

    async def _ties(self, statements: Sequence[MemoryId], scope: Scope) -> list[Association]:
        return await self._associations.around(statements, scope) if statements else []

    async def _beside(self, messages: Sequence[MessageId], scope: Scope) -> list[Beside]:
        return await self._messages.beside(messages, scope) if messages else []

    async def _overheard(self, messages: Iterable[MessageId], scope: Scope) -> list[Candidate]:
        missing = list(messages)
        found = await self._messages.observed(missing, scope) if missing else []
        return list(map(overheard, found))

    async def _tied(self, statements: Iterable[UUID], scope: Scope) -> list[Candidate]:
        missing = list(statements)
        found = await self._memories.visible(missing, scope) if missing else []
        return list(map(remembered, found))

    async def _memories_by_text(
        self, asked: Asked, stores: Sequence[Store], scope: Scope, limit: int
    ) -> list[Candidate]:
        found = await self._memories.by_text(asked.match("memories"), stores, scope, limit)
        return listed("memory_text", remembered, found)

    async def _memories_by_vector(
        self, vector: Vectors, store: Store, scope: Scope, limit: int
    ) -> list[Candidate]:
        """As many as are recalled: what has expired takes nobody's place until it is swept."""
        reach = limit
        while True:
            hits = await self._index.search(store.collection, vector, limit=reach, scope=scope)
            rows = await self._memories.visible([hit.id for hit in hits], scope)
            if len(rows) >= limit or len(hits) < reach or reach >= limit * MOST_EXPIRED:
                break
            reach *= 2
        found = in_order(f"{store}_vector", remembered, hits, {row.id: row for row in rows})
        return found[:limit]

    async def _turns_by_text(self, asked: Asked, scope: Scope, limit: int) -> list[Candidate]:
        found = await self._turns.by_text(asked.match("turns"), scope, limit)
        return listed("history_text", exchanged, found)

    async def _turns_by_vector(self, vector: Vectors, scope: Scope, limit: int) -> list[Candidate]:
        hits = await self._index.search(Collection.CONVERSATIONS, vector, limit=limit, scope=scope)
        rows = await self._turns.visible([hit.id for hit in hits], scope)
        return in_order("history_vector", exchanged, hits, {row.id: row for row in rows})

    async def _lobby_by_text(self, asked: Asked, scope: Scope, limit: int) -> list[Candidate]:
        found = await self._messages.observed_by_text(asked.match("messages"), scope, limit)
        return listed("live_text", overheard, found)

    async def _lobby_by_vector(self, vector: Vectors, scope: Scope, limit: int) -> list[Candidate]:
        hits = await self._index.search(Collection.LIVE, vector, limit=limit, scope=scope)
        rows = await self._messages.visible([MessageId(hit.id.int) for hit in hits], scope)
        by_id = {UUID(int=row.id): row for row in rows}
        return in_order("live_vector", overheard, hits, by_id)

    async def _knowledge_by_text(self, asked: Asked, scope: Scope, limit: int) -> list[Candidate]:
        found = await self._knowledge.by_text(asked.match("knowledge"), scope, limit)
        make = partial(known, wanted=asked.stems)
        return listed("knowledge_text", make, filter(self._is_on, found))

    async def _knowledge_by_vector(
        self, asked: Asked, vector: Vectors, scope: Scope, limit: int
    ) -> list[Candidate]:
        hits = await self._index.search(Collection.KNOWLEDGE, vector, limit=limit, scope=scope)
        rows = await self._knowledge.visible([hit.id for hit in hits], scope)
        make = partial(known, wanted=asked.stems)
        on: dict[UUID, Knowledge] = {row.id: row for row in rows if self._is_on(row)}
        return in_order("knowledge_vector", make, hits, on)

    def _is_on(self, row: Knowledge) -> bool:
        return row.channel != CHANNEL or self._choice().enabled

    async def _notes_at_hand(self, asked: Asked, scope: Scope) -> list[Candidate]:
        """Of each fixed note the piece that says most of what is asked, or else its beginning."""
        paths = self._choice().fixed[:MOST_NOTES]
        pieces = await self._notes.at_hand(paths, scope, MOST_PIECES)
        ids = [id_ for path in paths for id_ in pieces.get(path, ())]
        rows = {row.id: row for row in await self._knowledge.visible(ids, scope)} if ids else {}
        best = [
            max(there, key=lambda row: len(asked.stems.intersection(row.words.split())))
            for path in paths
            if (there := [rows[KnowledgeId(id_)] for id_ in pieces.get(path, ()) if id_ in rows])
        ]
        return listed("notes", partial(known, wanted=asked.stems), best, fixed=True)

    async def _core(self, question: Question) -> list[Candidate]:
        """The core facts of who speaks."""
        if question.person is None:
            return []
        found = await self._knowledge.about(
            question.person, KnowledgeKind.FACT, question.scope, MOST_CORE_FACTS
        )
        return listed("core", held, found, fixed=True)

    async def _about_speaker(self, question: Question) -> list[Candidate]:
        found = await self._memories.important(
            question.speaker, Store.MEMORY, question.scope, FIXED
        )
        return listed("speaker", remembered, found, fixed=True)

    async def _recent(self, room: Room, scope: Scope, since: datetime) -> list[Candidate]:
        """What this room brought in the last hours; being recent is no evidence that it fits."""
        found = await self._memories.recent(Store.MEMORY, scope, since, FIXED, room=room.id)
        return listed("recent", remembered, found)

    async def _goals_about(self, question: Question) -> list[Candidate]:
        found = await self._memories.about(
            [question.speaker],
            Store.GOALS,
            question.scope,
            FIXED,
            category=GoalCategory.CONNECTION,
        )
        return listed("goals", remembered, found, fixed=True)

    async def _limitations(self, asked: Asked, scope: Scope) -> list[Candidate]:
        """What the pet noticed that it cannot do, where that shares words with the question.

        They are few, so they are read whole: full text would score every statement with the words.
        """
        noticed = await self._memories.of_category(
            Store.SELF, SelfCategory.LIMITATION, scope, MOST_LIMITATIONS
        )
        wanted = {stem for term in asked.terms for stem in term.stems}
        shared = {one.id: len(wanted.intersection(one.words.split())) for one in noticed}
        near = [one for one in noticed if shared[one.id]]
        near.sort(key=lambda one: -shared[one.id])
        return [
            remembered(
                one,
                sources={"limitation_text": rank},
                fixed=runs_into(asked.text, one.content),
            )
            for rank, one in enumerate(near[:FIXED], start=1)
        ]


def _best(rows: Sequence[Candidate], collection: Collection) -> list[Candidate]:
    """The rows of one collection by the best of their ranks."""
    those = [one for one in rows if one.collection is collection]
    return sorted(those, key=lambda one: min(one.sources.values()))


def _in_turn(one: Sequence[MessageId], other: Sequence[MessageId]) -> list[MessageId]:
    """The best of each, then the second of each, every message once."""
    pairs = chain.from_iterable(zip_longest(one, other))
    return list(dict.fromkeys(message for message in pairs if message is not None))
