"""What its author changes or takes back is followed through everything that was made of it."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from bot.conversation.rooms import RoomRule
from bot.model.events import Deleted, Edited
from bot.model.requests import UserMessage
from memory.model.statements import MemoryType
from memory.model.stores import Collection
from observers.digest import Digest, DigestRules
from observers.ports import Chunk, Fact
from tests.cast import DAVID, LEA, LOBBY, PLATFORM
from tests.flow.pet import Pet, awake, calls, responds
from tests.forgotten import holding
from tests.notices import NotedNotices

RULES = DigestRules(
    chunk_messages=50,
    chunk_chars=5000,
    overlap_messages=5,
    attempts=1,
    zone=ZoneInfo("Europe/Paris"),
)


class EveryLine:
    """An extractor that keeps every line as a fact, and does something while it thinks."""

    def __init__(self) -> None:
        self.meanwhile: list[Edited | Deleted] = []
        self.pet: Pet | None = None
        self.seen: list[Chunk] = []

    async def extract(self, chunk: Chunk) -> Sequence[Fact]:
        """One fact a line."""
        self.seen.append(chunk)
        while self.meanwhile and self.pet is not None:
            await self.pet.inbox.receive(self.meanwhile.pop())
        return [
            Fact(
                content=f"{line.author} : {line.text}",
                memory_type=MemoryType.FACT,
                subjects=(),
                said_by=line.author,
                messages=(line.message,),
            )
            for line in chunk.lines
        ]


@pytest.fixture
async def pet(tmp_path: Path) -> AsyncIterator[Pet]:
    """A pet that has just been born."""
    async with awake(tmp_path) as born:
        yield born


async def digested(pet: Pet, extractor: EveryLine | None = None) -> None:
    """Digest what is live."""
    reader = extractor or EveryLine()
    await Digest(pet.storage.digests, pet.storage.learning, reader, RULES, NotedNotices()).run()
    await pet.storage.indexer.settle()


async def kept(pet: Pet) -> int:
    """How many statements are recalled."""
    return await pet.storage.count("active_memories")


def replayed(pet: Pet) -> str:
    """What stood before the model with the last request, the injections of earlier turns too."""
    said = [one for one in pet.model.requests[-1].messages if isinstance(one, UserMessage)]
    return "\n".join(one.injection for one in said)


async def test_facts_of_a_withdrawn_message_are_forgotten(pet: Pet) -> None:
    """Once nothing they rest on is left; recall and index forget them too."""
    line = await pet.hears("je travaille à la boulangerie Zanzibar", LEA, LOBBY)
    await digested(pet)
    await pet.asked("Eko, qui travaille à Zanzibar ?", DAVID, LOBBY)
    assert "travaille à la boulangerie" in pet.model.told
    await pet.inbox.receive(Deleted(platform=PLATFORM, external_id=line))
    await pet.storage.indexer.settle()
    assert await kept(pet) == 0
    assert await pet.storage.index.ids(Collection.MEMORY) == frozenset()
    pet.storage.clock.advance(timedelta(hours=1))
    await pet.asked("Eko, et la boulangerie ?", DAVID, LOBBY)
    assert "travaille à la boulangerie" not in pet.model.told


async def test_an_edited_line_is_learnt_anew(pet: Pet) -> None:
    """What rested on the old words alone is forgotten, and the next digest reads the new ones."""
    line = await pet.hears("je déménage à Lyon", LEA, LOBBY)
    await digested(pet)
    await pet.inbox.receive(Edited(platform=PLATFORM, external_id=line, text="je vais à Lille"))
    assert await kept(pet) == 0
    await digested(pet)
    assert await kept(pet) == 1
    assert await pet.storage.count("active_memories", "content LIKE '%Lille%'") == 1


@pytest.mark.parametrize("change", ["edit", "delete"])
async def test_what_changes_while_the_digest_thinks_is_not_learnt_as_it_was(
    pet: Pet, change: str
) -> None:
    """The old words are nobody's fact; edited ones wait for the next digest."""
    line = await pet.hears("je déménage à Lyon", LEA, LOBBY)
    reader = EveryLine()
    reader.pet = pet
    reader.meanwhile = [
        Edited(platform=PLATFORM, external_id=line, text="je vais à Lille")
        if change == "edit"
        else Deleted(platform=PLATFORM, external_id=line)
    ]
    await digested(pet, reader)
    assert await pet.storage.count("memories", "content LIKE '%Lyon%'") == 0
    await digested(pet)
    assert await kept(pet) == (1 if change == "edit" else 0)


async def test_a_withdrawn_message_leaves_its_turn(pet: Pet) -> None:
    """The exchange is not found any more, its words are gone, and the rest of it stays."""
    line = await pet.hears("mon code secret est Xylophone77")
    await pet.hears("et j'aime le thé")
    await pet.answers()
    await pet.inbox.receive(Deleted(platform=PLATFORM, external_id=line))
    await pet.storage.indexer.settle()
    assert await pet.storage.count("turns", "text LIKE '%Xylophone%'") == 0
    assert await pet.storage.count("turns", "text = 'et j''aime le thé'") == 1
    assert await pet.storage.count("turns", "search_text <> ''") == 0
    assert await pet.storage.count("memory_retrievals", "query LIKE '%Xylophone%'") == 0
    assert await pet.storage.index.ids(Collection.CONVERSATIONS) == frozenset()


