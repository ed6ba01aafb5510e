"""The few texts of each kind that a preview shows, with the rows that say them."""

import json
from collections.abc import Iterable
from dataclasses import replace
from uuid import UUID

from memory.model.forgetting import Kind
from memory.model.knowledge import KnowledgeId, KnowledgeKind
from memory.model.messages import MessageId, TurnId
from memory.model.reminders import ReminderId
from memory.model.statements import MemoryId
from memory.rules.forgetting.erasure import Stated
from memory.rules.forgetting.receipt import Sample
from memory.rules.forgetting.selector import NamedRows
from memory.storage.sqlite.rows import Row, moment

SAMPLES = 5
"""Rows of each kind that a preview shows: enough to see what is meant."""

KNOWLEDGE_KINDS = {
    KnowledgeKind.SUMMARY: Kind.SUMMARIES,
    KnowledgeKind.FACT: Kind.FACTS,
    KnowledgeKind.NOTE: Kind.NOTES,
}


def said_in(row: Row, stated: Iterable[Stated]) -> NamedRows:
    """The messages that a row of them names, and the statements that only repeat its words."""
    repeating = (one.id for one in stated if is_in_words_of(one, [row["text"]]))
    return NamedRows(
        messages=frozenset(map(MessageId, json.loads(row["ids"]))),
        memories=frozenset(map(MemoryId, repeating)),
    )


def talked_in(row: Row) -> NamedRows:
    """The exchanges that a row of them names."""
    return NamedRows(turns=frozenset(TurnId(UUID(one)) for one in json.loads(row["ids"])))


def stated_sample(one: Stated) -> Sample:
    """A statement as a preview shows it."""
    rows = NamedRows(memories=frozenset({MemoryId(one.id)}))
    return Sample(Kind.STATEMENTS, one.content, one.said_at, rows)


def known_sample(row: Row) -> Sample:
    """A summary, a core fact or a note as a preview shows it."""
    rows = NamedRows(knowledge=frozenset({KnowledgeId(UUID(row["id"]))}))
    kind = KNOWLEDGE_KINDS[KnowledgeKind(row["kind"])]
    return Sample(kind, row["content"], moment(row["at"]), rows)


def reminder_sample(row: Row) -> Sample:
    """A reminder as a preview shows it."""
    rows = NamedRows(reminders=frozenset({ReminderId(row["id"])}))
    return Sample(Kind.REMINDERS, row["text"], moment(row["created_at"]), rows)


def is_in_words_of(one: Stated, texts: Iterable[str]) -> bool:
    """Whether a statement only says word for word what one of these texts says."""
    words = one.content.removeprefix(f"{one.said_by}: ")
    return words != one.content and any(words in text for text in texts)


def each_once(samples: Iterable[Sample]) -> list[Sample]:
    """The first few texts, each with all rows that say it."""
    said: dict[str, Sample] = {}
    for one in samples:
        first = said.get(one.text, one)
        said[one.text] = replace(first, rows=first.rows | one.rows)
    return list(said.values())[:SAMPLES]
