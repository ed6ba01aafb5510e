"""Where candidates come from: the SQL path, full text, vectors, and what goes with them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from itertools import chain, zip_longest
from uuid import UUID

from memory.model.messages import MessageId
from memory.model.people import PersonId
from memory.model.retrieval import Candidate, Company, Question, Told
from memory.model.statements import Association, GoalCategory, MemoryId, Relation, SelfCategory
from memory.model.stores import Collection, Store
from memory.retrieval.open_sources import Lookup, open_lookups
from memory.retrieval.query import Query
from memory.retrieval.read_views import ReadView
from memory.rules.notes.chunks import CHANNEL, NoteChoice
from memory.statements.readings.capability import calls_on, runs_into
from memory.storage.people.aliases import read_spoken_under
from memory.storage.search.candidates import CandidateRows, RowSource, message_key, ranked_anew
from memory.storage.statements.associations import Associations

FIXED = 5
"""Rows each query of the SQL path may bring, most of them without further evidence."""

MOST_CORE_FACTS = 12
"""Core facts about the speaker that are always there: a person has few, each a short line."""

MOST_EXPIRED = 8
"""How many times further a look-up by meaning reaches past what has expired: with hourly sweeps
once is enough, and the store is asked again only where rows are missing."""

MOST_ABILITIES = 60
"""The latest limitations, and capabilities, that are looked through."""

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
    """Every way to find a row. Vectors only name ids: each row is read within the scope."""

    def __init__(
        self, associations: Associations, notes: Callable[[], NoteChoice] = NoteChoice
    ) -> None:
        self._associations = associations
        self._choice = notes

    def of_turn(
        self, question: Question, asked: Query, view: ReadView, reach: Reach
    ) -> Mapping[str, Lookup]:
        """Every look-up of a pre-hook by name."""
        rows = view.rows(asked.stems)
        return {
            "core": lambda: _core(question, rows),
            "speaker": lambda: _important(question, rows, view),
            # What this room brought in the last hours; being recent is no evidence that it fits.
            "recent": lambda: rows.statements_since(
                RowSource("recent"), Store.MEMORY, question.room.id, view.now - reach.recent, FIXED
            ),
            "goals": lambda: rows.statements_about(
                RowSource("goals", proven=True),
                _names_of_speaker(question, view),
                Store.GOALS,
                FIXED,
                category=GoalCategory.CONNECTION,
            ),
            "notes": lambda: self._notes_at_hand(asked, rows),
            "limitation_text": lambda: _abilities(
                asked, rows, "limitation_text", SelfCategory.LIMITATION, runs_into
            ),
            "capability_text": lambda: _abilities(
                asked, rows, "capability_text", SelfCategory.CAPABILITY, calls_on
            ),
            **open_lookups(question, asked, rows, view.now),
            **self.of_stores(asked, view, reach, [Store.MEMORY]),
            **self.of_history(asked, view, reach),
            **self.of_knowledge(asked, view, reach),
        }

    def searched(self, reach: Reach) -> Mapping[Collection, int]:
        """What a pre-hook searches by meaning, for how many entries each."""
        collections = (
            Collection.MEMORY,
            Collection.CONVERSATIONS,
            Collection.LIVE,
            Collection.KNOWLEDGE,
        )
        return dict.fromkeys(collections, reach.vector_results)

    def of_everything(self, asked: Query, view: ReadView, reach: Reach) -> Mapping[str, Lookup]:
        """Whatever is kept, by words and by meaning."""
        return {
            **self.of_stores(asked, view, reach, list(Store)),
            **self.of_history(asked, view, reach),
            **self.of_knowledge(asked, view, reach),
        }

    def of_stores(
        self, asked: Query, view: ReadView, reach: Reach, stores: Sequence[Store]
    ) -> Mapping[str, Lookup]:
        """Statements of these stores, by words and by meaning."""
        rows, match = view.rows(asked.stems), asked.match("memories")
        by_text: dict[str, Lookup] = {
            "memory_text": lambda: rows.statements_by_text(
                RowSource("memory_text"), match, stores, reach.text_results
            )
        }
        if asked.vector is None:
            return by_text
        return by_text | {
            f"{store}_vector": partial(_statements_near, view, rows, store, reach.vector_results)
            for store in stores
        }

    def of_history(self, asked: Query, view: ReadView, reach: Reach) -> Mapping[str, Lookup]:
        """Lobby messages and earlier exchanges, by words and by meaning."""
        rows, by_text, near = view.rows(), reach.text_results, reach.vector_results
        exchanges, lobby = asked.match("turns"), asked.match("messages")
        found: dict[str, Lookup] = {
            "history_text": lambda: rows.exchanges_by_text(
                RowSource("history_text"), exchanges, by_text
            ),
            "live_text": lambda: rows.overheard_by_text(RowSource("live_text"), lobby, by_text),
        }
        if asked.vector is None:
            return found
        return found | {
            "history_vector": lambda: rows.exchanges_by_meaning(
                RowSource("history_vector"), view.hits(Collection.CONVERSATIONS, near)
            ),
            "live_vector": lambda: rows.messages_by_meaning(
                RowSource("live_vector"), view.hits(Collection.LIVE, near)
            ),
        }

    def of_knowledge(self, asked: Query, view: ReadView, reach: Reach) -> Mapping[str, Lookup]:
        """Summaries, core facts and notes, by words and by meaning."""
        rows, match, without = view.rows(asked.stems), asked.match("knowledge"), self._hidden()
        by_text: dict[str, Lookup] = {
            "knowledge_text": lambda: rows.knowledge_by_text(
                RowSource("knowledge_text"), match, reach.text_results, without=without
            )
        }
        if asked.vector is None:
            return by_text
        return by_text | {
            "knowledge_vector": lambda: rows.knowledge_by_meaning(
                RowSource("knowledge_vector"),
                view.hits(Collection.KNOWLEDGE, reach.vector_results),
                without=without,
            )
        }

    def accompanied(
        self, rows: Sequence[Candidate], view: ReadView
    ) -> tuple[list[Candidate], Company]:
        """The rows with their neighbours in the conversation, and what they have to do with these.

        Statements bring the lobby messages they were learnt from.
        """
        there = view.rows()
        seeds = [MemoryId(one.id) for one in _best(rows, Collection.MEMORY)[:SEEDS]]
        heard = [MessageId(one.id.int) for one in _best(rows, Collection.LIVE)]
        told = self._associations.read_messages_behind(view.snapshot, seeds, view.scope)
        ties = self._associations.read_around(view.snapshot, seeds, view.scope)
        behind = [message for _, message in told]
        near = there.beside(_in_turn(heard, behind)[:ACCOMPANIED])
        found = {one.id: one for one in rows}
        missing = {message_key(one) for one in behind} | {one.row for one in near}
        missing -= {message_key(one) for one in heard}
        for one in there.overheard([MessageId(id_.int) for id_ in missing]):
            found[one.id] = one
        tied = {end for one in ties for end in (one.start, one.end)} - found.keys()
        for one in there.statements(tied) if tied else ():
            found[one.id] = one
        return disputed(found, ties), Company(
            near=tuple(near),
            told=tuple(Told(memory=memory, message=message_key(one)) for memory, one in told),
            ties=tuple(ties),
        )

    def outdated(self, rows: Sequence[Candidate], view: ReadView) -> frozenset[UUID]:
        """Messages and exchanges of which nothing that was learnt holds any more."""
        said = [MessageId(one.id.int) for one in rows if one.collection is Collection.LIVE]
        exchanged = [one.id for one in rows if one.collection is Collection.CONVERSATIONS]
        return self._associations.read_outdated(view.snapshot, said, exchanged)

    def _hidden(self) -> str | None:
        """The channel whose rows are not recalled now."""
        return None if self._choice().enabled else CHANNEL

    def _notes_at_hand(self, asked: Query, rows: CandidateRows) -> list[Candidate]:
        """Of each note at hand the piece that says most of what is asked, or else its beginning."""
        paths = self._choice().always_at_hand[:MOST_NOTES]
        pieces = rows.pieces_of(paths, MOST_PIECES)
        source = RowSource("notes", proven=True)
        there = {one.id: one for one in rows.knowledge(chain.from_iterable(pieces.values()))}
        best = [
            max(known, key=lambda one: len(asked.stems.intersection(one.words.split())))
            for path in paths
            if (known := [there[id_] for id_ in pieces.get(path, ()) if id_ in there])
        ]
        return ranked_anew(source, best)


def disputed(found: Mapping[UUID, Candidate], ties: Iterable[Association]) -> list[Candidate]:
    """The rows in their order, each with those among them that contradict it.

    What contradicts a statement contradicts the core fact that was read from it.
    """
    against: dict[_Claim, dict[UUID, Candidate]] = {}
    for tie in ties:
        if tie.relation is Relation.CONTRADICTS and {tie.start, tie.end} <= found.keys():
            one, other = found[tie.start], found[tie.end]
            if one.author_id == other.author_id:
                continue
            against.setdefault(_claim(one), {})[other.id] = other
            against.setdefault(_claim(other), {})[one.id] = one
    return [
        replace(one, against=tuple(against[_claim(one)].values()))
        if _claim(one) in against
        else one
        for one in found.values()
    ]


_Claim = tuple[PersonId | None, str, Collection | None]


def _claim(one: Candidate) -> _Claim:
    """What a statement and a core fact from it have in common; of others nothing counts."""
    is_claim = one.collection in {Collection.MEMORY, Collection.KNOWLEDGE}
    return one.author_id, one.content, None if is_claim else one.collection


def _core(question: Question, rows: CandidateRows) -> list[Candidate]:
    """The core facts of who speaks."""
    if question.person is None:
        return []
    return rows.core_facts(RowSource("core", proven=True), question.person, MOST_CORE_FACTS)


MOST_NAMES = 4
"""Names of who speaks by which statements are looked up, the latest first."""


def _names_of_speaker(question: Question, view: ReadView) -> list[str]:
    """What the person who speaks goes and went by."""
    names = read_spoken_under(view.snapshot, [question.person], view.scope)
    others = names.get(question.person, ()) if question.person is not None else ()
    return list(dict.fromkeys((question.speaker, *others)))[:MOST_NAMES]


def _important(question: Question, rows: CandidateRows, view: ReadView) -> list[Candidate]:
    """What matters most of who speaks, under any of their names; nothing of a namesake's."""
    source = RowSource("speaker", proven=True)
    found = {
        row.id: row
        for name in _names_of_speaker(question, view)
        for row in rows.important_statements(source, name, Store.MEMORY, FIXED, question.person)
    }
    best = sorted(found.values(), key=lambda row: (row.importance, row.at), reverse=True)
    return ranked_anew(source, best[:FIXED])


