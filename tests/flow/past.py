"""A platform whose rooms have a past: what it would list, and what it refuses to."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from bot.model.events import AuthorRef, Inbound, RoomRef
from bot.platforms.catch_up import CatchUp
from bot.ports import CatchUpRules, Past
from memory.model.rooms import HOME
from memory.storage.conversations.room_positions import RoomPositions
from memory.tasks import background_task
from tests.cast import DAVID, LOBBY, NOON, PLATFORM
from tests.flow.pet import Pet
from tests.patience import PATIENCE_S

RULES = CatchUpRules(reach=timedelta(hours=24), most_messages=100, retries_s=())


@dataclass
class ListedPast:
    """The RoomPast of tests: what stands in each room, as the platform has it.

    `refuses` is raised for a room as often as the list is long. `most` is how many rooms were read
    at once; with `together` each reading waits for as many others.
    """

    rooms: dict[str, list[Inbound]] = field(default_factory=dict)
    under: dict[str, str] = field(default_factory=dict)
    edited: set[str] = field(default_factory=set)
    refuses: dict[str, list[Exception]] = field(default_factory=dict)
    asked: Counter[str] = field(default_factory=Counter)
    together: asyncio.Barrier | None = None
    reading: int = 0
    most: int = 0
    platform: str = PLATFORM

    def says(
        self,
        external_id: str,
        text: str,
        at: datetime = NOON,
        who: AuthorRef = DAVID,
        where: RoomRef = LOBBY,
        *,
        mentions_pet: bool = False,
    ) -> Inbound:
        """Let somebody say something in a room."""
        said = Inbound(
            external_id=external_id,
            room=where,
            author=who,
            text=text,
            sent_at=at,
            mentions_pet=mentions_pet,
            spaces=frozenset({HOME}),
        )
        self.rooms.setdefault(where.external_id, []).append(said)
        return said

    def takes_back(self, external_id: str) -> None:
        """Let a message be deleted."""
        for said in self.rooms.values():
            said[:] = [one for one in said if one.external_id != external_id]

    def rewords(self, external_id: str, text: str) -> None:
        """Let a message be edited."""
        self.edited.add(external_id)
        for said in self.rooms.values():
            said[:] = [
                replace(one, text=text) if one.external_id == external_id else one for one in said
            ]

    async def threads(self) -> Mapping[str, str]:
        """The rooms that hang under others."""
        return self.under

    async def said(self, room: str, start: datetime, end: datetime | None, limit: int) -> Past:
        """What stands there in the stretch, the latest of it."""
        self.asked[room] += 1
        self.reading += 1
        self.most = max(self.most, self.reading)
        if self.together is not None:
            await self.together.wait()
        self.reading -= 1
        if refusals := self.refuses.get(room):
            raise refusals.pop(0)
        there = [
            one
            for one in sorted(self.rooms.get(room, []), key=lambda one: one.sent_at)
            if one.sent_at > start and (end is None or one.sent_at < end)
        ]
        latest = there[-limit:]
        return Past(
            messages=tuple(latest),
            listed=frozenset(one.external_id for one in latest),
            edited=frozenset(self.edited),
            whole_from=start if len(latest) == len(there) else latest[0].sent_at,
        )


def catch_up_of(pet: Pet, past: ListedPast, rules: CatchUpRules = RULES) -> CatchUp:
    """What reads this past for this pet."""
    return CatchUp(
        past, RoomPositions(pet.storage.database), pet.paced_inbox, pet.storage.clock, rules
    )


@asynccontextmanager
async def reading(
    pet: Pet, past: ListedPast, rules: CatchUpRules = RULES
) -> AsyncIterator[CatchUp]:
    """The pet connected anew, everything read that can be read at once."""
    catch_up = catch_up_of(pet, past, rules)
    catch_up.connected()
    async with background_task(catch_up.run(), name="catch-up"), asyncio.timeout(PATIENCE_S):
        await catch_up.done()
        yield catch_up


async def read_back(pet: Pet, past: ListedPast, rules: CatchUpRules = RULES) -> None:
    """Connect anew and read everything that can be read."""
    async with reading(pet, past, rules):
        pass
