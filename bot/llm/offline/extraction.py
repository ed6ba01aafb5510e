"""Finds facts in a stretch of talk by rules, for a pet without a language model."""

import asyncio
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from memory.claims.reader import foresee
from memory.model.people import PersonId
from memory.statements.extraction.finder import find_statements
from memory.statements.extraction.model import Statement
from observers.ports import Chunk, Fact, LobbyLine


class RuleExtractor:
    """Finds the plain statements of a chunk; needs nothing and never fails.

    `names` are people and aliases known beside the chunk's own authors.
    """

    def __init__(self, names: Collection[str] = ()) -> None:
        self._names = frozenset(names)

    async def extract(self, chunk: Chunk) -> Sequence[Fact]:
        """The facts of a chunk, in order; what one person says twice is one fact."""
        # A thread, because a chunk takes up to 30 ms and the event loop has others to serve.
        return await asyncio.to_thread(self._found, chunk)

    def _found(self, chunk: Chunk) -> tuple[Fact, ...]:
        names = self._names | {line.author for line in (*chunk.before, *chunk.lines)}
        facts: dict[tuple[PersonId | str, str], Fact] = {}
        foresee([line.text for line in chunk.lines])
        for line in chunk.lines:
            for fact in _facts(line, names):
                key = (fact.author or fact.said_by, fact.content)
                facts[key] = _joined(facts[key], fact) if key in facts else fact
        return tuple(facts.values())


def _facts(line: LobbyLine, names: Collection[str]) -> Iterator[Fact]:
    for statement in find_statements(line.text, line.author, line.said_at, names):
        yield _fact(statement, line)


def _fact(statement: Statement, line: LobbyLine) -> Fact:
    return Fact(
        content=statement.content,
        memory_type=statement.memory_type,
        subjects=statement.subjects,
        said_by=line.author,
        messages=(line.message,),
        author=line.person,
        ttl=statement.ttl,
    )


def _joined(first: Fact, again: Fact) -> Fact:
    """One fact that rests on both messages and lives as long as the later one."""
    messages = tuple(dict.fromkeys((*first.messages, *again.messages)))
    return replace(first, messages=messages, ttl=again.ttl)
