"""The stores of statements and the collections of the vector store."""

from enum import StrEnum

INDEX_FOLDER = "vectors"
"""The folder of an index on this machine, beside the database."""


class Collection(StrEnum):
    """A collection of the vector store."""

    LIVE = "live"
    MEMORY = "memory"
    SELF = "self"
    GOALS = "goals"
    CONVERSATIONS = "conversations"
    KNOWLEDGE = "knowledge"


class Store(StrEnum):
    """A store of durable statements; each has a collection of its own name."""

    MEMORY = "memory"
    SELF = "self"
    GOALS = "goals"

    @property
    def collection(self) -> Collection:
        """The vector collection that indexes this store."""
        return Collection(self.value)
