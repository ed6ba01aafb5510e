"""Recall on the tables of a test."""

from collections.abc import Callable

from memory.retrieval.background import SimilarityBackground
from memory.retrieval.question_reader import QuestionReader, ReadingRules
from memory.retrieval.recall import Recall, RecallRules
from memory.retrieval.sources import Sources
from memory.rules.notes.chunks import NoteChoice
from memory.storage.people.aliases import Aliases
from memory.storage.search.term_counts import Terms
from tests.storage import StorageParts, read_views_on


def evidence_on(
    storage: StorageParts, kind: type[SimilarityBackground] = SimilarityBackground
) -> SimilarityBackground:
    """What compares similarities on these tables."""
    return kind(storage.embeddings, storage.embedder)


def recall_on(
    storage: StorageParts,
    evidence: SimilarityBackground,
    rules: RecallRules,
    notes: Callable[[], NoteChoice] = NoteChoice,
) -> Recall:
    """Recall on these tables."""
    reading = QuestionReader(
        Terms(storage.database),
        Aliases(storage.database, storage.clock),
        storage.embedder,
        storage.clock,
        ReadingRules(names=("Eko",), zone=rules.wording.zone),
    )
    sources = Sources(storage.associations, notes)
    return Recall(read_views_on(storage), reading, sources, evidence, lambda: rules)
