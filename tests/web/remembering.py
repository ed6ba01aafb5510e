"""What the tests of memory over the web begin with: statements of people in several audiences."""

from typing import Any
from uuid import UUID

from bot.surfaces.access.principal import Principal, manager
from memory.model.audience import Origin
from memory.model.rooms import SpaceId, Visibility
from memory.storage.sqlite.database import Transaction
from memory.storage.statements.statements import add_memory
from tests.cast import CORNER, DAVID, LEA
from tests.storage import statement
from tests.web.served_site import ServedSite

GUILD = SpaceId("discord:100")
MANAGER = manager("session of a manager", GUILD)
HOSTILE = "<script>alert(1)</script> \u202efigurative\u202c 🦊"


async def kept(site: ServedSite, content: str, **fields: Any) -> str:
    """The id of a statement that is kept; of David in private unless the fields say otherwise."""
    person = await site.pet.person(DAVID)
    given: dict[str, Any] = {
        "said_by": "David",
        "author": person,
        "about_person": person,
        "subjects": ("David",),
        "origin": Origin(visibility=Visibility.PRIVATE, person=person),
    }
    stored = await site.pet.app.services.writer.store(statement(content, **(given | fields)))
    return str(stored.id)


async def kept_of_lea(site: ServedSite, content: str) -> str:
    """The id of a statement that Léa made alone with the pet."""
    person = await site.pet.person(LEA)
    origin = Origin(visibility=Visibility.PRIVATE, person=person)
    return await kept(
        site, content, said_by="Léa", author=person, about_person=person, origin=origin
    )


async def kept_in_guild(site: ServedSite, content: str) -> str:
    """The id of a statement that a community knows."""
    origin = Origin(visibility=Visibility.SPACE, space=GUILD)
    return await kept(site, content, origin=origin)


async def spoken_to(site: ServedSite) -> None:
    """David and Léa have spoken in a room, so that their names are known."""
    await site.pet.hears("bonjour", DAVID, CORNER)
    await site.pet.hears("bonjour", LEA, CORNER)


def as_manager(site: ServedSite, principal: Principal = MANAGER) -> None:
    """From now on a manager of the community asks."""
    site.given.principal = principal


async def posted(site: ServedSite, path: str, body: Any = None) -> dict[str, Any]:
    """What a successful change answers."""
    answer = await site.client.post(path, json=body)
    assert answer.is_success, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def got(site: ServedSite, path: str, **params: Any) -> dict[str, Any]:
    """A resource that is there."""
    answer = await site.client.get(path, params=params)
    assert answer.is_success, answer.text
    found: dict[str, Any] = answer.json()
    return found


def contents(found: dict[str, Any]) -> list[str]:
    """What the entries of a page say."""
    return [one["content"] for one in found["items"]]


UNKNOWN = str(UUID(int=7))


async def kept_twice(site: ServedSite) -> tuple[str, str]:
    """Two statements that say the same, proposed to be joined."""
    app = site.pet.app

    async def work(transaction: Transaction) -> tuple[str, str]:
        said = [
            await add_memory(transaction, statement(content), site.pet.clock.now())
            for content in ("David a un chat roux", "David a le chat roux")
        ]
        return str(said[0][0]), str(said[1][0])

    ids = await app.storage.memories.write(work)
    await app.services.tidying.run()
    return ids
