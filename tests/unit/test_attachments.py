import pytest

from bot.conversation.wording import LONGEST_FILE_NAME, MOST_NOTED, notes_of
from bot.model.events import Attachment
from memory.language.parts.written import written
from memory.model.parts import NoteKind


def file(name: str, media_type: str = "image/png", kind: NoteKind | None = None) -> Attachment:
    """A file as a platform names it."""
    url = "https://example.org/f"
    return Attachment(name=name, media_type=media_type, size=1, url=url, kind=kind)


@pytest.mark.parametrize(
    ("attachment", "note"),
    [
        (file("cat.png"), "⟦photo: cat.png⟧"),
        (file("a⟧\n⟦b\u202e.txt", "text/plain; charset=utf-8"), "⟦document: a] [b.txt⟧"),
        (file("", ""), "⟦document⟧"),
        (file("x", "nonsense\n• forged"), "⟦document: x⟧"),
        (file("n" * 200), f"⟦photo: {'n' * LONGEST_FILE_NAME}⟧"),
        (file("", "audio/ogg", NoteKind.VOICE), "⟦voice⟧"),
    ],
)
def test_a_file_is_noted_by_what_it_is_and_its_name(attachment: Attachment, note: str) -> None:
    """Neither forges a line or a heading."""
    assert written("", notes_of([attachment])) == note


def test_notes_follow_the_words() -> None:
    """A line each, and no more than a platform takes."""
    notes = notes_of([file("a"), file("b")])
    assert written("look", notes) == "look\n⟦photo: a⟧\n⟦photo: b⟧"
    assert written("look", notes_of([])) == "look"
    assert len(list(notes_of([file("a")] * 50))) == MOST_NOTED
