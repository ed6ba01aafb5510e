"""`/api/people` and `/api/audit`: who the pet knows, and who changed what."""

from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel

from bot.surfaces.access.dependencies import Allowed
from bot.surfaces.api.cursors import Cursor, Limit, cursor_after, cursor_of, position_in
from bot.surfaces.api.documented import CursorPage, refusals
from bot.surfaces.api.problems import NotFound
from bot.surfaces.parts import Parts
from bot.topics.people import people
from memory.model.people import PersonId

router = APIRouter(prefix="/api", tags=["people"])


class AccountView(BaseModel):
    """An account, `platform:id`, and what it is called there."""

    id: str
    platform: str
    name: str


class ListedPerson(BaseModel):
    """A person; not `observed` where they do not want to be read along with.

    Counts go to `counted_to`: of more it is told that there are as many.
    """

    id: str
    name: str
    observed: bool
    met_at: str
    messages: int
    statements_held: int
    facts_held: int
    counted_to: int
    accounts: list[AccountView]


class PersonFact(BaseModel):
    """A core fact of a person that holds."""

    key: str
    value: str
    since: str
    visibility: str


class QuietTopicView(BaseModel):
    """What a person does not want to be spoken of."""

    topic: str
    since: str


class OpenReminder(BaseModel):
    """What a person will be reminded of."""

    text: str
    due_at: str


class PersonView(ListedPerson):
    """A person with what is known of them; `next` goes on with older statements."""

    facts: list[PersonFact]
    quiet: list[QuietTopicView]
    reminders: list[OpenReminder]
    statements: list[dict[str, Any]]
    next: str | None


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
    _principal: Allowed,
    parts: Parts,
    limit: Limit = 50,
    cursor: Cursor = None,
    q: Annotated[str, Query(max_length=100, description="What is in one of their names.")] = "",
) -> CursorPage[ListedPerson]:
    """People by name, with their accounts."""
    (after,) = position_in(cursor, str) or (None,)
    found = await people.people(parts.app, limit, after=after, called=q.strip())
    return CursorPage(items=found["items"], next=cursor_after(found["next"]))


@router.get("/people/{person}", responses=refusals(400, 404))
async def read_person(
    person: str, principal: Allowed, parts: Parts, limit: Limit = 50, cursor: Cursor = None
) -> PersonView:
    """One person with what is known, or who they turned out to be."""
    (before,) = position_in(cursor, int) or (None,)
    id_ = PersonId(person)
    found = await people.person(parts.app, principal.caller, id_, limit, before)
    if found is None:
        raise NotFound("There is no such person.")
    return PersonView(**{**found, "next": cursor_after(found["next"])})


@router.get("/audit", tags=["system"], responses=refusals(400))
async def list_changes(
    _principal: Allowed, parts: Parts, limit: Limit = 50, cursor: Cursor = None
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
