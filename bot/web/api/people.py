"""`/api/people` and `/api/audit`: who the pet knows, and who changed what."""

from fastapi import APIRouter
from pydantic import BaseModel

from bot.web.access.dependencies import Reading
from bot.web.api.protocol.cursors import Cursor, Limit, cursor_of, position_in
from bot.web.api.protocol.documented import CursorPage, refusals
from bot.web.api.protocol.problems import NotFound
from bot.web.parts import Parts
from memory.model.people import PersonId
from memory.storage.reporting.people_reports import KnownPerson

router = APIRouter(prefix="/api", tags=["people"])


class PersonView(BaseModel):
    """A person, and how much is kept of them by what it is."""

    person: KnownPerson
    counts: dict[str, int]


class AuditEntryView(BaseModel):
    """One change: when, by whom, what was done to what; never what people said."""

    id: int
    at: str
    actor: str
    action: str
    target: str
    detail: str
    origin: str | None
    before: str | None
    after: str | None


@router.get("/people", responses=refusals(400))
async def list_people(
    _principal: Reading, parts: Parts, limit: Limit = 50, cursor: Cursor = None
) -> CursorPage[KnownPerson]:
    """Everyone the pet knows, by id, with their accounts."""
    (after,) = position_in(cursor, str) or ("",)
    found = await parts.app.storage.reports.people.page(limit + 1, after)
    more = cursor_of(found[limit - 1].id) if len(found) > limit else None
    return CursorPage(items=found[:limit], next=more)


@router.get("/people/{person}", responses=refusals(404))
async def read_person(person: str, _principal: Reading, parts: Parts) -> PersonView:
    """One person, with how much is known."""
    found = await parts.app.storage.reports.people.person(PersonId(person))
    if found is None:
        raise NotFound("There is no such person.")
    return PersonView(person=found[0], counts=found[1])


@router.get("/audit", tags=["system"], responses=refusals(400))
async def list_changes(
    _principal: Reading, parts: Parts, limit: Limit = 50, cursor: Cursor = None
) -> CursorPage[AuditEntryView]:
    """Every change and who made it, newest first."""
    (before,) = position_in(cursor, int) or (None,)
    found = await parts.app.storage.audit.page(limit + 1, before)
    items = [
        AuditEntryView(
            id=number,
            at=entry.at.isoformat(),
            actor=entry.change.actor,
            action=entry.change.action,
            target=entry.change.target,
            detail=entry.change.detail,
            origin=entry.origin,
            before=entry.change.before,
            after=entry.change.after,
        )
        for number, entry in found[:limit]
    ]
    return CursorPage(items=items, next=cursor_of(items[-1].id) if len(found) > limit else None)
