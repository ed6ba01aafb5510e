"""Rows as recall weighs them: straight from the columns, from one snapshot within one scope."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import lru_cache, partial
from typing import Any, NamedTuple
from uuid import UUID

from memory.model.audience import Scope
from memory.model.knowledge import KnowledgeKind
from memory.model.messages import MessageId
from memory.model.people import PersonId
from memory.model.recalled import REPLIED
from memory.model.retrieval import Candidate, Near, Section
from memory.model.rooms import RoomId
from memory.model.statements import MemoryType
from memory.model.stores import Collection, Store
from memory.ports import Hit
from memory.rules.notes.chunks import as_told
from memory.storage.sqlite.readers import Snapshot
from memory.storage.sqlite.rows import Row, audiences, json_list, millis, millis_in, moment, queries

_SQL = queries("search/candidates")

CONVERSATION = timedelta(hours=1)
"""Two neighbours that are further apart than this are not one conversation."""

_CACHED = 16_384
"""Messages whose keys are cached, because the same neighbours are found again and again."""

_APART = "\x1f"
"""What separates the subjects of a statement in the view `recalled_memories`."""

_STATED: Mapping[str, Section] = {
    Store.MEMORY: Section.MEMORY,
    Store.SELF: Section.SELF,
    Store.GOALS: Section.GOALS,
}

_COLLECTIONS: Mapping[str, Collection] = {store: store.collection for store in Store}

_KNOWN: Mapping[str, Section] = {
    KnowledgeKind.FACT: Section.MEMORY,
    KnowledgeKind.SUMMARY: Section.SUMMARIES,
    KnowledgeKind.NOTE: Section.NOTES,
}


@dataclass(frozen=True, slots=True)
class RowSource:
    """Where rows come from, by name; `proven` ones need no further evidence."""

    name: str
    proven: bool = False


NOWHERE = RowSource("")
"""The source of rows that are read by id, which have no rank."""


class _Found(NamedTuple):
    """How a row was found: its rank in its source, its similarity, whether that is proof enough."""

    sources: dict[str, int]
    similarity: float | None
    proven: bool


_Make = Callable[[Row, _Found], Candidate]


class CandidateRows:
    """Everything that recall may consider. Rows come best first, with their ranks from 1 on."""

    def __init__(
        self,
        snapshot: Snapshot,
        scope: Scope,
        now: datetime,
        wanted: AbstractSet[str] = frozenset(),
    ) -> None:
        """`wanted` are the stems that a piece of a note is cut around."""
        self._snapshot = snapshot
        self._bound = {"audiences": audiences(scope), "now": millis(now)}
        self._known = partial(_known, wanted)

    def statements(self, ids: Iterable[UUID]) -> list[Candidate]:
        """Those of these statements that are recalled at all, in no order."""
        return self._read("statements", NOWHERE, _stated, ids=json_list(map(str, ids)))

    def statements_by_meaning(self, source: RowSource, hits: Sequence[Hit]) -> list[Candidate]:
        """Those that a search by meaning named, as near as it says."""
        return self._named("statements", source, _stated, hits)

    def statements_by_text(
        self, source: RowSource, match: str, stores: Sequence[Store], limit: int
    ) -> list[Candidate]:
        """Statements of these stores that an FTS5 query finds, best first (bm25)."""
        values = {"match": match, "stores": json_list(stores), "limit": limit}
        return self._read("statements_by_text", source, _stated, **values) if match else []

    def statements_since(
        self, source: RowSource, store: Store, room: RoomId, since: datetime, limit: int
    ) -> list[Candidate]:
        """The latest statements of a room since a moment, newest first."""
        values = {"store": store, "room": room, "since": millis(since), "limit": limit}
        return self._read("statements_recent", source, _stated, **values)

    def statements_between(
        self, source: RowSource, store: Store, start: datetime, end: datetime, limit: int
    ) -> list[Candidate]:
        """What was said from a moment to before another, the most important first."""
        values = {"store": store, "start": millis(start), "end": millis(end), "limit": limit}
        return self._read("statements_between", source, _stated, **values)

    def statements_about(
        self,
        source: RowSource,
        names: Iterable[str],
        store: Store,
        limit: int,
        *,
        category: str | None = None,
        memory_type: MemoryType | None = None,
    ) -> list[Candidate]:
        """Statements that have one of these names among their subjects, freshest first."""
        values = {
            "names": json_list(names),
            "store": store,
            "category": category,
            "memory_type": memory_type,
            "limit": limit,
        }
        return self._read("statements_about", source, _stated, **values)

    def important_statements(
        self,
        source: RowSource,
        name: str,
        store: Store,
        limit: int,
        person: PersonId | None = None,
    ) -> list[Candidate]:
        """Statements over 0.8 in importance with this name among their subjects, best first.

        Statements about another person of the same name than `person` are left out.
        """
        values = {"name": name, "store": store, "limit": limit, "person": person}
        return self._read("statements_important", source, _stated, **values)

    def words_of_category(self, store: Store, category: str, limit: int) -> dict[UUID, str]:
        """The stems of the latest statements of one category, newest first."""
        values = self._bound | {"store": store, "category": category, "limit": limit}
        rows = self._snapshot.all(_SQL["words_of_category"], values)
        return {UUID(id_): words for id_, words in rows}

    def latest_own(self, source: RowSource, store: Store, limit: int) -> list[Candidate]:
        """The latest of what the pet says of itself, or wants, newest first."""
        return self._read("statements_latest", source, _stated, store=store, limit=limit)

    def messages(self, ids: Iterable[MessageId]) -> list[Candidate]:
        """Those of these messages that still exist, whatever their audience, in no order."""
        return self._read("messages", NOWHERE, _overheard, ids=json_list(ids))

    def overheard(self, ids: Iterable[MessageId]) -> list[Candidate]:
        """Those of these messages that were overheard in a lobby and still exist, in no order."""
        return self._read("overheard", NOWHERE, _overheard, ids=json_list(ids))

    def messages_by_meaning(self, source: RowSource, hits: Sequence[Hit]) -> list[Candidate]:
        """Those that a search by meaning named, as near as it says."""
        return self._named("messages", source, _overheard, hits)

    def overheard_by_text(self, source: RowSource, match: str, limit: int) -> list[Candidate]:
        """Lobby messages that an FTS5 query finds, best first (bm25)."""
        values = {"match": match, "limit": limit}
        return self._read("overheard_by_text", source, _overheard, **values) if match else []

    def overheard_between(
        self, source: RowSource, start: datetime, end: datetime, limit: int
    ) -> list[Candidate]:
        """Lobby messages from a moment to before another, those that say most first."""
        values = {"start": millis(start), "end": millis(end), "limit": limit}
        return self._read("overheard_between", source, _overheard, **values)

    def exchanges(self, ids: Iterable[UUID]) -> list[Candidate]:
        """Those of these exchanges that were delivered and say something, in no order."""
        return self._read("exchanges", NOWHERE, _exchanged, ids=json_list(map(str, ids)))

    def exchanges_by_meaning(self, source: RowSource, hits: Sequence[Hit]) -> list[Candidate]:
        """Those that a search by meaning named, as near as it says."""
        return self._named("exchanges", source, _exchanged, hits)

    def exchanges_by_text(self, source: RowSource, match: str, limit: int) -> list[Candidate]:
        """Exchanges that an FTS5 query finds, best first (bm25)."""
        values = {"match": match, "limit": limit}
        return self._read("exchanges_by_text", source, _exchanged, **values) if match else []

    def exchanges_between(
        self, source: RowSource, person: PersonId, start: datetime, end: datetime, limit: int
    ) -> list[Candidate]:
        """Exchanges with a person from a moment to before another, latest first."""
        values = {"person": person, "start": millis(start), "end": millis(end), "limit": limit}
        return self._read("exchanges_between", source, _exchanged, **values)

    def knowledge(self, ids: Iterable[UUID]) -> list[Candidate]:
        """Those of these summaries, core facts and notes that are found at all, in no order."""
        values = {"ids": json_list(map(str, ids)), "without": None}
        return self._read("knowledge", NOWHERE, self._known, **values)

    def knowledge_by_meaning(
        self, source: RowSource, hits: Sequence[Hit], *, without: str | None = None
    ) -> list[Candidate]:
        """Those that a search by meaning named, as near as it says.

        `without` is a channel whose rows are left out.
        """
        return self._named("knowledge", source, self._known, hits, without=without)

    def knowledge_by_text(
        self, source: RowSource, match: str, limit: int, *, without: str | None = None
    ) -> list[Candidate]:
        """Rows that an FTS5 query finds, best first (bm25)."""
        values = {"match": match, "limit": limit, "without": without}
        return self._read("knowledge_by_text", source, self._known, **values) if match else []

    def core_facts(self, source: RowSource, person: PersonId, limit: int) -> list[Candidate]:
        """The core facts of a person, as those of who speaks, newest first."""
        values = {"about": person, "kind": KnowledgeKind.FACT, "limit": limit}
        return self._read("knowledge_about", source, _core, **values)

    def summaries_between(
        self, source: RowSource, start: datetime, end: datetime, limit: int
    ) -> list[Candidate]:
        """Summaries that speak of the time from a moment to before another, newest first."""
        kind = KnowledgeKind.SUMMARY
        values = {"kind": kind, "start": millis(start), "end": millis(end), "limit": limit}
        return self._read("knowledge_between", source, self._known, **values)

    def pieces_of(self, paths: Sequence[str], most: int) -> dict[str, list[UUID]]:
        """The first `most` pieces of the notes at these paths."""
        found: dict[str, list[UUID]] = {}
        values = self._bound | {"paths": json_list(paths), "most": most}
        for path, piece in self._snapshot.all(_SQL["at_hand"], values) if paths else ():
            found.setdefault(path, []).append(UUID(piece))
        return found

    def beside(self, messages: Sequence[MessageId]) -> list[Near]:
        """What was said in the lobby right before and right after each of these messages."""
        values = self._bound | {"ids": json_list(messages), "reach": millis_in(CONVERSATION)}
        rows = self._snapshot.all(_SQL["beside"], values) if messages else []
        return [
            Near(row=message_key(id_), of=message_key(hit), offset=offset)
            for id_, hit, offset in rows
        ]

    def _read(self, query: str, source: RowSource, make: _Make, **values: Any) -> list[Candidate]:
        rows = self._snapshot.all(_SQL[query], self._bound | values)
        if source is NOWHERE:
            return [make(row, _Found({}, None, proven=False)) for row in rows]
        return [
            make(row, _Found({source.name: rank}, None, source.proven))
            for rank, row in enumerate(rows, start=1)
        ]

    def _named(
        self, query: str, source: RowSource, make: _Make, hits: Sequence[Hit], **values: Any
    ) -> list[Candidate]:
        keys = _keys(query, hits)
        bound = {**self._bound, **values, "ids": json_list(keys)}
        found: Mapping[Any, Row] = {
            row["id"]: row for row in self._snapshot.all(_SQL[query], bound)
        }
        there = [(found[key], hit) for key, hit in zip(keys, hits, strict=True) if key in found]
        return [
            make(row, _Found({source.name: rank}, hit.similarity, source.proven))
            for rank, (row, hit) in enumerate(there, start=1)
        ]


@lru_cache(maxsize=_CACHED)
def message_key(message: int) -> UUID:
    """The id of a message among those of other rows."""
    return UUID(int=message)


def ranked_anew(source: RowSource, rows: Iterable[Candidate]) -> list[Candidate]:
    """The rows with the ranks of their present order."""
    return [
        replace(one, sources={source.name: rank}, proven=source.proven)
        for rank, one in enumerate(rows, start=1)
    ]


def _keys(query: str, hits: Sequence[Hit]) -> list[int] | list[str]:
    return [hit.id.int for hit in hits] if query == "messages" else [str(hit.id) for hit in hits]


# These four read a row by position, by hand: a search reads thousands, and `row_as`, which has
# to be given most fields here, takes two and a half times as long.
def _stated(row: Row, found: _Found) -> Candidate:
    store, id_, revision, content, at, said_by, author, about, *rest = row
    subjects, importance, words, room, uses = rest
    return Candidate(
        section=_STATED[store],
        collection=_COLLECTIONS[store],
        id=UUID(id_),
        revision=revision,
        content=content,
        at=moment(at),
        author=said_by,
        author_id=author,
        about=about,
        subjects=tuple(subjects.split(_APART)) if subjects else (),
        importance=importance,
        words=words,
        room=room,
        uses=uses,
        sources=found.sources,
        similarity=found.similarity,
        proven=found.proven,
    )


def _overheard(row: Row, found: _Found) -> Candidate:
    id_, text, at, author, person, words, room = row
    return Candidate(
        section=Section.LIVE,
        collection=Collection.LIVE,
        id=message_key(id_),
        revision=1,
        content=text,
        at=moment(at),
        author=author,
        author_id=person,
        words=words,
        room=room,
        sources=found.sources,
        similarity=found.similarity,
        proven=found.proven,
    )


def _exchanged(row: Row, found: _Found) -> Candidate:
    id_, text, reply, at, speaker, teller, words, room = row
    return Candidate(
        section=Section.HISTORY,
        collection=Collection.CONVERSATIONS,
        id=UUID(id_),
        revision=1,
        content=f"{text}{REPLIED}{reply}" if reply else text,
        at=moment(at),
        author=speaker,
        teller=teller,
        words=words,
        question=text,
        room=room,
        sources=found.sources,
        similarity=found.similarity,
        proven=found.proven,
    )


def _known(wanted: AbstractSet[str], row: Row, found: _Found) -> Candidate:
    """A core fact, a summary, or a piece of a note cut around the stems that are wanted."""
    id_, kind, revision, title, content, at, said_by, about, words, room = row
    return Candidate(
        section=_KNOWN[kind],
        collection=Collection.KNOWLEDGE,
        id=UUID(id_),
        revision=revision,
        content=as_told(title, content, wanted) if kind == KnowledgeKind.NOTE else content,
        at=moment(at),
        author=said_by,
        author_id=about if said_by else None,
        about=about,
        words=words,
        room=room,
        sources=found.sources,
        similarity=found.similarity,
        proven=found.proven,
    )


def _core(row: Row, found: _Found) -> Candidate:
    """A core fact about who speaks; about others it is one statement among many."""
    return replace(_known(frozenset(), row, found), section=Section.CORE, author=None)
