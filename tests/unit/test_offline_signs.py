"""The offline pet answers courtesy in a group with a sign."""

from zoneinfo import ZoneInfo

import pytest

from bot.conversation.emoji import is_one_emoji
from bot.llm.offline.model import OfflinePet
from bot.model.requests import ModelRequest, Purpose, ToolSpec, UserMessage
from memory.clock import FrozenClock
from tests.cast import NOON


async def answered(text: str, *, in_group: bool = True) -> tuple[str, str]:
    """The message and the expression that David is answered with."""
    request = ModelRequest(
        system="",
        messages=(UserMessage(text=text, speaker="David", in_group=in_group),),
        tools=(ToolSpec(name="respond", description="", schema={}),),
        purpose=Purpose.TURN,
        max_tokens=300,
        locale="fr",
        force="respond",
    )
    pet = OfflinePet(FrozenClock(NOON), ZoneInfo("Europe/Paris"), called=("Eko",))
    (call,) = (await pet.complete(request)).calls
    return call.arguments["message"], call.arguments["expression"]


@pytest.mark.parametrize(
    ("text", "signs", "expression"),
    [
        ("merci beaucoup", {"💛", "🤗"}, "love"),
        ("thanks Eko!", {"💛", "🤗"}, "love"),
        ("bonne nuit", {"🌙"}, "sleepy"),
        ("merci\nbonne nuit", {"🌙"}, "sleepy"),
        ("bye", {"👋"}, "sleepy"),
        ("mdr", {"😄", "😂"}, "happy"),
    ],
)
async def test_in_a_group_courtesy_is_answered_with_a_sign(
    text: str, signs: set[str], expression: str
) -> None:
    """One emoji, which a platform may show as a reaction; words would be noise to the others."""
    message, face = await answered(text)
    assert message in signs
    assert is_one_emoji(message)
    assert face == expression


@pytest.mark.parametrize("text", ["merci, ça va ?", "merci ! il fait beau", "salut"])
async def test_in_a_group_what_says_more_than_courtesy_gets_words(text: str) -> None:
    """A greeting, a question, a statement."""
    message, _ = await answered(text)
    assert not is_one_emoji(message)


@pytest.mark.parametrize("text", ["merci", "bonne nuit", "mdr"])
async def test_between_two_courtesy_gets_words(text: str) -> None:
    """Nobody else has to read them."""
    message, _ = await answered(text, in_group=False)
    assert not is_one_emoji(message)
