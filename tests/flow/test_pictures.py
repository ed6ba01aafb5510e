"""Pictures that come with a message, from the inbox to the model."""

from dataclasses import dataclass, field
from pathlib import Path

from bot.agent.estimates import PICTURE_TOKENS
from bot.conversation.pictures import AttachedPictures
from bot.model.events import Attachment
from bot.model.requests import Picture, UserMessage
from tests.cast import PLATFORM
from tests.flow.pet import ScriptedModel, awake, calls, responds

PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)
CAT = Attachment(name="chat.png", media_type="image/png", size=28, url="https://x/chat.png")
SEEN = (Picture(media_type="image/png", content=PNG),)


@dataclass
class Shelf:
    """Where the files are; an empty one has none."""

    files: dict[str, bytes] = field(default_factory=lambda: {CAT.url: PNG})

    async def fetch(self, url: str, most_bytes: int) -> bytes | None:
        """The file, if it is there."""
        del most_bytes
        return self.files.get(url)


def shown(model: ScriptedModel) -> list[list[tuple[Picture, ...]]]:
    """The pictures on each of the words, for each request."""
    return [
        [one.pictures for one in request.messages if isinstance(one, UserMessage) and one.speaker]
        for request in model.requests
    ]


async def test_a_picture_is_shown_with_the_words_it_came_with(tmp_path: Path) -> None:
    """In every round of their turn."""
    async with awake(tmp_path, pictures=AttachedPictures({PLATFORM: Shelf()})) as pet:
        pet.model.will(calls(("search_memories", {"query": "chat"})), responds("Joli !"))
        await pet.hears("regarde mon chat", attachments=(CAT,))
        assert await pet.answers() == ["Joli !"]
        assert shown(pet.model) == [[SEEN], [SEEN]]
        assert pet.model.last.text == "regarde mon chat\n⟦photo: chat.png⟧"


async def test_a_picture_is_not_shown_again_in_later_turns(tmp_path: Path) -> None:
    """Its note stays; the bytes would be paid for again each time."""
    async with awake(tmp_path, pictures=AttachedPictures({PLATFORM: Shelf()})) as pet:
        await pet.asked("regarde mon chat", attachments=(CAT,))
        await pet.asked("il te plaît, mon chat ?")
        assert shown(pet.model)[-1] == [(), ()]
        assert "⟦photo: chat.png⟧" in str(pet.model.requests[-1].messages[1])


async def test_a_message_is_answered_without_a_picture_that_is_gone(tmp_path: Path) -> None:
    """Fetching fails open."""
    async with awake(tmp_path, pictures=AttachedPictures({PLATFORM: Shelf({})})) as pet:
        await pet.hears("regarde mon chat", attachments=(CAT,))
        assert await pet.answers() == ["d'accord"]
        assert shown(pet.model) == [[()]]


async def test_a_picture_counts_in_what_a_turn_is_estimated_at(tmp_path: Path) -> None:
    """Or a conversation would be taken for more words than were said, and summarised too early."""
    estimates = []
    for folder, attached in (("a", ()), ("b", (CAT,))):
        pictures = AttachedPictures({PLATFORM: Shelf()})
        async with awake(tmp_path / folder, pictures=pictures) as pet:
            text = "regarde" if attached else "regarde\n⟦photo: chat.png⟧"
            await pet.asked(text, attachments=attached)
            rows = await pet.storage.database.all("SELECT estimated_tokens AS n FROM llm_usage")
            estimates.append(rows[0]["n"])
    assert estimates[1] - estimates[0] == PICTURE_TOKENS
