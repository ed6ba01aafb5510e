"""A lobby that a digest reads, with a list of what its extractor was shown."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from zoneinfo import ZoneInfo

from memory.model.statements import MemoryType
from memory.model.stores import Collection
from observers.digest import Digest, DigestRules
from observers.ports import Chunk, Fact
from tests.notices import NotedNotices
from tests.storage import StorageParts

RULES = DigestRules(
    chunk_messages=3,
    chunk_chars=1000,
    overlap_messages=2,
    attempts=2,
    zone=ZoneInfo("Europe/Paris"),
)


@dataclass
class ListedExtractor:
    """Finds one fact in every line, unless a word of the chunk makes it fail."""

    chunks: list[Chunk] = field(default_factory=list)
    fails: dict[str, Exception] = field(default_factory=dict)
    meanwhile: Callable[[], Awaitable[object]] | None = None

    async def extract(self, chunk: Chunk) -> Sequence[Fact]:
        """One fact a line."""
        self.chunks.append(chunk)
        meanwhile, self.meanwhile = self.meanwhile, None
        if meanwhile is not None:
            await meanwhile()
        for word, error in self.fails.items():
            if any(word in line.text for line in chunk.lines):
                raise error
        return [
            Fact(
                content=f"{line.author} aime {line.text}",
                memory_type=MemoryType.PREFERENCE,
                subjects=(line.author,),
                said_by=line.author,
                messages=(line.message,),
            )
            for line in chunk.lines
        ]

    @property
    def read(self) -> list[str]:
        """Every line that was to be learnt from, in order."""
        return [line.text for chunk in self.chunks for line in chunk.lines]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lobby:
    """A lobby with what was said, and a digest that reads it."""

    storage: StorageParts
    extractor: ListedExtractor
    digest: Digest

    async def facts(self) -> list[str]:
        """What was learnt, each as often as it is kept."""
        rows = await self.storage.database.all("SELECT content FROM memories ORDER BY content")
        return [row["content"].removeprefix("David aime ") for row in rows]

    async def is_read(self, *words: str) -> bool:
        """Whether exactly these were learnt, nothing is live, and every digest is finished."""
        await self.storage.indexer.settle()
        return (
            await self.facts() == sorted(words)
            and await self.storage.count("live_messages") == 0
            and await self.storage.count("digests", "finished_at IS NULL") == 0
            and await self.storage.index.ids(Collection.LIVE) == frozenset()
        )


def reader(storage: StorageParts, extractor: ListedExtractor) -> Digest:
    """A digest as a process that has just started makes it."""
    return Digest(storage.digests, storage.learning, extractor, RULES, NotedNotices())
