"""The parts of this room, made over one storage."""

from collections.abc import Callable
from dataclasses import dataclass

from memory.ports import EmbedderInUse, VectorIndex
from memory.retrieval.background import SimilarityBackground
from memory.retrieval.direct_search import MeaningSearch, TextSearch
from memory.retrieval.explanation import Explanations
from memory.retrieval.question_reader import QuestionReader, ReadingRules
from memory.retrieval.read_views import ReadViews
from memory.retrieval.recall import Recall, RecallRules
from memory.retrieval.references import References
from memory.retrieval.sources import Sources
from memory.rules.notes.chunks import NoteChoice
from memory.storage.search.full_text import TextIndex
from memory.storage.search.term_counts import Terms
from memory.storage.storage import Storage


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalRules:
    """What is chosen of retrieval; what may change while the pet runs is asked for each time."""

    reading: ReadingRules
    recall: Callable[[], RecallRules]
    notes: Callable[[], NoteChoice]


class RetrievalParts:
    """What finds what is kept, and explains what was found."""

    def __init__(
        self,
        storage: Storage,
        embedder: EmbedderInUse,
        index: VectorIndex,
        rules: RetrievalRules,
    ) -> None:
        database, clock = storage.database, storage.clock
        self.reading = QuestionReader(
            Terms(database), storage.aliases, embedder, clock, rules.reading
        )
        self.views = ReadViews(database.readers, index, clock)
        self.background = SimilarityBackground(storage.embeddings, embedder)
        self.recall = Recall(
            self.views,
            self.reading,
            Sources(storage.associations, rules.notes),
            self.background,
            rules.recall,
        )
        self.texts = TextSearch(TextIndex(database, clock), self.views, clock, rules.reading.zone)
        self.meanings = MeaningSearch(embedder, self.views)
        self.references = References(
            storage.memories, storage.messages, storage.turns, storage.knowledge, storage.people
        )
        self.explanations = Explanations(
            storage.ledger, storage.turns, storage.associations, self.references
        )
