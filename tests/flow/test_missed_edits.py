"""What people edited and took back while the pet was away is followed, and nothing else is."""

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from bot.errors import PastUnavailable, RoomUnreadable
from bot.model.events import Deleted, Edited
from bot.platforms.catch_up import COMPARED, taken_back
from bot.ports import Past
from memory.model.stores import Collection
from memory.storage.conversations.room_positions import StoredMessage
from memory.tasks import background_task
from tests.cast import CORNER, DAVID, LEA, LOBBY, NOON, PLATFORM, room_of
from tests.flow.past import ListedPast, catch_up_of, read_back, reading
from tests.flow.pet import Pet, awake
from tests.patience import PATIENCE_S

HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)


async def heard(pet: Pet, past: ListedPast, *texts: str) -> None:
    """Let the lobby say these, m0 and so on, a minute apart, and the pet be away for an hour."""
    for number, text in enumerate(texts):
        await pet.inbox.receive(past.says(f"m{number}", text, pet.storage.clock.now()))
        pet.storage.clock.advance(MINUTE)
    pet.storage.clock.advance(HOUR)


async def kept(pet: Pet) -> list[str]:
    """What stands in the lobby as the pet has it."""
    return [one.text for one in await pet.storage.messages.recent(room_of(LOBBY).id, 1000)]


async def test_what_was_taken_back_is_gone_everywhere(tmp_path: Path) -> None:
    """From the row, the lobby and the index."""
    past = ListedPast()
    async with awake(tmp_path) as pet:
        await heard(pet, past, "un", "je suis enceinte", "trois")
        past.takes_back("m1")
        await read_back(pet, past)
        assert await kept(pet) == ["un", "trois"]
        await pet.storage.indexer.settle()
        assert len(await pet.storage.index.ids(Collection.LIVE)) == 2
        assert await pet.storage.count("messages", "text LIKE '%enceinte%'") == 0


async def test_the_last_one_too(tmp_path: Path) -> None:
    """The stretch that is compared ends with it and not before it."""
    past = ListedPast()
    async with awake(tmp_path) as pet:
        await heard(pet, past, "un", "deux")
        past.takes_back("m1")
        past.takes_back("m0")
        await read_back(pet, past)
        assert await kept(pet) == []


async def test_what_was_edited_says_the_new_words(tmp_path: Path) -> None:
    """Also when it was known under them already: then nothing happens."""
    past = ListedPast()
    async with awake(tmp_path) as pet:
        await heard(pet, past, "je pars en Grèce", "deux")
        past.rewords("m0", "je pars au Portugal")
        past.edited.add("m1")
        await read_back(pet, past)
        assert await kept(pet) == ["je pars au Portugal", "deux"]
        assert await pet.storage.count("messages", "edited_at IS NOT NULL") == 1


async def test_other_words_without_an_edit_are_no_edit(tmp_path: Path) -> None:
    """Somebody who is mentioned was renamed, or the pet may not read what stands there."""
    past = ListedPast()
    async with awake(tmp_path) as pet:
        await heard(pet, past, "salut @Léa", "deux")
        past.rewords("m0", "salut @Lou")
        past.rewords("m1", "")
        past.edited.discard("m0")
        await read_back(pet, past)
        assert await kept(pet) == ["salut @Léa", "deux"]


@pytest.mark.parametrize("refusal", [RoomUnreadable("no right"), PastUnavailable("away")])
async def test_what_cannot_be_listed_is_not_taken_back(tmp_path: Path, refusal: Exception) -> None:
    """A room that the pet may not read any more says nothing of what stands there."""
    past = ListedPast()
    async with awake(tmp_path) as pet:
        await heard(pet, past, "un", "deux")
        past.rooms.clear()
        past.refuses["lobby"] = [refusal]
        await read_back(pet, past)
        assert await kept(pet) == ["un", "deux"]


async def test_what_the_pet_says_and_what_comes_in_meanwhile_is_left_alone(
    tmp_path: Path,
) -> None:
    """The platform lists neither: the one bears another id there, the other is too new."""
    past = ListedPast()
    async with awake(tmp_path) as pet:
        await heard(pet, past, "un")
        await pet.inbox.receive(past.says("q", "tu dors ?", pet.storage.clock.now(), where=CORNER))
        await pet.answers()
        pet.storage.clock.advance(HOUR)
        async with reading(pet, past):
            pet.storage.clock.advance(MINUTE)
            await pet.hears("en direct", LEA, LOBBY)
        assert await kept(pet) == ["un", "en direct"]
        assert await pet.storage.count("messages", "author_kind = 'pet' AND text <> ''") == 1


