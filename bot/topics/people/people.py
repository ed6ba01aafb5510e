"""People: who there is, and what is known of one."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.surfaces.access.caller import OperationCaller
from bot.surfaces.api.cursors import Page, page_of
from bot.surfaces.values import extended
from bot.topics.people.told import ToldSlot, told_of
from bot.wiring.app import App
from memory.model.people import PersonId
from memory.model.quiet_topics import QuietTopic
from memory.model.reminders import Reminder
from memory.model.shown import Shown
from memory.model.statements import Memory
from memory.storage.linking.directory import FactInForce, PersonListing

MOST_FACTS = 100
"""Core facts of one person that are read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonView(PersonListing):
    """A person with what is known of them; `next` goes on with older statements."""

    facts: Shown[Sequence[FactInForce]]
    told: Shown[Sequence[ToldSlot]]
    quiet: Shown[Sequence[QuietTopic]]
    reminders: Shown[Sequence[Reminder]]
    statements: Shown[Sequence[Memory]]
    next: Shown[str | None]


async def people(
    app: App, limit: int, *, after: PersonId | None = None, called: str = ""
) -> Page[PersonListing]:
    """People by name, those after one; `called` leaves those whose name has this in it."""
    found = await app.storage.directory.page(limit + 1, after=after, called=called)
    return page_of(found, limit, lambda one: one.id)


async def person(
    app: App, caller: OperationCaller, id_: PersonId, limit: int, before: int | None = None
) -> PersonView | None:
    """One person with what is known of them, the statements before a position; None: no such."""
    found, allows = await app.storage.directory.one(id_), caller.scope.allows
    if found is None:
        return None
    told = await app.storage.directory.statements(found.id, caller.scope, limit + 1, before)
    page = page_of(told, limit, lambda one: one[0])
    quiet = await app.storage.quiet_topics.of(found.id)
    reminders = await app.storage.reminders.own(found.id)
    return extended(
        PersonView,
        found,
        facts=await app.storage.directory.facts(found.id, caller.scope, MOST_FACTS),
        told=await told_of(app.storage.directory, found.id, caller.scope),
        quiet=[one for one in quiet if allows(one.audience)],
        reminders=[one for one in reminders if allows(one.audience)],
        statements=[one for _, one in page.items],
        next=page.next,
    )
