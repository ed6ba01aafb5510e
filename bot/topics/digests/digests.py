"""What is live, how far a digest is, and each past digest as a ledger."""

from uuid import UUID

from bot.surfaces.caller import OperationCaller
from bot.surfaces.json import Event
from bot.topics.answers.conversations import places
from bot.wiring.app import App
from memory.storage.conversations.digest_ledger import (
    DigestListing,
    LedgerChunk,
    LedgerLine,
    LiveLine,
)
from observers.schedule import next_slot


async def standing(app: App) -> Event:
    """How much is live and since when, the digest under way, and when the next one is due."""
    digests = app.storage.digests
    live, oldest = await digests.live(), await digests.oldest_live()
    under_way = await app.storage.digest_ledger.under_way()
    hours = app.settings.digest.hours if app.settings.digest.enabled else ()
    next_at = next_slot(app.clock.now(), hours, app.settings.digest_zone)
    return {
        "waiting": live.waiting,
        "quarantined": live.quarantined,
        "oldest": None if oldest is None else oldest.isoformat(),
        "next_at": None if next_at is None else next_at.isoformat(),
        "running": app.services.digest.is_running,
        "under_way": None if under_way is None else _digest_json(under_way),
    }


async def live_lines(app: App, caller: OperationCaller, limit: int, after: int = 0) -> Event:
    """What is live after a message, oldest first."""
    found = await app.storage.digest_ledger.live(caller.scope, limit + 1, after)
    page = found[:limit]
    where = await places(app, [one.room for one in page])
    return {
        "items": [{**_live_json(one), "where": where[one.room]} for one in page],
        "next": page[-1].message if len(found) > limit else None,
    }


async def digests(app: App, limit: int, before: tuple[int, str] | None = None) -> Event:
    """The latest digests before a position, newest first."""
    found = await app.storage.digest_ledger.latest(limit + 1, before)
    page = found[:limit]
    return {
        "items": [_digest_json(one) for one in page],
        "next": page[-1].position if len(found) > limit else None,
    }


async def ledger(
    app: App, caller: OperationCaller, digest: UUID, limit: int, start: int = 0
) -> Event | None:
    """A digest, stretch by stretch from a position on; None where there is none."""
    found = await app.storage.digest_ledger.one(digest)
    if found is None:
        return None
    chunks = await app.storage.digest_ledger.chunks(digest, caller.scope, limit + 1, start)
    page = chunks[:limit]
    where = await places(app, [one.room for one in page])
    return {
        **_digest_json(found),
        "items": [_chunk_json(one, where[one.room]) for one in page],
        "next": chunks[limit].position if len(chunks) > limit else None,
    }


def _digest_json(one: DigestListing) -> Event:
    ended = one.row.finished_at
    return {
        "id": str(one.row.id),
        "started_at": one.row.started_at.isoformat(),
        "finished_at": None if ended is None else ended.isoformat(),
        "messages": one.row.messages,
        "facts": one.row.facts,
        "chunks": one.chunks,
        "read": one.chunks - one.unread,
        "quarantined": one.quarantined,
    }


def _chunk_json(one: LedgerChunk, where: str) -> Event:
    return {
        "position": one.position,
        "room": one.room,
        "where": where,
        "state": one.state,
        "attempts": one.attempts,
        "error": one.error,
        "lines": [_line_json(line, one) for line in one.lines],
    }


def _line_json(one: LedgerLine, chunk: LedgerChunk) -> Event:
    return {
        "message": one.message,
        "author": one.author,
        "text": one.text,
        "at": None if one.sent_at is None else one.sent_at.isoformat(),
        "became": [
            {"id": str(memory.id), "content": memory.content, "state": memory.state.value}
            for memory in one.became
        ],
        "why_not": None if one.became else _why_not(one, chunk),
    }


def _why_not(one: LedgerLine, chunk: LedgerChunk) -> str:
    """Why nothing was learnt of a line: a name of the reason."""
    if one.text is None:
        return "gone"
    return {"stored": "nothing", "quarantined": "quarantined"}.get(chunk.state, "unread")


def _live_json(one: LiveLine) -> Event:
    state = "claimed" if one.claimed else "quarantined" if one.quarantined else "waiting"
    return {
        "message": one.message,
        "room": one.room,
        "author": one.author,
        "text": one.text,
        "at": one.sent_at.isoformat(),
        "state": state,
    }
