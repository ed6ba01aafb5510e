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
from tests.truth import Truth, arrival, open_truth, statement

ELSEWHERE = group("elsewhere", space=SpaceId("other"))
VAULT = room_of(group("vault"), confidential=True)
NOBODY = PersonId("nobody")
HERE = scope_of(room_of(LOBBY), NOBODY)


@pytest.fixture
async def truth(tmp_path: Path) -> AsyncIterator[Truth]:
    """New tables."""
    async with open_truth(tmp_path) as opened:
        yield opened


async def speaks(
    truth: Truth, name: str, room: Room | None = None, *, account: str = ""
) -> PersonId:
    """Somebody writes in a room, the lobby unless said; who it is."""
    room = room or room_of(LOBBY)
    await truth.people.keep_room(room)
    person = await truth.people.person(PLATFORM, account or name.lower(), name)
    number = await truth.count("messages") + 1
    said = replace(arrival("bonjour", f"m{number}"), author=name, person=person.id, room=room)
    await truth.messages.accept([said])
    return person.id


async def told(truth: Truth, content: str, **fields: object) -> MemoryId:
    """A statement is kept; its id."""
    return (await truth.remember.store(statement(content, **fields))).id


async def named(truth: Truth, text: str, scope: Scope = HERE) -> tuple[Named, ...]:
    """Whom a text names."""
    return await Aliases(truth.database, truth.clock).named_in(text, scope)


async def others(truth: Truth, text: str, scope: Scope = HERE) -> dict[str, tuple[str, ...]]:
    """Each name of a text with the other names."""
    return {one.said: one.others for one in await named(truth, text, scope)}


async def test_who_speaks_is_known_by_name(truth: Truth) -> None:
    """Whatever the case, the accents and the apostrophe before it."""
    person = await speaks(truth, "Élise")
    assert await named(truth, "tu te souviens d'elise ?") == (
        Named(said="elise", people=(person,), others=()),
    )
    assert await named(truth, "rien à voir") == ()


async def test_the_names_of_one_account_stand_for_each_other(truth: Truth) -> None:
    """Also the one it had before."""
    person = await speaks(truth, "Mickael", account="42")
    assert await speaks(truth, "Micka", account="42") == person
    assert await others(truth, "où est Micka ?") == {"micka": ("Mickael",)}
    assert await others(truth, "où est mickael ?") == {"mickael": ("Micka",)}


@pytest.mark.parametrize("content", ["dev = Mickael", "Mickael, alias dev", "Mickael goes by dev"])
async def test_a_statement_makes_two_names_stand_for_each_other(truth: Truth, content: str) -> None:
    """Whether or not one of them ever spoke."""
    await told(truth, content)
    assert await others(truth, "il fait quoi dev ?") == {"dev": ("Mickael",)}
    assert await others(truth, "et mickaël ?") == {"mickael": ("dev",)}
    person = await speaks(truth, "Mickael")
    assert await named(truth, "dev ?") == (
        Named(said="dev", people=(person,), others=("Mickael",)),
    )


async def test_a_doubtful_statement_counts_of_known_people_only(truth: Truth) -> None:
    """The sentences "dev is Mickael" and "rust is Mozilla" have the same form."""
    await told(truth, "rust is Mozilla")
    await told(truth, "dev is Mickael", memory_type=MemoryType.IDENTITY)
    await speaks(truth, "Léa")
    await told(truth, "chef c'est Léa")
    assert await named(truth, "rust ?") == ()
    assert await others(truth, "dev ou chef ?") == {"dev": ("Mickael",), "chef": ("Léa",)}


async def test_who_says_call_me_is_meant_by_it(truth: Truth) -> None:
    """By their account where it is known, by their name otherwise."""
    person = await speaks(truth, "David")
    here = Origin(visibility=Visibility.SPACE, person=person)
    await told(truth, "call me Zed", origin=here, said_by="David")
    await told(truth, "mon pseudo c'est dd", said_by="David")
    assert await named(truth, "où est Zed ?") == (
        Named(said="zed", people=(person,), others=("David", "dd")),
    )


async def test_names_of_names_are_found(truth: Truth) -> None:
    """From one nickname to the name to another nickname, to the person's other names, and back."""
    await speaks(truth, "Mickael", account="42")
    await speaks(truth, "Mick D", account="42")
    await told(truth, "dev = Mickael")
    await told(truth, "Micka = Mickael")
    assert await others(truth, "dev ?") == {"dev": ("Mick D", "Micka", "Mickael")}
    assert await others(truth, "Mick D ?") == {"mick d": ("Micka", "Mickael", "dev")}


async def test_a_shared_name_does_not_lead_from_one_person_to_another(truth: Truth) -> None:
    """Two Davids have one name in common and no other."""
    await speaks(truth, "David", account="1")
    await speaks(truth, "Dav", account="1")
    await speaks(truth, "David", account="2")
    await speaks(truth, "Bowie", account="2")
    assert await others(truth, "Dav ?") == {"dav": ("David",)}


async def test_a_longer_name_hides_the_shorter_one(truth: Truth) -> None:
    """Jean Dupont is not Jean."""
    longer = await speaks(truth, "Jean Dupont")
    shorter = await speaks(truth, "Jean")
    assert [one.people for one in await named(truth, "Jean-Dupont arrive")] == [(longer,)]
    assert [one.people for one in await named(truth, "jean et paul")] == [(shorter,)]


async def test_a_name_of_two_people_is_both_of_theirs(truth: Truth) -> None:
    """Whoever is meant is among them."""
    people = {await speaks(truth, "David", account=account) for account in "ab"}
    (found,) = await named(truth, "David ?")
    assert set(found.people) == people


