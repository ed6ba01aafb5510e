"""Reactions as platforms tell of them: by their own ids, each account's as they are now."""

from pathlib import Path

import pytest

from bot.model.events import AuthorRef, ReactionsChanged
from memory.model.audience import OPERATOR
from memory.model.authority import Actor
from memory.model.messages import MOST_OF_ONE, MOST_REACTIONS
from memory.rules.forgetting.selector import Requester, Selector
from tests.cast import DAVID, LEA, LOBBY, MICKAEL, PLATFORM
from tests.flow.pet import Pet, awake, responds
from tests.forgotten import forgetting_on
from tests.linked import person_behind

FULL = MOST_REACTIONS // MOST_OF_ONE
"""So many accounts with all but one of what one can have leave less room than one more wants."""


async def reacts(pet: Pet, who: AuthorRef, message: str, *emoji: str) -> None:
    """What an account has at a message from now on."""
    changed = ReactionsChanged(
        platform=PLATFORM, external_id=message, author=who, emoji=tuple(emoji)
    )
    await pet.inbox.receive(changed)


async def kept(pet: Pet) -> set[tuple[str, str, str]]:
    """Who has what, at messages of which kind of author."""
    rows = await pet.storage.database.all(
        "SELECT r.name, r.emoji, m.author_kind FROM reactions AS r"
        " JOIN messages AS m ON m.id = r.message_id"
    )
    return {(row[0], row[1], row[2]) for row in rows}


async def said(pet: Pet, who: AuthorRef, text: str) -> str:
    """The platform's id of something that was said in the lobby."""
    await pet.overhears(text, who, LOBBY)
    row = await pet.storage.database.one(
        "SELECT external_id FROM messages WHERE text = :text", {"text": text}
    )
    assert row is not None
    return str(row[0])


async def test_an_account_has_what_it_has_now(tmp_path: Path) -> None:
    """At what another said; what is told again changes nothing, and none takes all away."""
    async with awake(tmp_path) as pet:
        message = await said(pet, DAVID, "j'ai un voilier")
        await said(pet, LEA, "moi aussi")
        await reacts(pet, LEA, message, "👍", "❤️")
        await reacts(pet, LEA, message, "👍", "❤️", "👍")
        assert await kept(pet) == {("Léa", "👍", "person"), ("Léa", "❤️", "person")}
        await reacts(pet, DAVID, message, "🎉")
        await reacts(pet, LEA, message, "😂")
        assert await kept(pet) == {("Léa", "😂", "person"), ("David", "🎉", "person")}
        await reacts(pet, LEA, message)
        assert await kept(pet) == {("David", "🎉", "person")}


async def test_each_part_of_a_reply_leads_to_the_reply(tmp_path: Path) -> None:
    """By the platform's id of any of its messages."""
    async with awake(tmp_path) as pet:
        pet.model.will(responds("Bonjour !"))
        await pet.asked("Eko, bonjour", LEA, LOBBY)
        rows = await pet.storage.database.all("SELECT external_id FROM turn_parts")
        assert rows
        await reacts(pet, LEA, str(rows[-1][0]), "👍")
        assert await kept(pet) == {("Léa", "👍", "pet")}


async def test_what_leads_nowhere_is_left_alone(tmp_path: Path) -> None:
    """An unknown message, an account that never spoke, a person who is not observed."""
    async with awake(tmp_path) as pet:
        message = await said(pet, DAVID, "j'ai un voilier")
        await said(pet, LEA, "moi aussi")
        await reacts(pet, LEA, "unknown", "👍")
        await reacts(pet, MICKAEL, message, "👍")
        lea = await person_behind(pet.storage, LEA)
        await pet.storage.people.observe(lea, observed=False)
        await reacts(pet, LEA, message, "👍")
        await pet.inbox.receive(
            ReactionsChanged(platform="mail", external_id=message, author=DAVID, emoji=("👍",))
        )
        assert await kept(pet) == set()


async def test_a_message_takes_no_more_than_can_be_drawn(tmp_path: Path) -> None:
    """Neither of one account nor of all; what is no emoji is left away."""
    async with awake(tmp_path) as pet:
        message = await said(pet, DAVID, "j'ai un voilier")
        many = [f"e{number}" for number in range(MOST_OF_ONE + 5)]
        for number in range(FULL + 1):
            who = AuthorRef(platform=PLATFORM, external_id=f"p{number}", name=f"P{number}")
            await said(pet, who, f"je suis le numéro {number}")
            await reacts(pet, who, message, *many[: MOST_OF_ONE - 1 if number < FULL else None])
            ((had,),) = await pet.storage.database.all(
                "SELECT count(*) FROM reactions WHERE account = :who", {"who": who.account}
            )
            assert had <= MOST_OF_ONE
        assert await pet.storage.count("reactions", "1") == MOST_REACTIONS
        await reacts(pet, DAVID, message, "x" * 50, "", "\x00", "👍")
        assert await pet.storage.count("reactions", "1") == MOST_REACTIONS
        one = AuthorRef(platform=PLATFORM, external_id="p0", name="P0")
        await reacts(pet, one, message)
        await reacts(pet, DAVID, message, "x" * 50, "", "\x00", "👍")
        assert ("David", "👍", "person") in await kept(pet)
        assert await pet.storage.count("reactions", "account = 'chat:david'") == 1


@pytest.mark.parametrize("of", ["who reacted", "what was reacted to"])
async def test_they_go_with_their_person_and_with_their_message(tmp_path: Path, of: str) -> None:
    """Whoever of the two is erased."""
    async with awake(tmp_path) as pet:
        message = await said(pet, DAVID, "j'ai un voilier")
        await said(pet, LEA, "moi aussi")
        await reacts(pet, LEA, message, "👍")
        whose = LEA if of == "who reacted" else DAVID
        person = await person_behind(pet.storage, whose)
        asker = Requester(scope=OPERATOR, actor=Actor(person=person))
        selector = Selector(person=person, about=True, erase=True)
        await forgetting_on(pet.storage).at_once(selector, asker)
        assert await kept(pet) == set()
