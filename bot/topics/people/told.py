"""What people state of their own lives, by slot, each claim in the words of its author."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.conversation.rooms import RoomRegistry
from bot.model.events import Invoked
from bot.surfaces.access.caller import OperationCaller
from bot.wiring.app import App
from memory.language.text import fold
from memory.model.audience import Scope
from memory.model.claims import Slot, ToldClaim
from memory.model.people import PersonId
from memory.model.shown import Shown
from memory.storage.linking.directory import PeopleDirectory

MOST_TELLING = 12
"""People of whom is told what they say of themselves."""

MOST_OF_SLOT = 4
"""Clauses of one slot that are shown, the latest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldSlot:
    """What a person states of one slot of their life, the latest first."""

    slot: Shown[Slot]
    claims: Shown[Sequence[ToldClaim]]


@dataclass(frozen=True, slots=True, kw_only=True)
class TellingPerson:
    """What one person says of themselves."""

    person: PersonId
    name: str
    slots: Sequence[ToldSlot]


class OwnClaims:
    """Reads what people state of themselves as they may be told where they ask."""

    def __init__(self, register: RoomRegistry, directory: PeopleDirectory) -> None:
        self._register = register
        self._directory = directory

    async def of(self, invoked: Invoked) -> Sequence[ToldSlot]:
        """What the caller of a command states of themselves; nothing is kept of the asking."""
        caller = await self._register.about_to_invoke(invoked)
        return await told_of(self._directory, caller.person.id, caller.scope)


async def told_of(directory: PeopleDirectory, person: PersonId, scope: Scope) -> list[ToldSlot]:
    """What a person states of themselves as far as a reader may know their lines."""
    return _by_slot(await directory.told(person, scope))


async def told_lately(app: App, caller: OperationCaller) -> list[TellingPerson]:
    """What those who spoke last say of themselves; who says nothing of that is left out."""
    directory = app.storage.directory
    found = [
        TellingPerson(person=one.id, name=one.name, slots=slots)
        for one in await directory.speaking(caller.scope, MOST_TELLING)
        if (slots := await told_of(directory, one.id, caller.scope))
    ]
    return sorted(found, key=lambda one: fold(one.name))


def tellers(
    telling: Sequence[TellingPerson],
) -> list[tuple[Slot, list[tuple[TellingPerson, ToldSlot]]]]:
    """Who tells of each slot, and what: the slots of most people first."""
    said = [(one, told) for one in telling for told in one.slots]
    found = [(slot, [one for one in said if one[1].slot is slot]) for slot in Slot]
    return sorted((one for one in found if one[1]), key=lambda one: -len(one[1]))


def latest(telling: Sequence[TellingPerson], limit: int) -> list[tuple[TellingPerson, ToldClaim]]:
    """The latest claims of all these people, each with its author; words of several slots once."""
    said = {
        (claim.message, claim.words): (one, claim)
        for one in telling
        for told in one.slots
        for claim in told.claims
    }
    return sorted(said.values(), key=lambda one: one[1].said_at, reverse=True)[:limit]


def _by_slot(told: Sequence[ToldClaim]) -> list[ToldSlot]:
    """The claims of each slot in the order of slots; what is said again in the same words once."""
    found: dict[Slot, dict[str, ToldClaim]] = {}
    for one in told:
        found.setdefault(one.slot, {}).setdefault(fold(one.words), one)
    return [
        ToldSlot(slot=slot, claims=[*found[slot].values()][:MOST_OF_SLOT])
        for slot in Slot
        if slot in found
    ]