async def test_a_name_that_is_a_little_word_needs_its_capital(truth: Truth) -> None:
    """Will is somebody, will is not."""
    await speaks(truth, "Will")
    assert await named(truth, "it will rain") == ()
    assert len(await named(truth, "is Will here")) == len(await named(truth, "@will ?")) == 1


async def test_what_is_forgotten_names_nobody(truth: Truth) -> None:
    """From the moment it is."""
    memory = await told(truth, "dev = Mickael")
    assert await named(truth, "dev ?")
    await truth.memories.forget(memory, OPERATOR)
    assert await named(truth, "dev ?") == ()


async def test_what_is_superseded_names_nobody(truth: Truth) -> None:
    """The nickname that took its place does."""
    await told(truth, "Le pseudo de Mickael est dev", subjects=("Mickael",))
    await truth.indexer.settle()
    await told(truth, "Le pseudo de Mickael n'est plus dev", subjects=("Mickael",))
    assert await truth.count("memories", "superseded_by IS NOT NULL") == 1
    assert await named(truth, "dev ?") == ()


async def test_what_expires_names_nobody(truth: Truth) -> None:
    """Without waiting for a sweep."""
    await told(truth, "dev = Mickael", ttl=timedelta(hours=1))
    assert await named(truth, "dev ?")
    truth.clock.advance(timedelta(hours=2))
    assert await named(truth, "dev ?") == ()


async def test_what_is_purged_leaves_no_alias(truth: Truth) -> None:
    """The rows go with the memory."""
    await told(truth, "dev = Mickael")
    assert await truth.count("aliases") == 2
    await truth.database.write(lambda transaction: transaction.run("DELETE FROM memories"))
    assert await truth.count("aliases") == 0


async def test_the_same_statement_again_adds_no_alias(truth: Truth) -> None:
    """It is touched, not stored twice."""
    for _ in range(2):
        await told(truth, "dev = Mickael")
        await truth.indexer.settle()
    assert await truth.count("memories") == 1
    assert await truth.count("aliases") == 2


async def test_what_the_pet_says_of_itself_names_nobody(truth: Truth) -> None:
    """Its self and its goals are not about people."""
    await told(truth, "call me Eko", store=Store.SELF, category="context")
    assert await truth.count("aliases") == 0


async def test_a_confided_alias_stays_with_whoever_confided_it(truth: Truth) -> None:
    """Known in that person's direct rooms, in no group and to nobody else."""
    david = await speaks(truth, "David")
    lea = await speaks(truth, "Léa")
    mickael = await speaks(truth, "Mickael")
    private = Origin(visibility=Visibility.PRIVATE, person=david)
    await told(truth, "dev = Mickael", origin=private)
    alone = room_of(direct(author("David")))
    assert await others(truth, "dev ?", scope_of(alone, david)) == {"dev": ("Mickael",)}
    both = scope_of(alone, david, [HOME])
    assert [one.people for one in await named(truth, "dev ?", both)] == [(mickael,)]
    hers = scope_of(room_of(direct(author("Léa"))), lea, [HOME])
    for scope in (HERE, hers):
        assert await named(truth, "dev ?", scope) == ()
        assert await others(truth, "Mickael ?", scope) == {"mickael": ()}


async def test_the_name_of_a_private_account_stays_in_private(truth: Truth) -> None:
    """Who writes to the pet alone under another name is not given away in the lobby."""
    await speaks(truth, "dev", account="42")
    alone = room_of(direct(author("42")))
    person = await speaks(truth, "Mickael Martin", alone, account="42")
    assert await others(truth, "dev ?", scope_of(alone, person, [HOME])) == {
        "dev": ("Mickael Martin",)
    }
    assert await others(truth, "dev ?") == {"dev": ()}
    assert await named(truth, "Mickael Martin ?") == ()


async def test_names_cross_neither_spaces_nor_confidential_rooms(truth: Truth) -> None:
    """Each knows the names under which somebody spoke in it."""
    await speaks(truth, "dev", account="42")
    await speaks(truth, "Micka", room_of(ELSEWHERE), account="42")
    await speaks(truth, "Agent", VAULT, account="42")
    other = Origin(visibility=Visibility.SPACE, space=ELSEWHERE.space)
    await told(truth, "dev = Kevin", origin=other)
    assert await others(truth, "dev, Micka, Agent, Kevin") == {"dev": ()}
    there = scope_of(room_of(ELSEWHERE), NOBODY)
    assert await others(truth, "Micka", there) == {"micka": ()}
    assert await others(truth, "Kevin", there) == {"kevin": ("dev",)}
    inside = scope_of(VAULT, NOBODY)
    assert await others(truth, "Agent", inside) == {"agent": ("dev",)}
    assert await named(truth, "dev Micka Agent Kevin", Scope(frozenset())) == ()


async def test_the_operator_sees_every_name(truth: Truth) -> None:
    """Whoever runs the pet reads the data folder anyway."""
    await speaks(truth, "dev", account="42")
    await speaks(truth, "Micka", room_of(ELSEWHERE), account="42")
    assert await others(truth, "dev", OPERATOR) == {"dev": ("Micka",)}


@pytest.mark.parametrize("text", ["", "?", "😀", "\0", "a " * 5_000, "'; DROP TABLE aliases; --"])
async def test_odd_texts_name_nobody(truth: Truth, text: str) -> None:
    """However long or strange."""
    await speaks(truth, "✨")
    await speaks(truth, "David")
    assert await named(truth, text) == ()
