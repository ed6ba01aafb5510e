"""What is said to a message that is no speech."""

import pytest

from bot.texts.catalogue import languages
from bot.texts.wordless import notes_alone, reply_to_wordless
from memory.language.parts.written import written
from memory.model.parts import NoteKind, Part, PartSource


def note(kind: NoteKind, text: str = "") -> Part:
    """A note as a channel hands it in."""
    return Part(source=PartSource.NOTE, text=text, note=kind)


def said_to(*parts: Part, language: str = "en") -> str | None:
    """The sentence for a message of these parts alone."""
    reply = reply_to_wordless(written("", parts), language)
    return None if reply is None else reply.text


@pytest.mark.parametrize("language", languages())
def test_each_kind_has_a_sentence_of_its_own_in_each_language(language: str) -> None:
    """One line, without a place that was left unfilled."""
    sentences = {said_to(note(kind, "x1"), language=language) for kind in NoteKind}
    assert len(sentences) == len(NoteKind)
    assert all(one and "\n" not in one and "{" not in one for one in sentences)


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        ([note(NoteKind.VOICE)], "I can't listen to voice notes yet: could you write it to me?"),
        (
            [note(NoteKind.PLACE, "Hacker Way, Menlo Park, CA")],
            "I see the place: Hacker Way, Menlo Park, CA. What is there?",
        ),
        ([note(NoteKind.STICKER, "😂")], "😂 Right back at you!"),
        (
            [note(NoteKind.STICKER, "blob_wave")],
            "I can't see stickers yet, but thank you for this one!",
        ),
    ],
)
def test_the_sentence_is_about_what_came(parts: list[Part], sentence: str) -> None:
    """With its name, where it has one that says something."""
    assert said_to(*parts) == sentence


def test_a_caption_is_answered_as_the_words_it_is() -> None:
    """Words that a person typed beside a picture, that they quote or forward, are no mere note."""
    photo = note(NoteKind.PHOTO, "cat.png")
    assert reply_to_wordless(written("my cat", [photo]), "en") is None
    assert reply_to_wordless(written("> my cat", [photo]), "en") is None
    forwarded = Part(source=PartSource.FORWARDED, text="my cat")
    assert reply_to_wordless(written("", [forwarded, photo]), "en") is None
    assert reply_to_wordless("", "en") is None


def test_a_message_is_of_the_kinds_of_its_notes_only_without_any_words() -> None:
    """Forwarded words are words, too."""
    both = [note(NoteKind.PHOTO), note(NoteKind.VOICE)]
    forwarded = Part(source=PartSource.FORWARDED, text="hello")
    assert notes_alone(written("", both)) == {NoteKind.PHOTO, NoteKind.VOICE}
    assert notes_alone(written("look", both)) == frozenset()
    assert notes_alone(written("", [*both, forwarded])) == frozenset()
    assert notes_alone("[photo.jpg, image/jpeg] is what it says") == frozenset()
