"""The parts of this room, made over one storage."""

from collections.abc import Callable

from memory.learning.association import Associator
from memory.learning.association_pass import AssociationPass
from memory.learning.commanded import CommandedStatements
from memory.learning.correction import Corrections
from memory.learning.duplicates import DuplicateSweep
from memory.learning.judging import Judge
from memory.learning.known import KnownAlready
from memory.learning.observed import Learning
from memory.learning.store import StatementWriter
from memory.model.settings import InForce
from memory.ports import EmbedderInUse, VectorIndex
from memory.storage.forgotten.value_marks import IncomingRefusals
from memory.storage.search.term_counts import Vocabulary
from memory.storage.statements.subjects import Subjects
from memory.storage.storage import Storage


class LearningParts:
    """How statements come in: stored, compared, associated, corrected, tidied."""

    def __init__(
        self,
        storage: Storage,
        embedder: EmbedderInUse,
        index: VectorIndex,
        tuning: InForce,
        judge: Callable[[Vocabulary], Judge],
    ) -> None:
        database, clock = storage.database, storage.clock
        vocabulary = Vocabulary(database, "memories")
        associator = Associator(vocabulary, storage.embeddings)
        self.writer = StatementWriter(storage.memories, embedder, index, associator, clock)
        known = KnownAlready(
            Subjects(database, clock), storage.memories, storage.core_facts, storage.aliases
        )
        self.learning = Learning(self.writer, known, tuning, judge(vocabulary))
        self.learning_by_rules = Learning(self.writer, known, tuning)
        self.correcting = Corrections(self.writer, storage.memories, clock)
        self.commanded = CommandedStatements(self.writer, self.correcting, storage.memories, clock)
        self.association_pass = AssociationPass(
            storage.associations, storage.memories, storage.embeddings, index, associator
        )
        self.tidying = DuplicateSweep(
            storage.proposals, storage.memories, storage.embeddings, index, clock
        )
        self.forgotten = IncomingRefusals(database)