async def test_what_comes_in_before_the_listing_is_asked_for_is_left_alone(
    tmp_path: Path,
) -> None:
    """What has just come in may not be listed yet, and that is nobody's deletion."""
    past = ListedPast()
    async with awake(tmp_path) as pet:
        await heard(pet, past, "un", "deux")
        past.takes_back("m0")
        catch_up = catch_up_of(pet, past)
        catch_up.connected()
        pet.storage.clock.advance(timedelta(seconds=1))
        await pet.hears("en direct", LEA, LOBBY)
        async with background_task(catch_up.run(), name="catch-up"), asyncio.timeout(PATIENCE_S):
            await catch_up.done()
        assert await kept(pet) == ["deux", "en direct"]


async def test_a_question_that_was_taken_back_is_not_answered(tmp_path: Path) -> None:
    """It was waiting when the pet stopped, and its author thought better of it."""
    past = ListedPast()
    async with awake(tmp_path) as pet:
        await pet.inbox.receive(past.says("q", "tu dors ?", NOON, where=CORNER))
        pet.storage.clock.advance(timedelta(seconds=1))
        past.takes_back("q")
    async with awake(tmp_path) as pet:
        pet.storage.clock.advance(MINUTE)
        await read_back(pet, past)
        assert await pet.inbox.resume() == 0
        assert await pet.answers() == []


def test_only_what_the_listing_covers_is_judged() -> None:
    """Where it leaves something out, the earlier messages may stand there."""
    known = [
        StoredMessage(external_id=f"m{n}", text="", sent_at=NOON + n * MINUTE)
        for n in range(COMPARED)
    ]
    past = Past(
        messages=(),
        listed=frozenset({"m150", "m199"}),
        edited=frozenset(),
        whole_from=NOON + 150 * MINUTE,
    )
    assert taken_back(known, past) == [f"m{n}" for n in range(151, 199)]


async def test_bystanders_keep_their_words(tmp_path: Path) -> None:
    """Somebody else's message of the same minute is another one."""
    past = ListedPast()
    async with awake(tmp_path) as pet:
        now = pet.storage.clock.now()
        await pet.inbox.receive(past.says("a", "à David", now, DAVID))
        await pet.inbox.receive(past.says("b", "à Léa", now, LEA))
        pet.storage.clock.advance(HOUR)
        past.takes_back("a")
        await read_back(pet, past)
        assert await kept(pet) == ["à Léa"]


async def test_what_is_said_of_a_message_while_it_is_being_read_back_counts(
    tmp_path: Path,
) -> None:
    """The platform had listed it before; what came in is as it is now, and so is the question."""
    past = ListedPast()
    async with awake(tmp_path) as pet:
        await heard(pet, past, "un")
        now = pet.storage.clock.now()
        missed = [past.says(f"n{number}", text, now) for number, text in enumerate("abc")]
        asked = past.says("n3", "eko, tu connais Lyon ?", now, mentions_pet=True)
        await pet.inbox.receive(Deleted(platform=PLATFORM, external_id="n0"))
        for id_, text in (("n1", "reformulé"), ("n3", "eko, tu connais Paris ?")):
            await pet.inbox.receive(Edited(platform=PLATFORM, external_id=id_, text=text))
        await pet.inbox.receive_all([*missed, asked], missed_at=now)
        assert await kept(pet) == ["un", "reformulé", "c", "eko, tu connais Paris ?"]
        await pet.answers()
        assert pet.model.last.text == "eko, tu connais Paris ?"


async def test_an_edit_of_long_ago_does_not_undo_what_is_listed(tmp_path: Path) -> None:
    """Of a message that was not taken then, and was edited again while the pet was away."""
    past = ListedPast()
    async with awake(tmp_path) as pet:
        await heard(pet, past, "un")
        await pet.inbox.receive(Edited(platform=PLATFORM, external_id="n0", text="ancien"))
        past.says("n0", "nouveau", pet.storage.clock.now())
        await read_back(pet, past)
        assert await kept(pet) == ["un", "nouveau"]
