"""What may not be known somewhere is not known there, whatever is asked and whoever asks."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.conversation.rooms import RoomRule
from bot.model.events import RoomRef
from bot.model.requests import ModelRequest, ToolRound
from memory.model.rooms import HOME, RoomRole, SpaceId
from tests.cast import DAVID, LEA, LOBBY, PLATFORM, direct, group
from tests.flow.pet import Pet, awake, calls, responds
from tests.storage import statement

GUILD, OTHER = SpaceId("guild"), SpaceId("other")
GUILD_LOBBY, OTHER_LOBBY = group("g-lobby", space=GUILD), group("o-lobby", space=OTHER)
VAULT = group("vault", RoomRole.PET)
SECRET = "David a un rendez-vous chez le cardiologue"
QUESTION = "Eko, que sais-tu du cardiologue de David ?"


@pytest.fixture
async def pet(tmp_path: Path) -> AsyncIterator[Pet]:
    """A pet with a vault that nothing leaves."""
    rule = RoomRule(platform=PLATFORM, external_id="vault", confidential=True)
    async with awake(tmp_path, rooms=[rule]) as born:
        yield born


async def told(pet: Pet, where: RoomRef, **fields: Any) -> None:
    """David says it, and the model keeps it."""
    keep = {"content": SECRET, "subjects": ["David"], "memory_type": "identity"}
    pet.model.will(calls(("store_memory", keep)), responds("C'est noté."))
    await pet.asked(f"Eko, {SECRET}", DAVID, where, **fields)
    assert await pet.storage.count("memories") == 1


async def everything_known(pet: Pet, who: Any, where: RoomRef, **fields: Any) -> str:
    """Whatever reaches a model that asks in every way it can, before its words and as results."""
    every: list[tuple[str, dict[str, Any]]] = [
        ("search_memories", {"query": "cardiologue David rendez-vous"}),
        ("get_recent_memories", {"hours": 1000}),
        ("search_self", {"query": "cardiologue"}),
        ("search_goals", {"query": "cardiologue"}),
    ]
    pet.model.will(calls(*every), responds("Rien."))
    await pet.asked(QUESTION, who, where, **fields)
    return "\n".join((pet.model.told, *pet.model.results))


async def test_said_in_private_it_is_known_in_that_persons_direct_rooms(pet: Pet) -> None:
    """Also on another day, in another session."""
    await told(pet, direct(DAVID))
    assert "cardiologue" in await everything_known(pet, DAVID, direct(DAVID))


@pytest.mark.parametrize("asker", [DAVID, LEA])
async def test_said_in_private_it_is_never_known_in_the_lobby(pet: Pet, asker: Any) -> None:
    """Not even when its owner asks there, before everybody."""
    await told(pet, direct(DAVID))
    assert "rendez-vous" not in await everything_known(pet, asker, LOBBY)
    assert "rendez-vous" not in await everything_known(pet, asker, GUILD_LOBBY)


async def test_said_in_private_it_is_unknown_to_others_in_private(pet: Pet) -> None:
    """Whatever name they give themselves."""
    await told(pet, direct(DAVID))
    impostor = replace(LEA, name="David")
    for who in (LEA, impostor):
        assert "rendez-vous" not in await everything_known(pet, who, direct(who))


async def test_said_in_one_space_it_is_unknown_in_another(pet: Pet) -> None:
    """A community's words stay in it, and in the direct rooms of those who belong to it."""
    await told(pet, GUILD_LOBBY)
    known = everything_known
    assert "rendez-vous" in await known(pet, LEA, GUILD_LOBBY)
    for where in (OTHER_LOBBY, LOBBY):
        assert "rendez-vous" not in await known(pet, LEA, where, spaces=frozenset({GUILD}))
    member, stranger = frozenset({HOME, GUILD}), frozenset({HOME, OTHER})
    assert "rendez-vous" not in await known(pet, LEA, direct(LEA), spaces=stranger)
    assert "rendez-vous" in await known(pet, LEA, direct(LEA), spaces=member)


async def test_overheard_in_one_space_it_is_unknown_in_another(pet: Pet) -> None:
    """The lobby of one community is not quoted in another's."""
    await pet.overhears(SECRET, DAVID, GUILD_LOBBY)
    assert "rendez-vous" in await everything_known(pet, LEA, GUILD_LOBBY)
    assert "rendez-vous" not in await everything_known(pet, LEA, OTHER_LOBBY)
    assert "rendez-vous" not in await everything_known(pet, LEA, LOBBY)


async def test_said_in_a_confidential_room_it_never_leaves_it(pet: Pet) -> None:
    """Not to the lobby of the same space, not to the direct room of who said it."""
    await told(pet, VAULT)
    assert "rendez-vous" in await everything_known(pet, LEA, VAULT)
    for who, where in ((DAVID, LOBBY), (DAVID, direct(DAVID)), (LEA, group("den", RoomRole.PET))):
        assert "rendez-vous" not in await everything_known(pet, who, where)