def _statements_near(
    view: ReadView, rows: CandidateRows, store: Store, limit: int
) -> list[Candidate]:
    """As many as are recalled: expired rows that are not swept yet take no place among them."""
    source, reach = RowSource(f"{store}_vector"), limit
    while True:
        hits = view.hits(store.collection, reach)
        found = rows.statements_by_meaning(source, hits)
        if len(found) >= limit or len(hits) < reach or reach >= limit * MOST_EXPIRED:
            return found[:limit]
        reach *= 2


def _abilities(
    asked: Query,
    rows: CandidateRows,
    source: str,
    category: SelfCategory,
    is_asked: Callable[[str, str], bool],
) -> list[Candidate]:
    """What the pet noticed that it can, or cannot, do, where that shares words with the question.

    They are few, so their words are read: full text would score every statement with the words.
    """
    noticed = rows.words_of_category(Store.SELF, category, MOST_ABILITIES)
    shared = {id_: len(asked.stems.intersection(words.split())) for id_, words in noticed.items()}
    near = sorted((id_ for id_ in shared if shared[id_]), key=lambda id_: -shared[id_])[:FIXED]
    there = {one.id: one for one in rows.statements(near)} if near else {}
    best = ranked_anew(RowSource(source), (there[id_] for id_ in near))
    return [replace(one, proven=is_asked(asked.text, one.content)) for one in best]


def _best(rows: Sequence[Candidate], collection: Collection) -> list[Candidate]:
    """The rows of one collection by the best of their ranks."""
    those = [one for one in rows if one.collection is collection]
    return sorted(those, key=lambda one: min(one.sources.values()))


def _in_turn(one: Sequence[MessageId], other: Sequence[MessageId]) -> list[MessageId]:
    """The best of each, then the second of each, every message once."""
    pairs = chain.from_iterable(zip_longest(one, other))
    return list(dict.fromkeys(message for message in pairs if message is not None))
