"""Message in, reply out: gathering, restarts, sessions and what happens in between."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Literal

import pytest

from bot.conversation.inbox import Received
from bot.conversation.rooms import RoomRule
from bot.errors import ModelRefused, ModelUnavailable
from bot.model.events import Deleted, Edited, Inbound
from bot.model.requests import AssistantMessage, ModelReply, Usage, UserMessage
from memory.model.errors import EmbeddingFailed
from memory.model.rooms import RoomId, RoomRole
from memory.model.stores import Collection, Store
from memory.ports import Vectors
from tests.cast import CORNER, DAVID, LEA, LOBBY, MICKAEL, PLATFORM, direct, group
from tests.embedder import HashingEmbedder
from tests.flow.pet import (
    ListedChannel,
    Pet,
    ScriptedModel,
    awake,
    calls,
    responds,
    said_in,
)
from tests.storage import statement


@pytest.fixture
async def pet(tmp_path: Path) -> AsyncIterator[Pet]:
    """A pet that has just been born."""
    async with awake(tmp_path) as born:
        yield born


async def test_a_message_is_answered_with_its_expression(pet: Pet) -> None:
    """In the room it was said in, once, and the exchange is kept and indexed."""
    pet.model.will(responds("Bonjour David !", "curious"))
    await pet.hears("bonjour, tu vas bien ?")
    assert await pet.answers() == ["Bonjour David !"]
    assert pet.channel.sent[0][0] == RoomId(f"{PLATFORM}:corner")
    assert pet.channel.expressions == ["curious"]
    assert await pet.storage.count("messages", "handling = 'answered'") == 1
    assert await pet.storage.count("messages", "author_kind = 'pet'") == 1
    assert len(await pet.storage.index.ids(Collection.CONVERSATIONS)) == 1


async def test_a_lobby_message_is_recalled_at_once_for_another_person(pet: Pet) -> None:
    """Nobody spoke to the pet, nothing was digested, and it knows when somebody else asks."""
    await pet.overhears("je pars en Grèce demain matin", DAVID, LOBBY)
    assert pet.channel.sent == []
    assert pet.model.requests == []
    injected = await pet.asked("qui part en Grèce ?", LEA, CORNER)
    assert "• David (17/01 13:00): je pars en Grèce demain matin" in injected
    assert "not a whole conversation" in injected


async def test_a_burst_is_one_turn_with_one_look_up_of_everything(pet: Pet) -> None:
    """Three messages, one request, one reply, one retrieval whose query holds all three."""
    for text in ("tu te souviens", "de la Grèce", "et de Mickael ?"):
        await pet.hears(text)
    assert len(await pet.answers()) == 1
    assert len(pet.model.requests) == 1
    assert pet.model.last.text == "tu te souviens\nde la Grèce\net de Mickael ?"
    rows = await pet.storage.database.all("SELECT query FROM memory_retrievals")
    assert [row["query"] for row in rows] == ["tu te souviens\nde la Grèce\net de Mickael ?"]
    assert await pet.storage.count("messages", "handling = 'answered'") == 3


async def test_two_people_in_one_room_are_two_turns(pet: Pet) -> None:
    """Nobody's words are put into another's mouth."""
    await pet.hears("bonjour, c'est moi", DAVID)
    await pet.hears("et moi je suis là", LEA)
    assert len(await pet.answers()) == 2
    assert {said_in(request).speaker for request in pet.model.requests} == {"David", "Léa"}
    assert await pet.storage.count("sessions") == 2


@pytest.mark.parametrize("text", ["ok", "lol", "mdr", "👍", "merci !", "salut", "haha"])
async def test_words_that_ask_nothing_bring_nothing(pet: Pet, text: str) -> None:
    """Though there is a memory that would fit anything David says."""
    await pet.storage.remember.store(statement("David aime le café", subjects=("David",)))
    await pet.overhears(f"{text} tout le monde", LEA, LOBBY)
    assert await pet.asked(text) == ""
    assert await pet.storage.count("memory_retrievals", "reason = 'nothing to look up'") == 1


async def test_ok_to_a_question_of_the_pet_looks_that_question_up(pet: Pet) -> None:
    """What "oui" means stands in the question."""
    await pet.storage.remember.store(statement("Le restaurant grec ferme à 23 heures"))
    pet.model.will(responds("Tu veux que je te parle du restaurant grec ?"))
    await pet.asked("bonjour toi")
    assert "ferme à 23 heures" in await pet.asked("oui")


async def test_a_system_event_is_answered_without_a_look_up(pet: Pet) -> None:
    """The platform has no memories to be reminded of, and is no person who speaks."""
    await pet.storage.remember.store(statement("Léa aime la Grèce", subjects=("Léa",)))
    await pet.event("Léa a rejoint le salon Grèce", LEA)
    await pet.answers()
    said = pet.model.last
    assert (said.text, said.speaker) == ("Léa a rejoint le salon Grèce", "")
    assert (said.injection, said.recalled) == ("", ())
    assert await pet.storage.count("memory_retrievals", "reason = 'system event'") == 1
    assert await pet.storage.index.ids(Collection.CONVERSATIONS) == frozenset()


async def test_what_follows_while_the_pet_thinks_is_answered_with_it_once(pet: Pet) -> None:
    """The turn begins again with both, and the first request comes to nothing."""
    pet.model.gate.clear()
    await pet.hears("bonjour, une question")
    pet.lets_quiet_pass()
    await pet.model.thinking.wait()
    pet.model.thinking.clear()
    await pet.hears("où est Mickael ?")
    pet.lets_quiet_pass()
    await pet.model.thinking.wait()
    pet.model.gate.set()
    assert await pet.answers() == ["d'accord"]
    assert [said_in(request).text for request in pet.model.requests] == [
        "bonjour, une question",
        "bonjour, une question\noù est Mickael ?",
    ]
    assert await pet.storage.count("messages", "handling = 'answered'") == 2
    assert await pet.storage.count("turns") == 1


async def test_a_turn_begins_again_once_and_no_more(pet: Pet) -> None:
    """Somebody who keeps writing is answered: the third batch is a turn of its own."""
    pet.model.gate.clear()
    for text in ("un message", "un deuxième", "un troisième"):
        await pet.hears(text)
        pet.lets_quiet_pass()
        await pet.model.thinking.wait() if text != "un troisième" else await asyncio.sleep(0)
        pet.model.thinking.clear()
    pet.model.gate.set()
    assert len(await pet.answers()) == 2
    assert said_in(pet.model.requests[-2]).text == "un message\nun deuxième"
    assert said_in(pet.model.requests[-1]).text == "un troisième"


async def test_a_command_is_answered_while_a_turn_runs(pet: Pet) -> None:
    """It waits for no model, reaches none, and is no part of the conversation."""
    pet.model.gate.clear()
    await pet.hears("bonjour, une question")
    pet.lets_quiet_pass()
    await pet.model.thinking.wait()
    await pet.hears("/ping")
    await pet.commands.quiet()
    assert pet.channel.texts == ["pong"]
    pet.model.gate.set()
    assert await pet.answers() == ["pong", "d'accord"]
    assert len(pet.model.requests) == 1
    await pet.hears("/ping", LEA)
    await pet.commands.quiet()
    assert len(pet.ran) == 1
    assert len(await pet.answers()) == 3


async def test_who_opted_out_is_never_observed_and_still_answered(pet: Pet) -> None:
    """Nothing of what they say in a lobby is kept, until they allow it again."""
    david = await pet.storage.people.person(PLATFORM, "david", "David")
    await pet.storage.people.observe(david.id, observed=False)
    await pet.overhears("je pars en Grèce", DAVID, LOBBY)
    assert await pet.storage.count("messages") == await pet.storage.count("live_messages") == 0
    assert await pet.asked("Eko, qui connaît la Grèce ?", LEA, LOBBY) == ""
    await pet.hears("Eko, tu es là ?", DAVID, LOBBY)
    assert len(await pet.answers()) == 2
    await pet.storage.people.observe(david.id, observed=True)
    await pet.overhears("je reviens de Grèce", DAVID, LOBBY)
    assert await pet.storage.count("live_messages") == 1


async def test_bots_and_duplicates_stop_at_the_door(pet: Pet) -> None:
    """A platform that delivers twice is answered once, another bot never."""
    for _ in range(3):
        await pet.hears("bonjour, c'est moi", external_id="same")
    await pet.hears("bonjour humain", replace(LEA, is_bot=True))
    assert await pet.answers() == ["d'accord"]
    assert pet.model.last.text == "bonjour, c'est moi"


@pytest.mark.parametrize(
    ("role", "answered", "observed"),
    [
        (RoomRole.IGNORED, 0, 0),
        (RoomRole.MENTION, 1, 0),
        (RoomRole.LOBBY, 1, 1),
        (RoomRole.PET, 2, 0),
    ],
)
async def test_a_rooms_role_decides_and_settings_decide_the_role(
    tmp_path: Path, role: RoomRole, answered: int, observed: int
) -> None:
    """One message calls the pet and one does not; the platform had proposed something else."""
    proposed = RoomRole.PET if role is not RoomRole.PET else RoomRole.LOBBY
    rule = RoomRule(platform=PLATFORM, external_id="room", role=role)
    async with awake(tmp_path, rooms=[rule]) as pet:
        await pet.hears("il fait beau à Paris", DAVID, group("room", proposed))
        await pet.hears("Eko, tu es là ?", LEA, group("room", proposed))
        assert len(await pet.answers()) == answered
        assert await pet.storage.count("live_messages") == observed


async def test_a_message_that_event_and_room_drop_makes_no_person(pet: Pet) -> None:
    """Not of an ignored room, of a program, nor of a record of a room where nothing is observed."""
    await pet.hears("bonjour", DAVID, group("cellar", RoomRole.IGNORED))
    await pet.hears("bonjour", replace(LEA, is_bot=True))
    now = pet.storage.clock.now()
    said = Inbound(external_id="x", room=CORNER, author=MICKAEL, text="bonjour", sent_at=now)
    assert await pet.inbox.receive_all([said], recorded=True) == Received(stored=0, known=0)
    assert await pet.storage.count("people") == 0
    assert await pet.storage.count("rooms") == 0


@pytest.mark.parametrize(
    "error",
    [ModelUnavailable("away"), ModelRefused("no")],
)
async def test_a_model_that_is_away_makes_a_human_sentence(pet: Pet, error: Exception) -> None:
    """The message is answered, the reason kept, nothing of it is found again, life goes on."""
    pet.model.will(error)
    await pet.hears("où est la Grèce ?")
    (apology,) = await pet.answers()
    assert "réfléchir" in apology
    assert str(error) not in apology
    assert await pet.storage.count("messages", "handling = 'answered'") == 1
    assert await pet.storage.count("turns", f"error = '{error}'") == 1
    assert await pet.storage.index.ids(Collection.CONVERSATIONS) == frozenset()
    assert (await pet.storage.outbox.waiting()) == 0
    assert "réfléchir" not in await pet.asked("où est la Grèce, alors ?")
    assert len(pet.channel.texts) == 2


async def test_a_fault_in_one_turn_ends_neither_the_conversation_nor_others(pet: Pet) -> None:
    """What nobody foresaw is logged and said in a sentence; the next message is answered."""
    pet.model.will(ValueError("a fault of ours"))
    await pet.hears("bonjour, une question")
    (apology,) = await pet.answers()
    assert "fault" not in apology
    assert await pet.storage.count("messages", "handling = 'pending'") == 0
    await pet.hears("et maintenant ?")
    assert await pet.answers() == [apology, "d'accord"]


async def test_a_session_ends_after_a_quarter_of_an_hour(pet: Pet) -> None:
    """Until then the model sees what was said; afterwards it begins anew."""
    await pet.asked("bonjour, c'est moi")
    pet.storage.clock.advance(timedelta(minutes=14))
    await pet.asked("tu es là, dis-moi ?")
    pet.storage.clock.advance(timedelta(minutes=15, seconds=1))
    await pet.asked("toujours là, dis-moi ?")
    assert [len(request.messages) for request in pet.model.requests[-2:]] == [4, 2]
    assert await pet.storage.count("sessions", "ended_at IS NOT NULL") == 1


async def test_a_silent_session_is_ended_by_the_sweep_and_an_open_one_is_not(pet: Pet) -> None:
    """Whoever spoke last is left alone."""
    await pet.asked("bonjour, c'est moi", DAVID)
    pet.storage.clock.advance(timedelta(minutes=10))
    await pet.asked("bonjour, c'est moi", LEA)
    pet.storage.clock.advance(timedelta(minutes=6))
    assert await pet.contexts.end_idle() == 1
    assert await pet.contexts.end_idle() == 0


async def test_what_was_injected_is_replayed_byte_for_byte(pet: Pet) -> None:
    """Under the words it was made for, in every request of the session."""
    await pet.storage.remember.store(statement("Mickael habite à Athènes"))
    first = await pet.asked("où habite Mickael ?")
    assert "Athènes" in first
    pet.storage.clock.advance(timedelta(minutes=5))
    await pet.asked("et le reste de la famille ?")
    replayed = pet.model.requests[-1].messages[1]
    assert isinstance(replayed, UserMessage)
    assert replayed.injection == first
    assert isinstance(pet.model.requests[-1].messages[2], AssistantMessage)


async def test_the_strict_variant_drops_an_injection_after_its_turn(tmp_path: Path) -> None:
    """Only the current words carry one."""
    async with awake(tmp_path, persist=False) as pet:
        await pet.storage.remember.store(statement("Mickael habite à Athènes"))
        assert "Athènes" in await pet.asked("où habite Mickael ?")
        await pet.asked("et le reste de la famille ?")
        replayed = pet.model.requests[-1].messages[1]
        assert isinstance(replayed, UserMessage)
        assert replayed.injection == ""


async def test_an_edit_and_a_deletion_of_a_lobby_message_are_followed(pet: Pet) -> None:
    """Recall has the new words, or none."""
    first = await pet.hears("je pars en Grèce demain", DAVID, LOBBY)
    await pet.storage.indexer.settle()
    await pet.inbox.receive(Edited(platform=PLATFORM, external_id=first, text="je pars en Italie"))
    await pet.storage.indexer.settle()
    assert await pet.asked("qui connaît la Grèce ?", LEA, CORNER) == ""
    assert "Italie" in await pet.asked("qui va en Italie ?", MICKAEL, CORNER)
    await pet.inbox.receive(Deleted(platform=PLATFORM, external_id=first))
    await pet.storage.indexer.settle()
    assert "je pars" not in await pet.asked("qui va en Italie, déjà ?", LEA, direct(LEA))


async def test_an_embedder_that_is_away_costs_the_injection_and_not_the_answer(pet: Pet) -> None:
    """Recall fails open, by words alone."""
    await pet.storage.remember.store(statement("Mickael habite à Athènes"))
    pet.storage.embedder.available = False
    await pet.hears("où habite Mickael ?")
    pet.lets_quiet_pass()
    await pet.conversations.quiet()
    assert pet.channel.texts == ["d'accord"]
    assert "Athènes" in pet.model.injected


async def test_a_vector_store_that_is_away_costs_no_answer(pet: Pet) -> None:
    """Words still find."""
    await pet.storage.remember.store(statement("Mickael habite à Athènes"))
    pet.storage.index.available = False
    await pet.hears("où habite Mickael ?")
    pet.lets_quiet_pass()
    await pet.conversations.quiet()
    assert pet.channel.texts == ["d'accord"]
    assert "Athènes" in pet.model.injected


async def test_words_of_the_model_without_a_call_are_the_reply(tmp_path: Path) -> None:
    """A local model that never learnt to call `respond` is understood all the same."""
    model = ScriptedModel()
    plain = ModelReply(text="  Bonjour !  ", calls=(), usage=Usage(), model="m")
    model.will(plain)
    async with awake(tmp_path, model=model, channel=ListedChannel()) as pet:
        await pet.hears("bonjour, toi")
        assert await pet.answers() == ["Bonjour !"]


async def test_what_is_kept_of_a_tool_survives_a_reply_in_the_same_breath(pet: Pet) -> None:
    """A call beside `respond` is done too."""
    keep = ("store_memory", {"content": "David part en Grèce"})
    pet.model.will(calls(keep, ("respond", {"message": "Bon voyage !"})))
    await pet.hears("je pars en Grèce")
    assert await pet.answers() == ["Bon voyage !"]
    assert await pet.storage.count("memories", f"store = '{Store.MEMORY}'") == 1


class QueriesOnly(HashingEmbedder):
    """An embedder that goes away as soon as it has read the question."""

    async def embed(self, texts: Sequence[str], kind: Literal["query", "document"]) -> Vectors:
        """Vectors of questions; documents cannot be embedded."""
        if kind == "document":
            raise EmbeddingFailed("The embedder has gone away.")
        return await super().embed(texts, kind)


async def test_an_embedder_that_goes_away_in_the_middle_costs_no_answer(tmp_path: Path) -> None:
    """Without a background no similarity counts; words still do."""
    async with awake(tmp_path, embedder=QueriesOnly()) as pet:
        await pet.storage.remember.store(statement("Mickael habite à Athènes"))
        await pet.hears("où habite Mickael ?")
        pet.lets_quiet_pass()
        await pet.conversations.quiet()
        assert pet.channel.texts == ["d'accord"]
        assert "Athènes" in pet.model.injected
