"""Who goes by which names is learned where it is said, and known nowhere else."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from memory.language.names import Named
from memory.model.audience import OPERATOR, Origin, Scope, scope_of
from memory.model.people import PersonId
from memory.model.rooms import HOME, Room, SpaceId, Visibility
from memory.model.statements import MemoryId, MemoryType
from memory.model.stores import Store
from memory.storage.people.aliases import Aliases
from tests.cast import LOBBY, PLATFORM, author, direct, group, room_of
from tests.forgotten import forget_one, forgetting_on
from tests.storage import StorageParts, arrival, open_truth, statement

ELSEWHERE = group("elsewhere", space=SpaceId("other"))
VAULT = room_of(group("vault"), confidential=True)
NOBODY = PersonId("nobody")
HERE = scope_of(room_of(LOBBY), NOBODY)


@pytest.fixture
async def storage(tmp_path: Path) -> AsyncIterator[StorageParts]:
    """New tables."""
    async with open_truth(tmp_path) as opened:
        yield opened


async def speaks(
    storage: StorageParts, name: str, room: Room | None = None, *, account: str = ""
) -> PersonId:
    """Somebody writes in a room, the lobby unless said; who it is."""
    room = room or room_of(LOBBY)
    await storage.people.keep_room(room)
    person = await storage.people.person(PLATFORM, account or name.lower(), name)
    number = await storage.count("messages") + 1
    said = replace(arrival("bonjour", f"m{number}"), author=name, person=person.id, room=room)
    await storage.messages.accept([said])
    return person.id


async def told(storage: StorageParts, content: str, **fields: object) -> MemoryId:
    """A statement is kept; its id."""
    return (await storage.remember.store(statement(content, **fields))).id


async def named(storage: StorageParts, text: str, scope: Scope = HERE) -> tuple[Named, ...]:
    """Whom a text names."""
    return await Aliases(storage.database, storage.clock).named_in(text, scope)


async def others(
    storage: StorageParts, text: str, scope: Scope = HERE
) -> dict[str, tuple[str, ...]]:
    """Each name of a text with the other names."""
    return {one.said: one.others for one in await named(storage, text, scope)}


async def test_who_speaks_is_known_by_name(storage: StorageParts) -> None:
    """Whatever the case, the accents and the apostrophe before it."""
    person = await speaks(storage, "Élise")
    assert await named(storage, "tu te souviens d'elise ?") == (
        Named(said="elise", people=(person,), others=()),
    )
    assert await named(storage, "rien à voir") == ()


async def test_the_names_of_one_account_stand_for_each_other(storage: StorageParts) -> None:
    """Also the one it had before."""
    person = await speaks(storage, "Mickael", account="42")
    assert await speaks(storage, "Micka", account="42") == person
    assert await others(storage, "où est Micka ?") == {"micka": ("Mickael",)}
    assert await others(storage, "où est mickael ?") == {"mickael": ("Micka",)}


@pytest.mark.parametrize("content", ["dev = Mickael", "Mickael, alias dev", "Mickael goes by dev"])
async def test_a_statement_makes_two_names_stand_for_each_other(
    storage: StorageParts, content: str
) -> None:
    """Whether or not one of them ever spoke."""
    await told(storage, content)
    assert await others(storage, "il fait quoi dev ?") == {"dev": ("Mickael",)}
    assert await others(storage, "et mickaël ?") == {"mickael": ("dev",)}
    person = await speaks(storage, "Mickael")
    assert await named(storage, "dev ?") == (
        Named(said="dev", people=(person,), others=("Mickael",)),
    )


async def test_a_doubtful_statement_counts_of_known_people_only(storage: StorageParts) -> None:
    """The sentences "dev is Mickael" and "rust is Mozilla" have the same form."""
    await told(storage, "rust is Mozilla")
    await told(storage, "dev is Mickael", memory_type=MemoryType.IDENTITY)
    await speaks(storage, "Léa")
    await told(storage, "chef c'est Léa")
    assert await named(storage, "rust ?") == ()
    assert await others(storage, "dev ou chef ?") == {"dev": ("Mickael",), "chef": ("Léa",)}


async def test_who_says_call_me_is_meant_by_it(storage: StorageParts) -> None:
    """By their account where it is known, by their name otherwise."""
    person = await speaks(storage, "David")
    here = Origin(visibility=Visibility.SPACE, person=person)
    await told(storage, "call me Zed", origin=here, said_by="David")
    await told(storage, "mon pseudo c'est dd", said_by="David")
    assert await named(storage, "où est Zed ?") == (
        Named(said="zed", people=(person,), others=("David", "dd")),
    )


async def test_names_of_names_are_found(storage: StorageParts) -> None:
    """From one nickname to the name to another nickname, to the person's other names, and back."""
    await speaks(storage, "Mickael", account="42")
    await speaks(storage, "Mick D", account="42")
    await told(storage, "dev = Mickael")
    await told(storage, "Micka = Mickael")
    assert await others(storage, "dev ?") == {"dev": ("Mick D", "Micka", "Mickael")}
    assert await others(storage, "Mick D ?") == {"mick d": ("Micka", "Mickael", "dev")}


