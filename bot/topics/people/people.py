"""People: who there is, and what is known of one."""

from bot.surfaces.caller import OperationCaller
from bot.surfaces.json import Event, memory_json
from bot.wiring.app import App
from memory.model.people import PersonId
from memory.storage.people.directory import MOST_COUNTED, FactInForce, PersonListing

MOST_FACTS = 100
"""Core facts of one person that are read."""


async def people(app: App, limit: int, *, after: PersonId | None = None, called: str = "") -> Event:
    """People by name, those after one; `called` leaves those whose name has this in it."""
    found = await app.storage.directory.page(limit + 1, after=after, called=called)
    page = found[:limit]
    return {
        "items": [_person_json(one) for one in page],
        "next": page[-1].id if len(found) > limit else None,
    }


async def person(
    app: App, caller: OperationCaller, id_: PersonId, limit: int, before: int | None = None
) -> Event | None:
    """One person with what is known of them, the statements before a position; None: no such."""
    found = await app.storage.directory.one(id_)
    if found is None:
        return None
    told = await app.storage.directory.statements(found.id, caller.scope, limit + 1, before)
    facts = await app.storage.directory.facts(found.id, caller.scope, MOST_FACTS)
    quiet = await app.storage.quiet_topics.of(found.id)
    reminders = await app.storage.reminders.own(found.id)
    return {
        **_person_json(found),
        "facts": [_fact_json(one) for one in facts],
        "quiet": [
            {"topic": one.topic, "since": one.since.isoformat()}
            for one in quiet
            if caller.scope.allows(one.audience)
        ],
        "reminders": [
            {"text": one.text, "due_at": one.due_at.isoformat()}
            for one in reminders
            if caller.scope.allows(one.audience)
        ],
        "statements": [memory_json(one) for _, one in told[:limit]],
        "next": told[limit - 1][0] if len(told) > limit else None,
    }


def _person_json(one: PersonListing) -> Event:
    return {
        "id": one.id,
        "name": one.name,
        "observed": one.observed,
        "met_at": one.met_at.isoformat(),
        "messages": one.messages,
        "statements_held": one.statements,
        "facts_held": one.facts,
        "counted_to": MOST_COUNTED,
        "accounts": [
            {"id": account.id, "platform": account.platform, "name": account.name}
            for account in one.accounts
        ],
    }


def _fact_json(one: FactInForce) -> Event:
    return {
        "key": one.key,
        "value": one.value,
        "since": one.since.isoformat(),
        "visibility": one.visibility.value,
    }
