"""Summaries: what left the window of a conversation, stretch by stretch."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from memory.model.audience import Scope, origin_of
from memory.model.knowledge import KnowledgeId, KnowledgeKind, NewKnowledge
from memory.model.messages import TurnId
from memory.model.recalled import block_of
from memory.rules.compaction import (
    Checkpoint,
    Exchange,
    SessionPlace,
    SpanState,
    SummarySpan,
    summary_id,
)
from memory.storage.sqlite.database import TimedTable, Transaction
from memory.storage.sqlite.rows import (
    Row,
    audiences,
    json_list,
    millis,
    queries,
    recalled_in,
    row_as,
)
from memory.storage.statements.knowledge import drop_knowledge, keep_knowledge
from memory.tokens import tokens_in

_SQL = queries("conversations/summaries")

AT_ONCE = 50
"""Stretches summarised in one run; after weeks of absence the next run does the rest."""

FRESH = timedelta(days=7)
"""How old the last conversation in a room may be for the next one to begin with its summary; older
ones are looked up when something is asked about them."""

LAST_SESSIONS = 5
"""Conversations that are searched for that summary, since small talk has none."""

MOST_SESSIONS = 200
"""Conversations of one person in one room that are searched for a month: seven a day."""


class Summaries(TimedTable):
    """The summaries table, with the knowledge row of each summary beside it."""

    async def place(self, session: str) -> SessionPlace:
        """The person, the room and the start of a session."""
        (row,) = await self._database.all(_SQL["place"], {"session": session})
        return row_as(SessionPlace, row)

    async def tail(self, session: str, *, injections: bool) -> list[Exchange]:
        """The turns of a session since its last checkpoint, oldest first.

        `injections` says whether the window holds what was injected, so that it counts in its size.
        """
        rows = await self._database.all(_SQL["tail"], {"session": session})
        return [_exchange(row, injections=injections) for row in rows]

    async def unclosed(self) -> list[str]:
        """Sessions that have ended with turns after their last checkpoint, oldest first."""
        rows = await self._database.all(_SQL["unclosed"], {"most": AT_ONCE})
        return [row["id"] for row in rows]

    async def unsummarised(self, attempts: int, resting: timedelta) -> list[SummarySpan]:
        """Stretches without a summary that failed fewer than `attempts` times, oldest first.

        Stretches that were tried within `resting` are left out.
        """
        before = millis(self._clock.now() - resting)
        values = {"attempts": attempts, "before": before, "most": AT_ONCE}
        found = await self._database.all(_SQL["unsummarised"], values)
        return [span for row in found if (span := await self._span(row)) is not None]

    async def keep(self, span: SummarySpan, summary: str, before: Checkpoint | None) -> bool:
        """Store the summary of a stretch ("" if it has none); False if the stretch has changed.

        The window moves on in the same transaction. `before` is the summary it was made with.
        """
        row = _of_span(span, state=SpanState.SUMMARISED if summary else SpanState.EMPTY)

        async def work(transaction: Transaction) -> bool:
            standing = await _stands(transaction, span) and await _say(transaction, before)
            if standing:
                known = _told(span, summary) if summary else None
                await self._kept(transaction, row, known, None if before is None else before.id)
                await _move_on(transaction, span)
            return standing

        return await self._database.write(work)

    async def failed(self, span: SummarySpan, error: str, *, blamed: bool) -> None:
        """Store a stretch without a summary, so that the window can move on without it.

        `blamed` counts as an attempt; that a model is away is no fault of the words.
        """
        row = _of_span(span, state=SpanState.UNSUMMARISED, error=error, attempts=int(blamed))

        async def work(transaction: Transaction) -> None:
            await self._kept(transaction, row, None)
            await _move_on(transaction, span)

        await self._database.write(work)

    async def roll_up(self, members: Sequence[Checkpoint], summary: str) -> bool:
        """Store one summary in place of several; False if one of them has changed.

        Their rows stay and are found as before: only the prompt shows the new one instead.
        """
        row, known = _of_roll_up(members), _rolled(members, summary)

        async def work(transaction: Transaction) -> bool:
            standing = await _say(transaction, *members)
            if standing:
                await self._kept(transaction, row, known)
                ids = json_list(str(one.id) for one in members)
                await transaction.run(_SQL["roll"], {"into": row["id"], "ids": ids})
            return standing

        return await self._database.write(work)

    async def of_session(self, session: str, scope: Scope) -> list[Checkpoint]:
        """All checkpoints of a session in order, those that were rolled up included."""
        values = {"session": session, "audiences": audiences(scope)}
        return await self._database.all_as(Checkpoint, _SQL["of_session"], values)

    async def before(self, session: str, scope: Scope) -> list[Checkpoint]:
        """The checkpoints that a model is shown of the time before the window, oldest first.

        First the end of the person's last conversation in the room, if it is fresh and was
        summarised before this session began, so that the beginning of a conversation does not
        change during it. Then the checkpoints of this session, or the roll-ups of them.
        """
        place = await self.place(session)
        start = place.started_at - FRESH
        others = await self.earlier(place, scope, start, place.started_at, LAST_SESSIONS)
        last = [one for one in others if _closes(one, place.started_at)]
        own = [one for one in await self.of_session(session, scope) if one.rolled_into is None]
        return [*last[-1:], *(one for one in own if one.state is not SpanState.EMPTY)]

    async def earlier(
        self,
        place: SessionPlace,
        scope: Scope,
        start: datetime,
        end: datetime,
        limit: int = MOST_SESSIONS,
    ) -> list[Checkpoint]:
        """Checkpoints of a person's other sessions in a room that ended in a time, oldest first."""
        values = {
            "person": place.person,
            "room": place.room,
            "session": place.session,
            "start": millis(start),
            "end": millis(end),
            "most": limit,
        }
        found = await self._database.all(_SQL["sessions_before"], values)
        return [one for row in reversed(found) for one in await self.of_session(row["id"], scope)]

    async def listed(
        self, scope: Scope, *, name: str | None, session: str | None, limit: int
    ) -> list[Checkpoint]:
        """Checkpoints of the latest sessions; of a person (case aside), or of one session."""
        values = {"name": name, "session": session, "most": limit}
        found = await self._database.all(_SQL["sessions_of"], values)
        return [one for row in found for one in await self.of_session(row["id"], scope)]

    async def _span(self, row: Row) -> SummarySpan | None:
        """The stretch of a row, or None if its turns are gone."""
        values = {
            "session": row["session_id"],
            "first": row["first_seq"],
            "last": row["last_seq"],
        }
        found = await self._database.all(_SQL["stretch"], values)
        exchanges = tuple(_exchange(one, injections=False) for one in found)
        place = await self.place(row["session_id"])
        return SummarySpan(place=place, exchanges=exchanges) if exchanges else None

    async def _kept(
        self,
        transaction: Transaction,
        row: dict[str, Any],
        known: NewKnowledge | None,
        before: UUID | None = None,
    ) -> None:
        now = self._clock.now()
        if known is not None:
            await keep_knowledge(transaction, [known], now)
            await transaction.run(_SQL["carry"], {**row, "before": before and str(before)})
            row = {**row, "tokens": tokens_in(known.content)}
        await transaction.run(_SQL["keep"], {**row, "now": millis(now)})