async def test_a_shared_name_does_not_lead_from_one_person_to_another(
    storage: StorageParts,
) -> None:
    """Two Davids have one name in common and no other."""
    await speaks(storage, "David", account="1")
    await speaks(storage, "Dav", account="1")
    await speaks(storage, "David", account="2")
    await speaks(storage, "Bowie", account="2")
    assert await others(storage, "Dav ?") == {"dav": ("David",)}


async def test_a_longer_name_hides_the_shorter_one(storage: StorageParts) -> None:
    """Jean Dupont is not Jean."""
    longer = await speaks(storage, "Jean Dupont")
    shorter = await speaks(storage, "Jean")
    assert [one.people for one in await named(storage, "Jean-Dupont arrive")] == [(longer,)]
    assert [one.people for one in await named(storage, "jean et paul")] == [(shorter,)]


async def test_a_name_of_two_people_is_both_of_theirs(storage: StorageParts) -> None:
    """Whoever is meant is among them."""
    people = {await speaks(storage, "David", account=account) for account in "ab"}
    (found,) = await named(storage, "David ?")
    assert set(found.people) == people


async def test_a_name_that_is_a_little_word_needs_its_capital(storage: StorageParts) -> None:
    """Will is somebody, will is not."""
    await speaks(storage, "Will")
    assert await named(storage, "it will rain") == ()
    assert len(await named(storage, "is Will here")) == len(await named(storage, "@will ?")) == 1


async def test_what_is_forgotten_names_nobody(storage: StorageParts) -> None:
    """From the moment it is."""
    memory = await told(storage, "dev = Mickael")
    assert await named(storage, "dev ?")
    await forget_one(forgetting_on(storage), memory)
    assert await named(storage, "dev ?") == ()


async def test_what_is_superseded_names_nobody(storage: StorageParts) -> None:
    """The nickname that took its place does."""
    await told(storage, "Le pseudo de Mickael est dev", subjects=("Mickael",))
    await storage.indexer.settle()
    await told(storage, "Le pseudo de Mickael n'est plus dev", subjects=("Mickael",))
    assert await storage.count("memories", "superseded_by IS NOT NULL") == 1
    assert await named(storage, "dev ?") == ()


async def test_what_expires_names_nobody(storage: StorageParts) -> None:
    """Without waiting for a sweep."""
    await told(storage, "dev = Mickael", ttl=timedelta(hours=1))
    assert await named(storage, "dev ?")
    storage.clock.advance(timedelta(hours=2))
    assert await named(storage, "dev ?") == ()


async def test_what_is_purged_leaves_no_alias(storage: StorageParts) -> None:
    """The rows go with the memory."""
    await told(storage, "dev = Mickael")
    assert await storage.count("aliases") == 2
    await storage.database.write(lambda transaction: transaction.run("DELETE FROM memories"))
    assert await storage.count("aliases") == 0


