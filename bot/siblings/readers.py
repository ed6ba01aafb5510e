"""A person whom another process asks about, as this one knows them, and what they may know here."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from bot.conversation.rooms import RoomRegistry
from bot.errors import BotError
from bot.ports import Platform
from bot.siblings.values import SiblingAccount
from memory.model.audience import Scope, person_audience, space_audience
from memory.model.people import AccountId, Person, PersonId, account_parts
from memory.model.rooms import Room, RoomId, RoomKind, RoomRole, SpaceId
from memory.storage.people.people import People


@runtime_checkable
class Vouching(Protocol):
    """A platform that says in which of its communities here an account is."""

    async def spaces_of(self, external_id: str) -> frozenset[SpaceId]:
        """The communities of this process alone in which it is now; what is not known is no."""
        ...


class AccountNotShared(BotError):
    """An account is of a platform that each process has of its own: it may be another's here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivateReader:
    """A person with what they may know here in private.

    That is what they said here to the pet alone, and what was said in their communities: nothing
    of confidential rooms, and nothing that everybody may know, which each process has of its own.
    """

    person: Person
    account: AccountId
    spaces: frozenset[SpaceId]

    @property
    def scope(self) -> Scope:
        """What of this process may be shown to them."""
        return Scope(
            frozenset({person_audience(self.person.id), *map(space_audience, self.spaces)})
        )

    @property
    def room(self) -> Room:
        """Where they read it: a direct room of another process, in which nothing was said here."""
        platform, external_id = account_parts(self.account)
        return Room(
            id=RoomId(f"{platform}:sibling:{external_id}"),
            platform=platform,
            external_id=f"sibling:{external_id}",
            name=self.person.name,
            kind=RoomKind.DIRECT,
            role=RoomRole.PET,
        )


class PrivateReaders:
    """Finds out who is asked about, and in which communities of this process they are now.

    Only accounts of the platform that the processes share out are known here.
    """

    def __init__(
        self,
        people: People,
        register: RoomRegistry,
        platforms: Sequence[Platform],
        shared_out: str,
    ) -> None:
        self._people = people
        self._register = register
        self._shared_out = shared_out
        self._vouching = {one.platform: one for one in platforms if isinstance(one, Vouching)}

    async def vouched(self, account: AccountId) -> frozenset[SpaceId]:
        """The communities in which an account is, as its platform says; none while that is away."""
        platform, external_id = account_parts(account)
        vouching = self._vouching.get(platform)
        return frozenset() if vouching is None else await vouching.spaces_of(external_id)

    async def reader(self, who: SiblingAccount) -> PrivateReader:
        """The person of an account, whether they have spoken here or only read along.

        Raises:
            AccountNotShared: the account is of another platform.

        """
        platform, external_id = self._parts(who.id)
        person = await self._people.looked_up(platform, external_id, who.name or external_id)
        spaces = await self._register.spaces_of(person.id, await self.vouched(who.id))
        return PrivateReader(person=person, account=who.id, spaces=spaces)

    async def known(self, accounts: Sequence[SiblingAccount]) -> list[PersonId]:
        """The people here who have these accounts, each once."""
        found = [await self._people.known(*self._parts(one.id)) for one in accounts]
        return list(dict.fromkeys(one for one in found if one is not None))

    async def met(self, who: SiblingAccount, *, name: str = "") -> PersonId:
        """The person of an account, added where they are new; no name that they have is changed."""
        platform, external_id = self._parts(who.id)
        called = name or who.name or external_id
        person = await self._people.person(platform, external_id, called, renames=False)
        return person.id

    def _parts(self, account: AccountId) -> tuple[str, str]:
        parts = account_parts(account)
        if parts[0] != self._shared_out:
            raise AccountNotShared("Only accounts of the platform that is shared out are known.")
        return parts