@pytest.mark.parametrize("change", ["edit", "delete"])
async def test_what_was_overheard_leaves_the_window_with_its_message(pet: Pet, change: str) -> None:
    """The injection of an earlier turn says it no more, and the new words are recalled instead."""
    line = await pet.hears("mon violoncelle est chez Anselme", LEA, LOBBY)
    await pet.storage.indexer.settle()
    assert "Anselme" in await pet.asked("où est le violoncelle de Léa ?")
    await pet.asked("tu vas bien ?")
    assert "Anselme" in replayed(pet)
    pet.storage.clock.advance(timedelta(seconds=1))
    await pet.inbox.receive(
        Edited(platform=PLATFORM, external_id=line, text="mon violoncelle est chez Gaspard")
        if change == "edit"
        else Deleted(platform=PLATFORM, external_id=line)
    )
    await pet.asked("tu vas bien ?")
    assert "Anselme" not in replayed(pet)


async def test_an_exchange_leaves_the_window_with_what_was_asked(pet: Pet) -> None:
    """It is found no more once its message was taken back, so it is replayed no more."""
    line = await pet.hears("mon cousin Anselme répare les violoncelles")
    await pet.answers()
    pet.storage.clock.advance(timedelta(hours=1))
    assert "Anselme" in await pet.asked("qui répare les violoncelles ?")
    await pet.inbox.receive(Deleted(platform=PLATFORM, external_id=line))
    await pet.asked("tu vas bien ?")
    assert "Anselme" not in replayed(pet)


async def test_a_message_taken_back_before_its_answer_is_not_answered(pet: Pet) -> None:
    """While it is gathered it can still be taken back, or said in other words."""
    line = await pet.hears("mon code est Xylophone77")
    await pet.inbox.receive(Deleted(platform=PLATFORM, external_id=line))
    assert await pet.answers() == []
    line = await pet.hears("où est la Grece ?")
    await pet.inbox.receive(Edited(platform=PLATFORM, external_id=line, text="où est la Grèce ?"))
    await pet.answers()
    assert pet.model.last.text == "où est la Grèce ?"


async def test_what_was_said_in_the_open_or_in_confidence_is_learnt_as_that(
    tmp_path: Path,
) -> None:
    """A rule that comes later changes nothing of it, in either direction."""
    rule = RoomRule(platform=PLATFORM, external_id=LOBBY.external_id, confidential=True)
    async with awake(tmp_path) as pet:
        await pet.hears("je pars en Grèce", LEA, LOBBY)
    async with awake(tmp_path, rooms=[rule]) as pet:
        await pet.hears("je suis malade", LEA, LOBBY)
    async with awake(tmp_path) as pet:
        reader = EveryLine()
        await digested(pet, reader)
        assert all(len(chunk.lines) == 1 and not chunk.before for chunk in reader.seen)
        grece = "content LIKE '%Grèce%' AND visibility = 'space' AND audience = 'space:home'"
        malade = "content LIKE '%malade%' AND visibility = 'room' AND audience LIKE 'room:%'"
        assert await pet.storage.count("memories", grece) == 1
        assert await pet.storage.count("memories", malade) == 1


async def test_an_answer_after_a_restart_follows_the_rules_of_now(tmp_path: Path) -> None:
    """A room made confidential while a message waited keeps what is learnt from it."""
    rule = RoomRule(platform=PLATFORM, external_id=LOBBY.external_id, confidential=True)
    async with awake(tmp_path) as pet:
        await pet.hears("Eko, je suis malade", LEA, LOBBY)
    async with awake(tmp_path, rooms=[rule]) as pet:
        pet.model.will(
            calls(("store_memory", {"content": "Léa est malade"})), responds("Repose-toi.")
        )
        await pet.inbox.resume()
        await pet.answers()
        assert await pet.storage.count("memories", "visibility = 'room'") == 1


@pytest.mark.parametrize("handling", ["observed", "pending"])
async def test_what_is_edited_in_a_room_that_was_closed_since_is_taken_back(
    pet: Pet, handling: str
) -> None:
    """Everybody could read the old words, and the new ones are for those inside."""
    text = "je pars en Grèce" if handling == "observed" else "Eko, je pars en Grèce"
    line = await pet.hears(text, DAVID, LOBBY)
    closed = replace(LOBBY, confidential=True)
    edit = Edited(platform=PLATFORM, external_id=line, text="on licencie Léa", room=closed)
    await pet.inbox.receive(edit)
    assert await pet.answers() == []
    assert await holding(pet.storage, "Léa") == []
    assert await pet.storage.count("messages", "deleted_at IS NULL") == 0
