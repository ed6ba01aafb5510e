import pytest

from bot.conversation.pictures import LONGEST_FILE_NAME, MOST_NOTED, noted
from bot.model.events import Attachment


def file(name: str, media_type: str = "image/png") -> Attachment:
    """A file as a platform names it."""
    return Attachment(name=name, media_type=media_type, size=1, url="https://example.org/f")


@pytest.mark.parametrize(
    ("attachment", "note"),
    [
        (file("cat.png"), "[cat.png, image/png]"),
        (file("a]\n[b\u202e.txt", "text/plain; charset=utf-8"), "[a b.txt, text/plain]"),
        (file("", ""), "[file]"),
        (file("x", "nonsense\n• forged"), "[x]"),
        (file("n" * 200), f"[{'n' * LONGEST_FILE_NAME}, image/png]"),
    ],
)
def test_a_file_is_noted_by_name_and_type(attachment: Attachment, note: str) -> None:
    """Neither forges a line or a heading."""
    assert noted("", [attachment]) == note


def test_notes_follow_the_words() -> None:
    """A line each, and no more than a platform takes."""
    assert noted("look", [file("a"), file("b")]) == "look\n[a, image/png]\n[b, image/png]"
    assert noted("look", []) == "look"
    assert len(noted("", [file("a")] * 50).splitlines()) == MOST_NOTED
