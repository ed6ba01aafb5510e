"""Which pictures of a message a model is shown."""

from dataclasses import dataclass, field, replace

import pytest

from bot.conversation.pictures import MOST, MOST_BYTES, AttachedPictures, NoPictures, media_type_of
from bot.model.events import Attachment
from bot.model.requests import Picture
from bot.model.turns import Batch
from tests.cast import DAVID, batch

PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)
JPEG = b"\xff\xd8\xff\xe0" + bytes(20)
WEBP = b"RIFF\x10\x00\x00\x00WEBPVP8 "


@dataclass
class Shelf:
    """A store that has every file, and these contents for some."""

    contents: dict[str, bytes | None] = field(default_factory=dict)
    asked: list[tuple[str, int]] = field(default_factory=list)

    async def fetch(self, url: str, most_bytes: int) -> bytes | None:
        """A PNG unless it says otherwise."""
        self.asked.append((url, most_bytes))
        return self.contents.get(url, PNG)


def file(url: str, kind: str = "image/png", size: int = 100) -> Attachment:
    """A file that came with a message."""
    return Attachment(name="x", media_type=kind, size=size, url=url)


def carrying(*files: tuple[Attachment, ...]) -> Batch:
    """A message for each of these, of somebody who writes from where David does."""
    said = batch(*("regarde" for _ in files))
    heard = zip(said.heard, files, strict=True)
    return Batch(heard=tuple(replace(one, attachments=some) for one, some in heard))


async def seen(shelf: Shelf, *files: tuple[Attachment, ...]) -> tuple[Picture, ...]:
    """What a model is shown of these messages."""
    return await AttachedPictures({DAVID.platform: shelf}).of(carrying(*files))


async def test_pictures_of_all_messages_are_shown_in_order() -> None:
    """With the type that their bytes have, whatever was declared."""
    shelf = Shelf({"b": JPEG})
    found = await seen(shelf, (file("a"),), (file("b", "image/webp"),))
    assert found == (
        Picture(media_type="image/png", content=PNG),
        Picture(media_type="image/jpeg", content=JPEG),
    )
    assert shelf.asked == [("a", MOST_BYTES), ("b", MOST_BYTES)]


async def test_the_last_ones_are_shown_where_there_are_many() -> None:
    """No more than a turn may have."""
    shelf = Shelf()
    await seen(shelf, tuple(file(str(n)) for n in range(MOST + 2)))
    assert [url for url, _ in shelf.asked] == ["2", "3", "4", "5"]


@pytest.mark.parametrize(
    "other",
    [file("a", "text/plain"), file("a", "image/svg+xml"), file("a", size=MOST_BYTES + 1)],
)
async def test_what_no_model_reads_is_not_even_fetched(other: Attachment) -> None:
    """Texts, drawings, and what is too large by its own word."""
    shelf = Shelf()
    assert await seen(shelf, (other,)) == ()
    assert shelf.asked == []


async def test_a_declared_type_may_have_parameters() -> None:
    """As some platforms write it."""
    assert len(await seen(Shelf(), (file("a", "Image/PNG; charset=binary"),))) == 1


@pytest.mark.parametrize("content", [None, b"", b"<html>", b"RIFF\x10\x00\x00\x00WAVE"])
async def test_what_is_no_picture_is_left_out(content: bytes | None) -> None:
    """Gone, empty, or something else under a picture's name; the others are shown."""
    found = await seen(Shelf({"a": content}), (file("a"), file("b")))
    assert [one.content for one in found] == [PNG]


async def test_a_platform_without_a_store_shows_nothing() -> None:
    """Its addresses are nobody's to fetch."""
    shelf = Shelf()
    assert await AttachedPictures({"elsewhere": shelf}).of(carrying((file("a"),))) == ()
    assert shelf.asked == []


async def test_a_model_that_cannot_see_is_shown_nothing() -> None:
    """Whatever came."""
    assert await NoPictures().of(carrying((file("a"),))) == ()


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (PNG, "image/png"),
        (JPEG, "image/jpeg"),
        (b"GIF87a.", "image/gif"),
        (b"GIF89a.", "image/gif"),
        (WEBP, "image/webp"),
        (b"\x00\x00\x00\x18ftypavif", None),
        (b"", None),
    ],
)
def test_the_type_is_read_from_the_first_bytes(content: bytes, kind: str | None) -> None:
    """A name proves nothing."""
    assert media_type_of(content) == kind
