"""Rows that a request in plain words may mean, of those that the asker has power over."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from uuid import UUID

from memory.model.messages import MessageId
from memory.model.statements import MemoryId
from memory.rules.forgetting.selector import Requester
from memory.storage.sqlite.database import Table
from memory.storage.sqlite.rows import Row, audiences, json_list, queries

_SQL = queries("forgetting/candidates")

NEAR = 120
"""Messages looked at that say a word of the request, the latest first."""

LATELY = 60
"""The latest messages of a person, whatever they say: values are named by words they lack."""


@dataclass(frozen=True, slots=True)
class CandidateRow:
    """One message or statement that may be meant."""

    id: MessageId | MemoryId
    text: str


class ForgettingCandidates(Table):
    """Looks for what a request may mean."""

    async def of(
        self, asker: Requester, terms: Collection[str], asking: Iterable[MessageId]
    ) -> list[CandidateRow]:
        """Rows that say one of these terms, and the latest of a person, oldest first."""
        values = _reach(asker, terms, asking)
        rows: list[Row] = []
        if asker.limit is not None:
            rows = await self._database.all(_SQL["messages_lately"], {**values, "limit": LATELY})
        stated: list[Row] = []
        if values["match"]:
            near = {**values, "limit": NEAR}
            rows += await self._database.all(_SQL["messages_near"], near)
            stated = await self._database.all(_SQL["statements_near"], near)
        said = {row["id"]: row["text"] for row in rows}
        return [
            *(CandidateRow(MessageId(id_), said[id_]) for id_ in sorted(said)),
            *(CandidateRow(MemoryId(UUID(row["id"])), row["text"]) for row in stated),
        ]

    async def holding(
        self, asker: Requester, stem: str, asking: Iterable[MessageId]
    ) -> list[CandidateRow]:
        """The messages that say one number or code."""
        values = {**_reach(asker, [stem], asking), "limit": NEAR}
        rows = await self._database.all(_SQL["messages_near"], values)
        return [CandidateRow(MessageId(row["id"]), row["text"]) for row in rows]

    async def of_others(self, asker: Requester, terms: Collection[str]) -> list[tuple[str, str]]:
        """Who else said these terms, and how, where the asker may read it; newest first."""
        values = {
            "match": " AND ".join(f'"{one}"' for one in terms),
            "asker": asker.person,
            "scope": audiences(asker.scope),
            "limit": 3,
        }
        rows = await self._database.all(_SQL["said_by_others"], values) if terms else []
        return [(row["author"], row["text"]) for row in rows]


def _reach(
    asker: Requester, terms: Collection[str], asking: Iterable[MessageId]
) -> dict[str, object]:
    """What a look-up is bound to: the terms, and the rows that the asker has power over."""
    return {
        "match": match_any(terms),
        "asker": asker.limit,
        "audiences": None if asker.own_only else audiences(asker.scope),
        "asking": json_list(asking),
    }


def match_any(terms: Collection[str]) -> str:
    """The FTS5 query for rows with any of the terms."""
    return " OR ".join(f'"{one}"' for one in terms)