async def reopen_summaries(
    transaction: Transaction, turns: Iterable[UUID], ids: Iterable[UUID] = ()
) -> list[KnowledgeId]:
    """Drop the summaries of these turns, and those with these ids, inside a transaction.

    Returns the ids of the rows that changed. Texts and knowledge rows go at once. So do those of
    later checkpoints of the same sessions, because they were made with the dropped ones in the
    prompt, and every roll-up of any of them. The stretches are summarised again from the turns that
    still stand.
    """
    given = json_list(map(str, ids))
    values = {"turns": json_list(map(str, turns)), "ids": given}
    told = [row["id"] for row in await transaction.all(_SQL["told_from"], values)]
    above = {"ids": json_list(told), "given": given}
    rows = await transaction.all(_SQL["rolled_above"], above)
    rolled = [row["id"] for row in rows]
    await transaction.run(_SQL["unroll"], {"ids": json_list(rolled)})
    await transaction.run(_SQL["reopen"], {"ids": json_list(told)})
    await transaction.run(_SQL["drop"], {"ids": json_list(rolled)})
    gone = [KnowledgeId(UUID(id_)) for id_ in (*told, *rolled)]
    await drop_knowledge(transaction, gone)
    return gone


async def _stands(transaction: Transaction, span: SummarySpan) -> bool:
    """Whether the turns of a span are as they were read: one may be withdrawn meanwhile."""
    values = {
        "session": span.place.session,
        "first": span.exchanges[0].seq,
        "last": span.exchanges[-1].seq,
    }
    rows = await transaction.all(_SQL["stretch"], values)
    now = [_exchange(row, injections=False) for row in rows]
    return list(map(_words, now)) == list(map(_words, span.exchanges))


