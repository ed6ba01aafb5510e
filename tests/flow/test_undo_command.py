"""`/notify-memories` and `/undo`: what the offline pet keeps is seen at once, and taken back."""

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.channels.local.hub import LOBBY, direct_room
from bot.model.events import AuthorRef, RoomRef
from bot.model.turns import Outgoing
from tests.flow.owning import Owner, owned
from tests.patience import PATIENCE_S

LEA = AuthorRef(platform="web", external_id="lea", name="Léa")
ALONE = direct_room(LEA)
NOTE = re.compile(r"kept: (.*?) · /undo ([0-9a-f]{8}) · /correct \2 -> RIGHT WORDS")


@pytest.fixture
async def owner(tmp_path: Path) -> AsyncIterator[Owner]:
    """A pet without a model, that speaks English."""
    async with owned(tmp_path, "en") as one:
        yield one


async def says(owner: Owner, text: str, where: RoomRef = ALONE) -> list[str]:
    """What Léa reads after she has said something, or typed a command."""
    app, sent = owner.app, list[str]()
    real = app.hub.send

    async def send(message: Outgoing) -> str | None:
        sent.append(message.text)
        return await real(message)

    app.hub.send = send  # type: ignore[method-assign]
    async with asyncio.timeout(PATIENCE_S):
        await app.hub.say(where, LEA, text)
        await app.commands.quiet()
        await app.conversations.quiet()
    app.hub.send = real  # type: ignore[method-assign]
    return sent


async def test_the_switch_says_how_it_is(owner: Owner) -> None:
    """Alone it changes nothing; it is off until it is asked for."""
    (first,) = await says(owner, "/notify-memories")
    assert first.startswith("I do not show")
    (on,) = await says(owner, "/notify-memories on")
    assert on.startswith("In private I show")
    assert await says(owner, "/notify-memories") == [on]
    (off,) = await says(owner, "/notify-memories off")
    assert off == first
    assert len(await says(owner, "I live in Lyon")) == 1


async def test_what_the_offline_pet_keeps_is_shown_and_undone(owner: Owner) -> None:
    """What it replaced nothing with is forgotten, once that is confirmed."""
    await says(owner, "/notify-memories on")
    _, note = await says(owner, "I live in Lyon")
    told = NOTE.fullmatch(note)
    assert told is not None
    assert told[1] == "Léa: I live in Lyon"
    (preview,) = await says(owner, "/undo")
    assert "I would forget" in preview
    assert "Lyon" in preview
    assert await owner.contents() == ["Léa: I live in Lyon"]
    await says(owner, "/forget confirm")
    assert await owner.contents() == []
    (nothing,) = await says(owner, "/undo")
    assert nothing.startswith("There is nothing that I kept last")


async def test_what_was_replaced_is_so_again(owner: Owner) -> None:
    """In its own words, as a fact of the same person; a later answer goes by it."""
    await says(owner, "/notify-memories on")
    await says(owner, "I live in Lyon")
    _, note = await says(owner, "I live in Paris now, not in Lyon any more")
    assert "(in place of: Léa: I live in Lyon)" in note
    number = note.partition("/undo ")[2].partition(" ")[0]
    (done,) = await says(owner, f"/undo {number}")
    assert done.splitlines()[1] == "It is again: Léa: I live in Lyon"
    assert await owner.contents() == ["Léa: I live in Lyon"]
    (known,) = await says(owner, "/what-do-you-know")
    assert known.startswith("What matters most:\n• Léa: I live in Lyon (said by you, ")
    assert "Lyon" in (await says(owner, "Where do I live?"))[0]


async def test_the_line_of_a_note_puts_it_right(owner: Owner) -> None:
    """What a command has done is said by its answer, and not announced again."""
    await says(owner, "/notify-memories on")
    _, note = await says(owner, "I live in Lyon")
    number = note.partition("/correct ")[2].partition(" ")[0]
    (done,) = await says(owner, f"/correct {number} -> I live in Nantes")
    assert "Nantes" in done
    assert len(await says(owner, "Nice weather today, is it not?")) == 1
    assert await owner.contents() == ["Léa: I live in Nantes"]


async def test_in_a_group_nothing_private_is_taken_back(owner: Owner) -> None:
    """`/undo` there names nothing that others may not know."""
    await says(owner, "/notify-memories on")
    await says(owner, "I live in Lyon")
    (answer,) = await says(owner, "/undo", LOBBY)
    assert "Lyon" not in answer
    assert answer.startswith("There is nothing that I kept last")
    assert await owner.contents() == ["Léa: I live in Lyon"]


async def test_words_that_may_mean_several_are_asked_about(owner: Owner) -> None:
    """Nothing is taken back before it is clear which one."""
    await says(owner, "my sister lives in Lyon")
    await says(owner, "my sister works in Lyon")
    (asked,) = await says(owner, "/undo my sister in Lyon")
    assert asked.startswith("Which one do you mean?")
    assert len(await owner.contents()) == 2
