"""What is kept of one person and the asker may know: what people ask to be shown."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from memory.language.text import match_terms
from memory.model.audience import Scope
from memory.model.authority import Actor
from memory.model.linking import Account
from memory.model.messages import TurnId
from memory.model.people import PersonId
from memory.model.rooms import RoomId
from memory.model.statements import Memory, MemoryId
from memory.rules.forgetting.selector import ErasureRequest, Requester, Selector
from memory.storage.forgotten.selection import SelectionReader
from memory.storage.sqlite.database import TimedTable
from memory.storage.sqlite.rows import audiences, json_list, millis, queries, row_as
from memory.storage.statements.statements import memory_of

_SQL = queries("linking/person_view")


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """How much is kept of a person in a scope, and whether they are observed."""

    messages: int
    exchanges: int
    observed: bool


class PersonViews(TimedTable):
    """Reads what belongs to one person. Every reading takes the scope it is read in."""

    async def names(self, person: PersonId, scope: Scope) -> list[str]:
        """The names a person spoke under in the scope, without names that others have there too."""
        values = {"person": person, "audiences": audiences(scope)}
        return [row["name"] for row in await self._database.all(_SQL["names"], values)]

    async def statements(
        self, person: PersonId, scope: Scope, limit: int, *, words: str = "", any_of: bool = False
    ) -> list[Memory]:
        """What a person said or what is about them, by importance and then the latest first.

        With `words` only statements that have all of them, or `any_of` them.
        """
        values = {
            "names": json_list(await self.names(person, scope)),
            "match": (" OR " if any_of else " AND ").join(map(_quoted, match_terms(words))),
            "now": millis(self._clock.now()),
            "limit": limit,
        }
        return [memory_of(row) for row in await self._read("statements", person, scope, **values)]

    async def core(self, person: PersonId, scope: Scope) -> frozenset[MemoryId]:
        """The statements that the core facts about a person rest on."""
        rows = await self._read("core", person, scope)
        return frozenset(MemoryId(UUID(row["id"])) for row in rows)

    async def correctable(
        self, memories: Sequence[Memory], person: PersonId, scope: Scope
    ) -> list[Memory]:
        """Those of the statements that a person may have forgotten or muted."""
        asker = Requester(scope=scope, actor=Actor(person=person))
        selector = Selector(memories=tuple(one.id for one in memories))
        chosen = await SelectionReader(
            self._database, ErasureRequest(selector=selector, asker=asker)
        ).chosen()
        return [one for one in memories if one.id in {*chosen.memories, *chosen.muted}]

    async def figures(self, person: PersonId, scope: Scope) -> Figures:
        """How much is kept of a person."""
        rows = await self._read("figures", person, scope)
        if not rows:
            return Figures(messages=0, exchanges=0, observed=True)
        return row_as(Figures, rows[0])

    async def accounts(self, person: PersonId) -> list[Account]:
        """Every account of a person, for that person alone."""
        return await self._database.all_as(Account, _SQL["accounts"], {"person": person})

    async def last_answer(self, person: PersonId, room: RoomId, scope: Scope) -> TurnId | None:
        """The exchange in which the pet last answered a person in a room."""
        rows = await self._read("last_answer", person, scope, room=room)
        return TurnId(UUID(rows[0]["id"])) if rows else None

    async def _read(self, query: str, person: PersonId, scope: Scope, **values: Any) -> list[Any]:
        bound = {**values, "person": person, "audiences": audiences(scope)}
        return await self._database.all(_SQL[query], bound)


def _quoted(term: str) -> str:
    return f'"{term}"'