async def test_the_same_statement_again_adds_no_alias(storage: StorageParts) -> None:
    """It is touched, not stored twice."""
    for _ in range(2):
        await told(storage, "dev = Mickael")
        await storage.indexer.settle()
    assert await storage.count("memories") == 1
    assert await storage.count("aliases") == 2


async def test_what_the_pet_says_of_itself_names_nobody(storage: StorageParts) -> None:
    """Its self and its goals are not about people."""
    await told(storage, "call me Eko", store=Store.SELF, category="context")
    assert await storage.count("aliases") == 0


async def test_a_confided_alias_stays_with_whoever_confided_it(storage: StorageParts) -> None:
    """Known in that person's direct rooms, in no group and to nobody else."""
    david = await speaks(storage, "David")
    lea = await speaks(storage, "Léa")
    mickael = await speaks(storage, "Mickael")
    private = Origin(visibility=Visibility.PRIVATE, person=david)
    await told(storage, "dev = Mickael", origin=private)
    alone = room_of(direct(author("David")))
    assert await others(storage, "dev ?", scope_of(alone, david)) == {"dev": ("Mickael",)}
    both = scope_of(alone, david, [HOME])
    assert [one.people for one in await named(storage, "dev ?", both)] == [(mickael,)]
    hers = scope_of(room_of(direct(author("Léa"))), lea, [HOME])
    for scope in (HERE, hers):
        assert await named(storage, "dev ?", scope) == ()
        assert await others(storage, "Mickael ?", scope) == {"mickael": ()}


async def test_the_name_of_a_private_account_stays_in_private(storage: StorageParts) -> None:
    """Who writes to the pet alone under another name is not given away in the lobby."""
    await speaks(storage, "dev", account="42")
    alone = room_of(direct(author("42")))
    person = await speaks(storage, "Mickael Martin", alone, account="42")
    assert await others(storage, "dev ?", scope_of(alone, person, [HOME])) == {
        "dev": ("Mickael Martin",)
    }
    assert await others(storage, "dev ?") == {"dev": ()}
    assert await named(storage, "Mickael Martin ?") == ()


async def test_names_cross_neither_spaces_nor_confidential_rooms(storage: StorageParts) -> None:
    """Each knows the names under which somebody spoke in it."""
    await speaks(storage, "dev", account="42")
    await speaks(storage, "Micka", room_of(ELSEWHERE), account="42")
    await speaks(storage, "Agent", VAULT, account="42")
    other = Origin(visibility=Visibility.SPACE, space=ELSEWHERE.space)
    await told(storage, "dev = Kevin", origin=other)
    assert await others(storage, "dev, Micka, Agent, Kevin") == {"dev": ()}
    there = scope_of(room_of(ELSEWHERE), NOBODY)
    assert await others(storage, "Micka", there) == {"micka": ()}
    assert await others(storage, "Kevin", there) == {"kevin": ("dev",)}
    inside = scope_of(VAULT, NOBODY)
    assert await others(storage, "Agent", inside) == {"agent": ("dev",)}
    assert await named(storage, "dev Micka Agent Kevin", Scope(frozenset())) == ()


async def test_the_operator_sees_every_name(storage: StorageParts) -> None:
    """Whoever runs the pet reads the data folder anyway."""
    await speaks(storage, "dev", account="42")
    await speaks(storage, "Micka", room_of(ELSEWHERE), account="42")
    assert await others(storage, "dev", OPERATOR) == {"dev": ("Micka",)}


@pytest.mark.parametrize("text", ["", "?", "😀", "\0", "a " * 5_000, "'; DROP TABLE aliases; --"])
async def test_odd_texts_name_nobody(storage: StorageParts, text: str) -> None:
    """However long or strange."""
    await speaks(storage, "✨")
    await speaks(storage, "David")
    assert await named(storage, text) == ()
