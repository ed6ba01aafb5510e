"""What is live, how far a digest is, and each past digest as a ledger."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from bot.surfaces.access.caller import OperationCaller
from bot.surfaces.api.cursors import Page, page_of
from bot.surfaces.values import extended
from bot.topics.answers.conversations import places
from bot.wiring.app import App
from memory.model.shown import Shown
from memory.storage.conversations.digest_ledger import DigestListing, LedgerChunk, LiveLine


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestStanding:
    """How much is live and since when, the digest under way, and when the next one is due."""

    waiting: int
    quarantined: int
    oldest: datetime | None
    next_at: datetime | None
    running: bool
    under_way: DigestListing | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestWithLines(DigestListing):
    """A digest with a page of the stretches it was read in."""

    items: Shown[Sequence[LedgerChunk]]
    next: Shown[str | None]


async def standing(app: App) -> DigestStanding:
    """How things stand with digests."""
    digests = app.storage.digests
    live = await digests.live()
    return DigestStanding(
        waiting=live.waiting,
        quarantined=live.quarantined,
        oldest=await digests.oldest_live(),
        next_at=app.next_digest(app.clock.now()),
        running=app.services.digest.is_running,
        under_way=await app.storage.digest_ledger.under_way(),
    )


async def live_lines(
    app: App, caller: OperationCaller, limit: int, after: int = 0
) -> Page[LiveLine]:
    """What is live after a message, oldest first."""
    found = await app.storage.digest_ledger.live(caller.scope, limit + 1, after)
    where = await places(app, [one.room for one in found])
    named = [replace(one, where=where[one.room]) for one in found]
    return page_of(named, limit, lambda one: one.message)


async def digests(
    app: App, limit: int, before: tuple[int, str] | None = None
) -> Page[DigestListing]:
    """The latest digests before a position, newest first."""
    found = await app.storage.digest_ledger.latest(limit + 1, before)
    return page_of(found, limit, lambda one: one.position)


async def ledger(
    app: App, caller: OperationCaller, digest: UUID, limit: int, start: int = 0
) -> DigestWithLines | None:
    """A digest, stretch by stretch from a position on; None where there is none."""
    found = await app.storage.digest_ledger.one(digest)
    if found is None:
        return None
    chunks = await app.storage.digest_ledger.chunks(digest, caller.scope, limit + 1, start)
    where = await places(app, [one.room for one in chunks])
    named = [replace(one, where=where[one.room]) for one in chunks]
    page = page_of(named, limit, lambda one: one.position + 1)
    return extended(DigestWithLines, found, items=page.items, next=page.next)
