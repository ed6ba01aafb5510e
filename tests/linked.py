"""One person on two platforms, and how their accounts are joined."""

from bot.model.events import AuthorRef, RoomRef
from memory.model.linking import Joined
from memory.model.people import PersonId
from memory.model.rooms import RoomKind, RoomRole
from memory.storage.linking.codes import LinkCodes
from tests.cast import DAVID
from tests.storage import StorageParts

DAV = AuthorRef(platform="mail", external_id="dav@home", name="Dav")
"""David, where he goes by another name."""

MAIL = RoomRef(
    platform="mail", external_id="dm-dav", name="Dav", kind=RoomKind.DIRECT, role=RoomRole.PET
)
"""Where he is alone with the pet there."""


def linking_on(storage: StorageParts) -> LinkCodes:
    """Linking on these tables."""
    return LinkCodes(storage.database, storage.people, storage.clock)


async def person_behind(storage: StorageParts, who: AuthorRef) -> PersonId:
    """Whose account it is, who is met if need be."""
    return (await storage.people.person(who.platform, who.external_id, who.name)).id


def account_of(who: AuthorRef) -> str:
    """An account as commands name it."""
    return f"{who.platform}:{who.external_id}"


async def joined(
    storage: StorageParts, enters: AuthorRef = DAV, offers: AuthorRef = DAVID
) -> Joined:
    """One account offers a code, another enters it."""
    linking = linking_on(storage)
    code = await linking.offer(await person_behind(storage, offers), account_of(offers))
    return await linking.join(code, await person_behind(storage, enters), account_of(enters))