async def test_an_exchange_in_private_is_no_history_elsewhere(pet: Pet) -> None:
    """What was answered there is not found here, by words or by meaning."""
    pet.model.will(responds("Ton cardiologue s'appelle Zimmermann."))
    await pet.asked("mon cardiologue, rappelle-moi son nom ?", DAVID, direct(DAVID))
    assert "Zimmermann" not in await everything_known(pet, LEA, LOBBY)
    assert "Zimmermann" not in await everything_known(pet, DAVID, LOBBY)


async def test_quoting_a_message_of_another_room_brings_nothing(pet: Pet) -> None:
    """A platform id that was guessed is no key; of the same room it is one."""
    words = "Zimmermann a appelé hier"
    secret = await pet.hears(words, DAVID, direct(DAVID))
    await pet.answers()
    await pet.storage.remember.store(statement("Zimmermann a appelé le gardien"))
    assert "gardien" not in await pet.asked("Eko, et ça ?", LEA, LOBBY, reply_to=secret)
    own = await pet.hears(words, LEA, LOBBY)
    assert "gardien" in await pet.asked("Eko, et ça ?", LEA, LOBBY, reply_to=own)


async def test_an_id_of_another_audience_deletes_nothing(pet: Pet) -> None:
    """Guessed, or listed for somebody else in another turn: refused, and the model is told."""
    await told(pet, direct(DAVID))
    row = await pet.storage.database.one("SELECT id FROM memories")
    assert row is not None
    whole = str(row["id"])
    for id_ in (whole, whole.replace("-", ""), whole.replace("-", "")[:8]):
        pet.model.will(calls(("delete_memory", {"id": id_})), responds("Hm."))
        await pet.asked("Eko, oublie ça, s'il te plaît", LEA, LOBBY)
        assert "No search of this turn listed the id" in pet.model.results[0]
    assert await pet.storage.count("memories", "forgotten_at IS NOT NULL") == 0


async def test_a_store_deletes_only_its_own(pet: Pet) -> None:
    """An id that `search_memories` listed is none of `delete_self` or `delete_goal`."""
    await told(pet, LOBBY)

    def delete(request: ModelRequest) -> Any:
        shown = _shown_id(request)
        return calls(("delete_self", {"id": shown}), ("delete_goal", {"id": shown}))

    pet.model.will(calls(("search_memories", {"query": "cardiologue"})), delete, responds("Hm."))
    await pet.asked("Eko, oublie le cardiologue", DAVID, LOBBY)
    assert [text[:9] for text in pet.model.results[1:]] == ["No search", "No search"]


async def test_what_was_listed_may_be_deleted_in_its_turn_only(pet: Pet) -> None:
    """The next turn must look again before it deletes."""
    await told(pet, LOBBY)
    listed: list[str] = []

    def keep(request: ModelRequest) -> Any:
        listed.append(_shown_id(request))
        return responds("Je vois.")

    pet.model.will(calls(("search_memories", {"query": "cardiologue"})), keep)
    await pet.asked("Eko, tu sais quoi du cardiologue ?", DAVID, LOBBY)
    pet.model.will(calls(("delete_memory", {"id": listed[0]})), responds("Hm."))
    await pet.asked("Eko, oublie ça, s'il te plaît", DAVID, LOBBY)
    assert pet.model.results[0].startswith("No search of this turn")

    pet.model.will(
        calls(("search_memories", {"query": "cardiologue"})),
        lambda request: calls(("delete_memory", {"id": _shown_id(request)})),
        responds("Je l'oublie ?"),
    )
    await pet.asked("Eko, oublie ça, vraiment", DAVID, LOBBY)
    assert pet.model.results[1].endswith(f"It says: {SECRET}")
    pet.model.will(calls(("memory__forget", {"confirm": "latest"})), responds("Oublié."))
    await pet.asked("Eko, oui", DAVID, LOBBY)
    assert "rendez-vous" not in await pet.asked("Eko, le cardiologue, la date ?", LEA, GUILD_LOBBY)


async def test_a_statement_of_another_audience_is_not_replaced(pet: Pet) -> None:
    """The same words said in private and in the lobby are two rows; neither hides the other."""
    await told(pet, direct(DAVID))
    pet.model.will(calls(("store_memory", {"content": f"{SECRET} le 3 mars"})), responds("Noté."))
    await pet.asked("Eko, c'est le 3 mars", LEA, LOBBY)
    assert await pet.storage.count("memories", "superseded_by IS NULL") == 2


def _shown_id(request: ModelRequest) -> str:
    """The id that a search of this turn has listed."""
    last = request.messages[-1]
    assert isinstance(last, ToolRound)
    return last.results[0].text.split("[id ")[1][:8]