async def _say(transaction: Transaction, *made: Checkpoint | None) -> bool:
    """Whether these summaries still have the same words."""
    read = {str(one.id): one.content for one in made if one is not None}
    rows = await transaction.all(_SQL["standing"], {"ids": json_list(read)})
    return {row["id"]: row["content"] for row in rows} == read


async def _move_on(transaction: Transaction, span: SummarySpan) -> None:
    """Let the window begin after a span."""
    values = {"session": span.place.session, "last": span.exchanges[-1].seq}
    await transaction.run(_SQL["move_on"], values)


def _closes(one: Checkpoint, by: datetime) -> bool:
    summarised = one.state is SpanState.SUMMARISED and one.level == 0
    return summarised and one.created_at <= by


def _words(one: Exchange) -> tuple[object, ...]:
    return (one.seq, one.text, one.reply, one.is_found, one.audience)


def _exchange(row: Row, *, injections: bool) -> Exchange:
    injected = len(block_of(recalled_in(row["recalled"]))) if injections else 0
    return row_as(
        Exchange,
        row,
        turn=TurnId(UUID(row["id"])),
        chars=len(row["text"]) + len(row["reply"]) + injected,
        is_found=row["search_text"] != "",
    )


def _of_span(
    span: SummarySpan, *, state: SpanState, error: str | None = None, attempts: int = 0
) -> dict[str, Any]:
    return {
        "id": str(span.id),
        "session": span.place.session,
        "level": 0,
        "first": span.exchanges[0].seq,
        "last": span.exchanges[-1].seq,
        "state": state,
        "knowledge": str(span.id) if state is SpanState.SUMMARISED else None,
        "attempts": attempts,
        "error": error,
        "tokens": 0,
    }


def _of_roll_up(members: Sequence[Checkpoint]) -> dict[str, Any]:
    first, last = members[0], members[-1]
    id_ = str(summary_id(first.session, first.level + 1, first.first_seq))
    return {
        "id": id_,
        "session": first.session,
        "level": first.level + 1,
        "first": first.first_seq,
        "last": last.last_seq,
        "state": SpanState.SUMMARISED,
        "knowledge": id_,
        "attempts": 0,
        "error": None,
        "tokens": 0,
    }


def _told(span: SummarySpan, summary: str) -> NewKnowledge:
    first, last = span.exchanges[0], span.exchanges[-1]
    return NewKnowledge(
        id=span.id,
        kind=KnowledgeKind.SUMMARY,
        content=summary,
        origin=origin_of(span.audience, span.place.room),
        at=last.at,
        since=first.at,
        about=span.place.person,
        channel=last.channel,
    )


def _rolled(members: Sequence[Checkpoint], summary: str) -> NewKnowledge:
    first, last = members[0], members[-1]
    return NewKnowledge(
        id=summary_id(first.session, first.level + 1, first.first_seq),
        kind=KnowledgeKind.SUMMARY,
        content=summary,
        origin=origin_of(first.audience, first.room),
        at=last.at,
        since=first.since,
        about=first.person,
        channel=last.channel,
    )
