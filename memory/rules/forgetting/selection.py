"""The rows that a forgetting takes, store by store. Values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from memory.model.forgetting import Kind
from memory.model.messages import MessageId
from memory.model.people import PersonId
from memory.model.reminders import ReminderId
from memory.model.stores import Store
from memory.rules.forgetting.erasure import Stated
from memory.rules.forgetting.receipt import KeptRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """A statement that stays with the part of others: what it no longer rests on, who said it."""

    memory: UUID
    store: Store
    lost: tuple[MessageId, ...]
    said_by: str | None
    heir: MessageId | None
    """The message whose author says it from now on; None where it stays its author's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasureSelection:
    """What goes. Of the exchanges in `turns` stays what their messages that are left say.

    Those that are `muted` are recalled no more and keep their words. `erased` is the person whose
    names go as well.
    """

    messages: frozenset[MessageId] = frozenset()
    turns: frozenset[UUID] = frozenset()
    memories: Mapping[UUID, Store] = field(default_factory=dict)
    muted: Mapping[UUID, Store] = field(default_factory=dict)
    shared: tuple[Shared, ...] = ()
    knowledge: Mapping[UUID, Kind] = field(default_factory=dict)
    reminders: frozenset[ReminderId] = frozenset()
    quiet: frozenset[tuple[PersonId, str]] = frozenset()
    """Whose topics to leave alone, and which."""
    kept: tuple[KeptRow, ...] = ()
    erased: PersonId | None = None

    def without(self, other: "ErasureSelection") -> "ErasureSelection":
        """The rows that go by this one alone."""
        return replace(
            self,
            messages=self.messages - other.messages,
            turns=self.turns - other.turns,
            memories={id_: self.memories[id_] for id_ in self.memories.keys() - other.memories},
            knowledge={id_: self.knowledge[id_] for id_ in self.knowledge.keys() - other.knowledge},
            reminders=self.reminders - other.reminders,
            quiet=self.quiet - other.quiet,
        )


def shared_part(stated: Stated) -> Shared:
    """What becomes of a statement that stays without words that go.

    Where all that its author said of it goes, the earliest of those who say it too is its author.
    """
    heir = next(iter(stated.heirs), None) if stated.loses_author else None
    return Shared(
        memory=stated.id,
        store=Store(stated.store),
        lost=tuple(one.message for one in stated.lost),
        said_by=stated.said_by if heir is None else heir.author,
        heir=None if heir is None else heir.message,
    )


def given_back(
    selection: ErasureSelection, rows: Mapping[str, Sequence[Mapping[str, Any]]]
) -> ErasureSelection:
    """The part of a selection that an undo has given back: `rows` are those, by their tables."""
    back = {table: {str(row["id"]) for row in rows.get(table, ())} for table in _WITH_WORDS}
    return replace(
        selection,
        messages=frozenset(one for one in selection.messages if str(one) in back["messages"]),
        turns=frozenset(one for one in selection.turns if str(one) in back["turns"]),
        memories={
            one: store for one, store in selection.memories.items() if str(one) in back["memories"]
        },
        muted={
            one: store for one, store in selection.muted.items() if str(one) in back["memories"]
        },
        shared=tuple(
            one
            for one in selection.shared
            if str(one.memory) in back["memories"] or back["messages"] & set(map(str, one.lost))
        ),
        knowledge={
            one: kind for one, kind in selection.knowledge.items() if str(one) in back["knowledge"]
        },
        reminders=frozenset(one for one in selection.reminders if str(one) in back["reminders"]),
        quiet=selection.quiet
        & {(PersonId(row["person_id"]), row["topic"]) for row in rows.get("quiet_topics", ())},
        erased=selection.erased if rows.get("people") else None,
    )


_WITH_WORDS = ("messages", "turns", "memories", "knowledge", "reminders")
