"""People and the rooms where they talk, by the ids of their platforms."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from uuid import NAMESPACE_URL, uuid5

from memory.model.audience import Scope
from memory.model.namesakes import NamesOfPeople
from memory.model.people import AccountId, Person, PersonId, account_parts
from memory.model.rooms import Room, RoomId, SpaceId
from memory.model.statements import NewMemory
from memory.ports import Clock
from memory.storage.people.aliases import read_spoken_under
from memory.storage.sqlite.database import Check, Database, TimedTable, Transaction, no_check
from memory.storage.sqlite.rows import columns_of, json_list, millis, queries, row_as

_SQL = queries("people/people")


class People(TimedTable):
    """The people and rooms that the pet has met; those met since the start are in memory."""

    def __init__(self, database: Database, clock: Clock) -> None:
        super().__init__(database, clock)
        self._people: dict[tuple[str, str], Person] = {}
        self._rooms: dict[RoomId, Room] = {}
        self._members: dict[PersonId, frozenset[SpaceId]] | None = None

    async def person(
        self, platform: str, external_id: str, name: str, *, renames: bool = True
    ) -> Person:
        """The person of an account, added if they are new; `name` becomes their name.

        With `renames` False an old record does not change the name of a known person.
        """
        known = self._people.get((platform, external_id))
        if known is not None and (known.name == name or not renames):
            return known
        person = await self._met(platform, external_id, name, renames=renames)
        self._people[platform, external_id] = person
        return person

    async def again(
        self, person: PersonId, name: str, account: tuple[str, str] | None = None
    ) -> Person:
        """A person who was met before, under the name that they have where they speak now.

        Who is gone meanwhile is not observed. `account`, a platform and an id there, becomes
        theirs unless it belongs to a person already.
        """
        key = ("", f"{person}:{name}:{account}")  # no platform has no name
        if key not in self._people:
            if account is not None:
                platform, external_id = account
                owned = {"platform": platform, "external_id": external_id, "name": name}
                await self._database.run(_SQL["give_account"], {**owned, "id": person})
            row = await self._database.one(_SQL["survivor_of"], {"id": person})
            found = PersonId(row["id"]) if row else person
            observed = row is not None and bool(row["observed"])
            self._people[key] = Person(id=found, name=name, observed=observed)
        return self._people[key]

    async def spaces_of(self, person: PersonId) -> frozenset[SpaceId]:
        """The spaces that the owner, and no platform, let a person know."""
        if self._members is None:
            found: dict[PersonId, set[SpaceId]] = defaultdict(set)
            for row in await self._database.all(_SQL["members"]):
                found[PersonId(row["person_id"])].add(SpaceId(row["space"]))
            self._members = {one: frozenset(spaces) for one, spaces in found.items()}
        return self._members.get(person, frozenset())

    async def spoken_in(self, account: AccountId) -> frozenset[SpaceId]:
        """The communities of an account's platform in which its person has said something."""
        platform, external_id = account_parts(account)
        values = {"platform": platform, "external_id": external_id}
        rows = await self._database.all(_SQL["spoken_in"], values)
        return frozenset(SpaceId(row["space"]) for row in rows)

    async def looked_up(self, platform: str, external_id: str, name: str) -> Person:
        """The person of an account; a new person is returned but not stored."""
        values = {"platform": platform, "external_id": external_id}
        row = await self._database.one(_SQL["person_of"], values)
        if row is not None:
            return row_as(Person, row)
        return Person(id=PersonId(first_person_id(platform, external_id)), name=name)

    async def known(self, platform: str, external_id: str) -> PersonId | None:
        """The person of an account, or None if nothing was said from it yet."""
        row = await self._database.one(
            _SQL["person_of"], {"platform": platform, "external_id": external_id}
        )
        return None if row is None else PersonId(row["id"])

    async def is_new(self, person: PersonId, since: datetime, platforms: Sequence[str]) -> bool:
        """Whether a person has accounts of these platforms only, none older than `since`."""
        values = {"person": person, "since": millis(since), "platforms": json_list(platforms)}
        row = await self._database.one(_SQL["is_new"], values)
        return row is not None and bool(row["is_new"])

    async def observe(
        self,
        person: PersonId,
        *,
        observed: bool,
        asked_at: datetime | None = None,
        along: Check = no_check,
    ) -> None:
        """Observe a person in lobbies, or stop it, from the next message on.

        One that was `asked_at` a time, elsewhere, changes nothing where another was asked for
        since. What goes `along` is done in the same transaction.
        """
        values = {"id": person, "observed": observed, "here": asked_at is None}

        async def work(transaction: Transaction) -> None:
            await along(transaction)
            at = millis(asked_at or self._clock.now())
            await transaction.run(_SQL["set_observed"], {**values, "at": at})

        await self._database.write(work)
        self._people = {key: one for key, one in self._people.items() if one.id != person}

    def refresh(self) -> None:
        """Drop the people and rooms in memory, because their names may have changed."""
        self._people.clear()
        self._rooms.clear()
        self._members = None

    async def named(self, name: str) -> list[PersonId]:
        """The people with this name or id."""
        rows = await self._database.all(_SQL["named"], {"name": name})
        return [PersonId(row["id"]) for row in rows]

    async def spoken_under(self, people: Iterable[PersonId | None], scope: Scope) -> NamesOfPeople:
        """Every name that these people spoke under within the scope, the latest first."""
        wanted = list(people)
        return await self._database.read(
            lambda snapshot: read_spoken_under(snapshot, wanted, scope)
        )

    async def rooms_named(self, name: str) -> list[RoomId]:
        """Every room of this name or id."""
        rows = await self._database.all(_SQL["rooms_named"], {"name": name})
        return [RoomId(row["id"]) for row in rows]

    async def keep_room(self, room: Room) -> None:
        """Store a room as its platform and the settings describe it now."""
        if self._rooms.get(room.id) == room:
            return

        async def work(transaction: Transaction) -> None:
            values = {**columns_of(room), "now": millis(self._clock.now())}
            await transaction.run(_SQL["put_room"], values)

        await self._database.write(work)
        self._rooms[room.id] = room

    async def room(self, room: RoomId) -> Room | None:
        """A room that was met before, or None."""
        if room in self._rooms:
            return self._rooms[room]
        return await self._database.one_as(Room, _SQL["room"], {"id": room})

    async def direct_room(self, platform: str, external_id: str) -> Room | None:
        """The direct room from which the person behind an account wrote last, or None."""
        values = {"platform": platform, "external_id": external_id}
        return await self._database.one_as(Room, _SQL["direct_room"], values)

    async def groups(self, space: SpaceId | None) -> list[Room]:
        """The rooms of several people in a space, or in all spaces."""
        return await self._database.all_as(Room, _SQL["groups_of"], {"space": space})

    async def speakers_in(self, space: SpaceId, limit: int) -> list[Person]:
        """The people who wrote last in the groups of a space; reads every message of it."""
        values = {"space": space, "limit": limit}
        return await self._database.all_as(Person, _SQL["speakers_in"], values)

    async def _met(self, platform: str, external_id: str, name: str, *, renames: bool) -> Person:
        """Read and write a person in one transaction, so that no opt-out is lost."""
        values = {
            "platform": platform,
            "external_id": external_id,
            "name": name,
            "now": millis(self._clock.now()),
        }

        async def work(transaction: Transaction) -> Person:
            found = await transaction.one(_SQL["person_of"], values)
            if found and not renames:
                return row_as(Person, found)
            id_ = found["id"] if found else first_person_id(platform, external_id)
            await transaction.run(_SQL["add_person"], {**values, "id": id_})
            await transaction.run(_SQL["add_identity"], {**values, "id": id_})
            observed = bool(found["observed"]) if found else True
            return Person(id=PersonId(id_), name=name, observed=observed)

        return await self._database.write(work)


async def keep_wish(transaction: Transaction, person: PersonId, now: datetime) -> None:
    """Store when a person last said whether they are observed; see `People.observe`."""
    await transaction.run(_SQL["wished"], {"id": person, "at": millis(now)})


def first_person_id(platform: str, external_id: str) -> str:
    """The id of a person who is first met by this account.

    It is derived, so that two first messages at the same time make one person.
    """
    return uuid5(NAMESPACE_URL, f"{platform}:{external_id}").hex


async def surviving_person(transaction: Transaction, person: PersonId) -> PersonId:
    """The person themselves, or the one they were merged into while work was under way."""
    row = await transaction.one(_SQL["survivor"], {"person": person})
    return person if row is None else PersonId(row["survivor"])


async def as_survivors(transaction: Transaction, new: NewMemory) -> NewMemory:
    """A statement with the people it names replaced by those they were merged into."""
    named = (new.origin.person, new.author, new.about_person)
    person, author, about = [
        None if one is None else await surviving_person(transaction, one) for one in named
    ]
    if (person, author, about) == named:
        return new
    origin = replace(new.origin, person=person)
    return replace(new, origin=origin, author=author, about_person=about)
