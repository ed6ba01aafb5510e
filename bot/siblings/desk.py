"""Answers the pet's other processes about a person, within what that person may know here.

This database and what the platform vouches for now decide that: a sibling says who asks, never what
they may see.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from dataclasses import replace
from uuid import UUID

from bot.conversation.composer import Recalling
from bot.siblings.readers import PrivateReaders
from bot.siblings.values import (
    ForgetAsked,
    GivenLine,
    RecallAsked,
    RecallGiven,
    SiblingAccount,
    VouchAsked,
    VouchGiven,
)
from memory.forgetting.service import Forgetting
from memory.model.audience import EVERYONE, Audience, Scope, person_audience
from memory.model.authority import Actor
from memory.model.elsewhere import added
from memory.model.export import ExportSelection, Row
from memory.model.forgetting import Counts
from memory.model.people import PersonId
from memory.model.retrieval import Considered, Question, target_of
from memory.retrieval.rendering import in_order
from memory.rules.forgetting.selector import Requester, Selector
from memory.rules.forgetting.topic import TopicSaysNothing
from memory.storage.conversations.quotations import known_to
from memory.storage.storage import Storage


class SiblingDesk:
    """What a sibling may ask here."""

    def __init__(
        self, storage: Storage, recall: Recalling, forgetting: Forgetting, readers: PrivateReaders
    ) -> None:
        self._storage = storage
        self._recall = recall
        self._forgetting = forgetting
        self.readers = readers

    async def recalled(self, asked: RecallAsked) -> RecallGiven:
        """What recall brings up for a person in private, of this process alone, best first."""
        reader = await self.readers.reader(asked.who)
        quiet = await self._storage.quiet_topics.of(reader.person.id)
        found = await self._recall.before(
            Question(
                text=asked.text,
                context=asked.context,
                speaker=reader.person.name,
                person=reader.person.id,
                room=reader.room,
                scope=reader.scope,
                quiet_topics=(*asked.quiet_topics, *(one.topic for one in quiet)),
            )
        )
        rows = {one.candidate.id: one for one in found.items if one.kept}
        known = await self._audiences(tuple(rows.values()))
        ordered = in_order([one.candidate for one in rows.values()])
        lines = (
            GivenLine(
                line=replace(line, person=None),
                audiences=known[row.id],
                ref=row.ref,
                score=rows[row.id].score + row.worth,
            )
            for row, line in zip(ordered, found.lines, strict=True)
            if known[row.id] and all(map(reader.scope.allows, known[row.id]))
        )
        best = sorted(lines, key=lambda one: -one.score)
        return RecallGiven(lines=tuple(best), late=found.late)

    async def vouched(self, asked: VouchAsked) -> VouchGiven:
        """Where a person is here, and which rows that were given of this process are gone."""
        gone = await self._storage.given_lines.gone(asked.given)
        if asked.who is None:
            return VouchGiven(gone=tuple(gone))
        reader = await self.readers.reader(asked.who)
        return VouchGiven(spaces=tuple(sorted(reader.spaces)), gone=tuple(gone))

    async def would_forget(self, asked: ForgetAsked) -> Counts:
        """How much of what a person said here would go; nothing is changed."""
        counts = list[Counts]()
        for person in await self.readers.known(asked.accounts):
            with suppress(TopicSaysNothing):
                preview = await self._forgetting.preview(selector_of(asked, person), by(person))
                counts.append(preview.counts)
        return added(counts)

    async def exported(self, who: SiblingAccount) -> AsyncIterator[Row]:
        """What is kept here of a person and they may see in private, row by row."""
        reader = await self.readers.reader(who)
        selection = ExportSelection(person=reader.person.id, within=reader.scope)
        return self._storage.exports.entries(selection, reader.scope)

    async def _audiences(self, rows: tuple[Considered, ...]) -> Mapping[UUID, frozenset[Audience]]:
        """Who may know each row, and what is repeated in it: asked once more, of the rows alone."""
        targets = {target_of(one.candidate.ref) for one in rows}
        found = await known_to(self._storage.database, targets)
        return {id_: frozenset(whose) - {EVERYONE} for (_, id_), whose in found.items()}


def selector_of(asked: ForgetAsked, person: PersonId) -> Selector:
    """What a person wants forgotten, as if they had asked here."""
    if asked.topic:
        return Selector(topic=asked.topic)
    return Selector(person=person, about=True, erase=True)


def by(person: PersonId) -> Requester:
    """A person by their own word, which reaches what is theirs wherever it is."""
    return Requester(scope=Scope(frozenset({person_audience(person)})), actor=Actor(person=person))
