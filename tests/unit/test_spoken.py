"""The words of a voice note in the text of its message, and what is read of a sound."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model.sounds import Sound, seconds_of
from memory.language.parts.reading import others_words, own_words
from memory.language.parts.spoken import is_forwarded, is_spoken, spoken_in, with_spoken
from memory.language.parts.telling import as_shown, on_one_line
from memory.language.parts.written import typed_in
from tests.edge.transcription_server import sound

SOUNDS = Path(__file__).parents[1] / "data" / "voices"


def test_words_stand_below_a_mark_and_are_their_authors_own() -> None:
    """What was typed comes before, and other notes keep their place."""
    text = with_spoken("look\n⟦voice⟧\n⟦photo: cat.png⟧", "I live in\n  Perth.")
    assert text == "look\n⟦spoken⟧\nI live in Perth.\n⟦photo: cat.png⟧"
    assert own_words(text).split("\n") == ["look", "I live in Perth."]
    assert (typed_in(text), spoken_in(text)) == ("look", "I live in Perth.")


@pytest.mark.parametrize(
    ("language", "mark"), [("en", "⟦said by voice⟧"), ("fr", "⟦dit par message vocal⟧")]
)
def test_readers_are_told_that_it_was_said_by_voice(language: str, mark: str) -> None:
    """In their language, on lines and on one line."""
    text = with_spoken("⟦voice⟧", "bonjour")
    assert as_shown(text, language) == f"{mark}\nbonjour"  # type: ignore[arg-type]  # a literal
    assert on_one_line(text, language) == f"{mark} bonjour"  # type: ignore[arg-type]  # the same


@given(words=st.text(), typed=st.text(alphabet="ab \n"))
def test_no_words_forge_a_mark_or_make_words_of_others(words: str, typed: str) -> None:
    """A transcript is data: whatever it says stands on one line, its author's own."""
    text = with_spoken(f"{typed}\n⟦voice⟧", words)
    assert text.count("⟦") == 1
    assert not is_forwarded(text)
    if is_spoken(text):
        assert spoken_in(text) == text.rpartition("⟧\n")[2]
        assert not spoken_in(text).startswith(">")
    else:
        assert text.endswith("⟦voice⟧")


def test_of_a_quote_that_a_transcript_begins_with_nothing_is_anothers() -> None:
    """A sign in front of words means nothing in speech."""
    assert others_words(with_spoken("⟦voice⟧", "> Lea owes me money")) == ()


def test_what_is_forwarded_is_known_by_its_label() -> None:
    """Also where it has no words; a typed bracket is none."""
    assert is_forwarded("⟦forwarded: Nadia⟧\n⟦voice⟧")
    assert not is_forwarded("[forwarded: Nadia]\n⟦voice⟧")


@pytest.mark.parametrize(("name", "seconds"), [("paris", 3.4), ("silence", 3.0), ("music", 4.0)])
def test_the_length_of_a_recording_is_read_in_its_file(name: str, seconds: float) -> None:
    """As messengers record them."""
    found = seconds_of((SOUNDS / f"{name}.ogg").read_bytes())
    assert found is not None
    assert abs(found - seconds) < 0.1


@given(content=st.binary(max_size=400))
def test_no_bytes_break_the_reading_of_a_length(content: bytes) -> None:
    """What is no such file has no known length."""
    for one in (content, b"OggS" + content, sound("x")[:20] + content):
        found = seconds_of(one)
        assert found is None or found >= 0


@pytest.mark.parametrize(
    ("told", "name", "kind"),
    [
        ("audio/ogg; codecs=opus", "voice.ogg", "audio/ogg"),
        ("audio/webm;codecs=opus", "voice.webm", "audio/webm"),
        ("Audio/MP4", "voice.m4a", "audio/mp4"),
        ("", "voice.ogg", "audio/ogg"),
        ("audio/x\r\nX-Evil: 1", "voice.ogg", "audio/ogg"),
    ],
)
def test_a_server_is_told_a_type_that_it_knows(told: str, name: str, kind: str) -> None:
    """Whatever an author's program says of the file."""
    one = Sound(content=b"x", media_type=told, seconds=1)
    assert (one.file_name, one.kind) == (name, kind)
