"""Messages that are no speech, from the inbox to the answer: voice notes, places, and the like."""

from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest

from bot.model.events import Attachment, RoomRef
from bot.texts.catalogue import texts_in
from memory.clock import FrozenClock
from memory.model.parts import NoteKind, Part, PartSource
from tests.cast import DAVID, LEA, LOBBY, NOON, direct
from tests.flow.extractors import by_model
from tests.flow.pet import Pet, awake, responds
from tests.flow.ruled import RuledModel

VOICE = Attachment(name="", media_type="audio/ogg", size=9, url="x", kind=NoteKind.VOICE)
PHOTO = Attachment(name="photo.jpg", media_type="image/jpeg", size=9, url="x")
PLACE = Part(source=PartSource.NOTE, text="Hacker Way, Menlo Park, CA", note=NoteKind.PLACE)
OTHER = Part(source=PartSource.NOTE, text="story", note=NoteKind.OTHER)
PRIVATE = direct(DAVID)


async def test_a_voice_note_alone_is_answered_by_a_sentence_and_costs_no_call(
    tmp_path: Path,
) -> None:
    """In the language of the talk, and once of many."""
    async with awake(tmp_path) as pet:
        pet.model.will(responds("Hello!"))
        await pet.asked("Good morning, I am so tired today", where=PRIVATE)
        for _ in range(20):
            await sends(pet, attachments=(VOICE,))
        assert (await pet.answers())[1:] == [
            "I can't listen to voice notes yet: could you write it to me?"
        ]
        assert len(pet.model.requests) == 1


async def test_a_voice_note_with_words_is_answered_as_words(tmp_path: Path) -> None:
    """The model is told that it came, too."""
    async with awake(tmp_path) as pet:
        await pet.asked("listen to this one", where=PRIVATE, attachments=(VOICE,))
        assert len(pet.model.requests) == 1
        assert "voice" in pet.model.last.text


async def test_nothing_is_looked_up_for_what_is_no_speech(tmp_path: Path) -> None:
    """A place is no question, and no line is recalled because of its name."""
    async with awake(tmp_path) as pet:
        await pet.asked("Ada habite à Menlo Park", where=PRIVATE)
        await sends(pet, parts=(PLACE,))
        assert "Hacker Way" in pet.model.last.text
        assert pet.model.injected == ""
        rows = await kept(pet, "SELECT reason FROM memory_retrievals ORDER BY rowid")
        assert rows[-1] == ("no speech",)


async def test_what_is_no_speech_is_not_found_as_something_that_was_spoken_of(
    tmp_path: Path,
) -> None:
    """An exchange of it holds nothing that could be meant later."""
    async with awake(tmp_path) as pet:
        await sends(pet, attachments=(VOICE,))
        assert await kept(pet, "SELECT search_text FROM turns") == [("",)]


async def test_no_model_is_asked_what_can_be_learnt_of_it(tmp_path: Path) -> None:
    """Of pictures and forwarded words nothing is, and a call would be paid for."""
    ozan = Part(source=PartSource.FORWARDED, text="I live in Perth.", author="Ozan")
    async with awake(tmp_path, extractor=by_model) as pet:
        await sends(pet, attachments=(PHOTO,))
        await sends(pet, parts=(ozan,))
        asked = len(pet.model.requests)
        assert (await pet.learns()).spans == 1
        assert len(pet.model.requests) == asked


@pytest.mark.parametrize("mentions_pet", [False, True])
async def test_in_a_group_only_what_addresses_the_pet_is_answered(
    tmp_path: Path, *, mentions_pet: bool
) -> None:
    """What cannot be read is not kept there otherwise."""
    async with awake(tmp_path) as pet:
        await sends(pet, where=LOBBY, parts=(OTHER,), mentions_pet=mentions_pet)
        said = await kept(pet, "SELECT text FROM messages WHERE author_kind = 'person'")
        assert (len(pet.channel.texts), len(said)) == ((1, 1) if mentions_pet else (0, 0))


@pytest.mark.parametrize(
    ("talk", "photo", "place"),
    [
        (
            "Good morning, how are you today?",
            "I can't see pictures yet: tell me what is in it.",
            "I see the place: Hacker Way, Menlo Park, CA. What is there?",
        ),
        (
            "Bonjour, comment vas-tu aujourd'hui ?",
            "Je ne sais pas encore voir les images : dis-moi ce qu'il y a dessus.",
            "Je vois le lieu : Hacker Way, Menlo Park, CA. Qu'est-ce qu'il y a là-bas ?",
        ),
    ],
)
async def test_without_a_model_a_note_is_answered_in_the_language_of_the_talk(
    tmp_path: Path, talk: str, photo: str, place: str
) -> None:
    """The note itself is in none."""
    async with without_model(tmp_path) as pet:
        await pet.asked(talk, where=PRIVATE)
        await sends(pet, attachments=(PHOTO,))
        await sends(pet, parts=(PLACE,))
        assert pet.channel.texts[1:] == [photo, place]


async def test_what_somebody_sent_without_a_word_is_not_told_as_their_words(
    tmp_path: Path,
) -> None:
    """It would be an empty quotation."""
    async with without_model(tmp_path) as pet:
        await sends(pet, where=LOBBY, who=LEA, attachments=(VOICE,))
        await pet.hears("What do you know about Léa?", where=LOBBY, mentions_pet=True)
        (told,) = await pet.answers()
        assert told in texts_in("en").choices("offline.unknown_in_group")


async def test_forwarded_words_are_taken_for_another_persons(tmp_path: Path) -> None:
    """Whoever forwards them has said nothing of themselves."""
    ozan = Part(source=PartSource.FORWARDED, text="I live in Perth.", author="Ozan")
    async with without_model(tmp_path) as pet:
        await pet.asked("Good morning, how are you today?", where=PRIVATE)
        await sends(pet, parts=(ozan,))
        assert pet.channel.texts[-1] in texts_in("en").choices("offline.passed_on.heard")
        await pet.learns()
        assert await kept(pet, "SELECT value FROM core_facts") == []
        assert await kept(pet, "SELECT content FROM memories") == []


async def sends(pet: Pet, where: RoomRef = PRIVATE, **fields: Any) -> None:
    """Send something without a word, and have it answered if it is."""
    await pet.hears("", where=where, **fields)
    await pet.answers()


def without_model(folder: Path) -> AbstractAsyncContextManager[Pet]:
    """A pet that has rules alone."""
    clock = FrozenClock(NOON)
    return awake(folder, clock=clock, model=RuledModel(clock))


async def kept(pet: Pet, query: str) -> list[tuple[object, ...]]:
    """Rows of the database."""
    rows = await pet.storage.database.read(lambda snapshot: snapshot.all(query))
    return [tuple(row) for row in rows]
