"""Why the pet said something: what was recalled for a reply, who said it, where and when."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from memory.language.overlap import AskedWords
from memory.language.parts.spoken import is_spoken
from memory.model.audience import Scope
from memory.model.conversations import Turn
from memory.model.ledger import Explained, Lookup
from memory.model.messages import TurnId
from memory.model.retrieval import Section, target_of
from memory.model.statements import MemoryId
from memory.model.stores import Collection
from memory.retrieval.references import Known, References, message_ref
from memory.storage.conversations.ledger import Ledger
from memory.storage.conversations.turns import Turns
from memory.storage.statements.associations import Associations

IN_THE_WINDOW = "in the window"
"""Why a row is not injected that was injected for an earlier turn and stands there still."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsideredRow:
    """One row that was considered for a reply: as it is known now, and what spoke for it then.

    `words` are those of the question that it says, none once the question was edited. `told` are
    the messages that a statement was learnt from, as far as the reader may see them.
    """

    item: Explained
    known: Known
    words: tuple[str, ...] = ()
    told: tuple[Known, ...] = ()
    is_edited: bool = False
    """Whether its author has reworded it since the reply: it said something else then."""

    @property
    def is_spoken(self) -> bool:
        """Whether it, or what it was learnt from, was said by voice."""
        said = (self.known,) if self.known.kind in {"message", "exchange"} else self.told
        return any(is_spoken(one.content) for one in said)

    @property
    def stood_behind(self) -> bool:
        """Whether it was before the model: injected for this reply, or for one in its window."""
        return _stood_behind(self.item)


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """A turn with everything that was considered for it and that its reader may see.

    `quiet` is why it had no words, "" where none was given; None where it had some.
    """

    turn: Turn
    lookup: Lookup
    grounds: tuple[ConsideredRow, ...]
    quiet: str | None = None

    @property
    def injected(self) -> tuple[ConsideredRow, ...]:
        """What was put before the model for this reply, in the order it was written."""
        order = list(Section)
        kept = (one for one in self.grounds if one.item.kept)
        return tuple(sorted(kept, key=lambda one: order.index(one.item.section)))

    @property
    def standing(self) -> tuple[ConsideredRow, ...]:
        """What was not put there again, because it stood there from an earlier turn."""
        return tuple(one for one in self.grounds if one.stood_behind and not one.item.kept)

    @property
    def dropped(self) -> tuple[ConsideredRow, ...]:
        """What was not put before the model, best first."""
        return tuple(one for one in self.grounds if not one.stood_behind)


class Explanations:
    """Reads the ledger of a turn beside the rows it names; what a scope hides stays hidden."""

    def __init__(
        self, ledger: Ledger, turns: Turns, associations: Associations, references: References
    ) -> None:
        self._ledger = ledger
        self._turns = turns
        self._associations = associations
        self._references = references

    async def of(self, turn: TurnId, scope: Scope) -> Explanation | None:
        """What a turn's reply rests on; None when the scope does not allow the turn itself.

        Raises:
            StorageFailed: the store could not be read.

        """
        told = await self._turns.by_id(turn, scope)
        if told is None:
            return None
        lookup = await self._ledger.retrieval_of(turn)
        items = await self._ledger.explained(turn)
        known = await self._references.read([item.ref for item in items], scope)
        behind = await self._behind([one for one in items if one.ref in known], scope)
        asked = AskedWords(lookup.query)
        return Explanation(
            turn=told,
            lookup=lookup,
            quiet=await self._turns.kept_quiet(turn),
            grounds=tuple(
                ConsideredRow(
                    item=one,
                    known=row,
                    words=asked.shared_with(_text(row)),
                    told=tuple(behind.get(target_of(one.ref)[1], ())),
                    is_edited=row.edited_at is not None and row.edited_at > told.at,
                )
                for one in items
                if (row := known.get(one.ref)) is not None
            ),
        )

    async def _behind(
        self, items: Sequence[Explained], scope: Scope
    ) -> Mapping[UUID, Sequence[Known]]:
        """The messages that those statements were learnt from which stood behind the reply."""
        targets = [target_of(item.ref) for item in items if _stood_behind(item)]
        stated = [MemoryId(id_) for kind, id_ in targets if kind in _STATED]
        pairs = await self._associations.messages_behind(stated, scope) if stated else []
        refs = [message_ref(message) for _, message in pairs]
        said = await self._references.read(refs, scope)
        found: dict[UUID, list[Known]] = {}
        for (memory, _), ref in zip(pairs, refs, strict=True):
            if ref in said and said[ref].is_known:
                found.setdefault(memory, []).append(said[ref])
        return found


_STATED = (Collection.MEMORY, Collection.SELF, Collection.GOALS)


def _stood_behind(item: Explained) -> bool:
    return item.kept or item.reason == IN_THE_WINDOW


def _text(row: Known) -> str:
    return " ".join((row.content, *row.subjects))
