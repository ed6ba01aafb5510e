"""What a page is told while it is open: by whom, in which order, after a connection was cut."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from uuid import UUID

import pytest

from bot.channels.local.hub import LOBBY
from bot.channels.local.presence import BACKLOG
from bot.model.events import Inbound, Typing
from bot.model.turns import Expression
from memory.model.listing import KeptStatement
from memory.model.statements import MemoryId
from tests.cast import outgoing, room_of
from tests.web.served_page import ServedPage, Visit, serving_page, tags_of, words_of


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[ServedPage]:
    """The page of a pet."""
    async with serving_page(tmp_path) as page:
        yield page


async def position_of(visit: Visit) -> str:
    """From where a page that was just opened is followed."""
    (stage,) = tags_of(await visit.page(), "main")
    return str(stage["data-position"])


async def test_what_is_said_is_told_to_everybody_in_the_room(served: ServedPage) -> None:
    """In the lobby to both, mine to one of them; in private to nobody else."""
    lea, tom = await served.visitor("Léa"), await served.visitor("Tom")
    async with lea.events() as hers, tom.events() as his:
        await hers.begun()
        await his.begun()
        await lea.say("private", "my secret")
        await lea.say("lobby", "hello <all>")
        told = [(await hers.next("line"))[1] for _ in range(2)]
        assert [(one["room"], one["mine"]) for one in told] == [("private", True), ("lobby", True)]
        _, other, _ = await his.next("line")
        assert (other["room"], other["mine"], other["author"]) == ("lobby", False, "Léa")
        assert "hello &lt;all&gt;" in other["html"]
        assert his.waiting("line") == []


async def test_a_line_is_the_same_when_it_is_told_and_when_it_is_read(served: ServedPage) -> None:
    """So that a page that read it already can put the one in the place of the other."""
    lea = await served.visitor("Léa")
    async with lea.events() as events:
        await events.begun()
        await lea.say("lobby", "**hello** https://e.org/a")
        _, told, _ = await events.next("line")
    assert told["html"] in await lea.page()
    assert told["html"] == await lea.page("/rooms/lobby/lines")


async def test_a_reply_shows_with_its_face_and_on_what_it_answers(served: ServedPage) -> None:
    """The pet's words come with its look, and with what they are an answer to."""
    lea = await served.visitor("Léa", language="fr")
    async with lea.events() as events:
        await events.begun()
        message = outgoing(LOBBY, "Coucou", nonce="turn-1:0", expression=Expression.LOVE)
        await served.hub.send(message)
        _, told, _ = await events.next("line")
    assert (told["key"], told["kind"], told["look"]) == ("turn-1", "pet", "love")
    assert told["label"] != "full of love"
    assert "#look-love" in told["html"]


async def test_changes_are_told_too(served: ServedPage) -> None:
    """New words in the place of the old ones; what was taken back by its key alone."""
    lea, tom = await served.visitor("Léa"), await served.visitor("Tom")
    async with tom.events() as events:
        await events.begun()
        await lea.say("lobby", "first words")
        _, told, _ = await events.next("line")
        await lea.post(f"/rooms/lobby/messages/{told['key']}", words="second words")
        _, changed, _ = await events.next("changed")
        assert (changed["key"], changed["mine"]) == (told["key"], False)
        assert "second words" in changed["html"]
        await lea.post(f"/rooms/lobby/messages/{told['key']}")
        kind, gone, _ = await events.next("gone")
    assert (kind, gone) == ("gone", {"room": "lobby", "key": told["key"]})


async def test_a_cut_connection_misses_nothing(served: ServedPage) -> None:
    """What was said meanwhile comes first, once; a browser names the last event it has."""
    lea, tom = await served.visitor("Léa"), await served.visitor("Tom")
    async with lea.events(await position_of(lea)) as events:
        await events.begun()
        await tom.say("lobby", "one")
        *_, position = await events.next("line")
    await tom.say("lobby", "two")
    await tom.say("private", "secret")
    await served.hub.send(outgoing(LOBBY, "three", nonce="n"))
    for since, last in ((position, ""), ("anything", position)):
        async with lea.events(since, last) as events:
            await events.begun()
            told = [(await events.next("line", "reload"))[1]["html"] for _ in range(2)]
            assert events.waiting("line", "reload") == []
        assert ["two" in told[0], "three" in told[1]] == [True, True]


async def test_nothing_is_lost_between_the_page_and_its_stream(served: ServedPage) -> None:
    """What is said after a page was drawn is told when its stream begins."""
    lea, tom = await served.visitor("Léa"), await served.visitor("Tom")
    position = await position_of(lea)
    await tom.say("lobby", "in between")
    async with lea.events(position) as events:
        _, told, _ = await events.next("line")
    assert "in between" in told["html"]


@pytest.mark.parametrize("since", ["", "other-3", "junk", "-", "other-99999999999999999999999999"])
async def test_after_an_unknown_position_the_rooms_are_read_anew(
    served: ServedPage, since: str
) -> None:
    """As after a restart: the page is told so, and goes on from there."""
    lea = await served.visitor("Léa")
    async with lea.events(since) as events:
        _, _, position = await events.next("reload")
    async with lea.events(position) as events:
        await events.begun()
        assert events.waiting("reload") == []


async def test_a_gap_that_is_too_long_is_not_closed(served: ServedPage) -> None:
    """Only so much is kept of what was said; the rooms know the rest."""
    lea = await served.visitor("Léa")
    position = await position_of(lea)
    for number in range(600):
        await served.hub.send(outgoing(LOBBY, str(number), nonce=str(number)))
    async with lea.events(position) as events:
        await events.next("reload")


async def test_a_page_that_is_too_slow_is_told_to_read_anew(served: ServedPage) -> None:
    """It holds up nobody, and what waits for it is bounded."""
    lea = await served.visitor("Léa")
    async with lea.events() as events:
        await events.begun()
        for number in range(BACKLOG + 1):
            await served.hub.send(outgoing(LOBBY, str(number), nonce=str(number)))
        await events.next("reload")


async def test_what_was_taken_back_is_not_told_again(served: ServedPage) -> None:
    """Not to a browser either that comes back after it."""
    lea, tom = await served.visitor("Léa"), await served.visitor("Tom")
    position = await position_of(tom)
    await lea.say("lobby", "a slip of the tongue")
    (said,) = (one for one in served.received if isinstance(one, Inbound))
    await lea.post(f"/rooms/lobby/messages/{said.external_id}")
    async with tom.events(position) as events:
        await events.next("gone")
        assert events.waiting("line") == []
    assert words_of(await tom.page(), "lobby") == []


async def test_keys_pressed_reach_the_daemon_and_the_others(served: ServedPage) -> None:
    """In the reader's language; at most once a second, and not to oneself."""
    lea, tom = await served.visitor("Léa"), await served.visitor("Tom", language="fr")
    async with lea.events() as hers, tom.events() as his:
        await hers.begun()
        await his.begun()
        for _ in range(5):
            assert (await lea.post("/rooms/lobby/typing")).status_code == 204
        _, told, _ = await his.next("writing")
        assert (told["room"], told["text"]) == ("lobby", "Léa écrit…")
        assert hers.waiting("writing") == his.waiting("writing") == []
    assert len([one for one in served.received if isinstance(one, Typing)]) == 1


async def test_the_pet_is_seen_writing(served: ServedPage) -> None:
    """Until it speaks."""
    lea = await served.visitor("Léa")
    async with lea.events() as events:
        await events.begun()
        await served.hub.show_typing(room_of(LOBBY))
        _, told, _ = await events.next("writing")
    assert (told["kind"], told["text"]) == ("pet", "Eko is writing…")


async def test_one_sees_who_else_is_here(served: ServedPage) -> None:
    """Each account once, however many tabs it has; nobody who left."""
    lea, tom = await served.visitor("Léa"), await served.visitor("Tom")
    async with tom.events() as his, tom.events() as his_other:
        await his.begun()
        await his_other.begun()
        async with lea.events() as hers:
            _, told, _ = await hers.next("here")
        assert told == {"names": ["Tom"], "more": ""}
    assert served.hub.here(LOBBY) == ()
    assert not served.hub._presences


async def test_one_is_told_that_somebody_here_has_the_chosen_name(served: ServedPage) -> None:
    """Once: the same name given again is taken, and one of nobody there is at once."""
    form = {"origin": "http://localhost", "sec-fetch-site": "same-origin"}
    tom, other = await served.visitor("Tom"), served.browser().client
    async with tom.events() as his:
        await his.begun()
        told = await other.post("/name", data={"name": "TOM"}, headers=form)
        assert told.headers["location"] == "/?name=shared"
        assert "has this name too" in (await other.get("/?name=shared")).text
        again = await other.post("/name", data={"name": "TOM"}, headers=form)
        assert again.headers["location"] == "/"
        free = await other.post("/name", data={"name": "Ana"}, headers=form)
        assert free.headers["location"] == "/"


async def test_a_stream_is_kept_from_caches_and_buffers(served: ServedPage) -> None:
    """It begins at once, and what stands before it is told to let it through."""
    lea = await served.visitor("Léa")
    async with lea.events() as events:
        await events.next("beat")
        assert events.headers["content-type"].startswith("text/event-stream")
        assert events.headers["x-accel-buffering"] == "no"
        assert "no-transform" in events.headers["cache-control"]


async def test_a_stream_needs_a_name(served: ServedPage) -> None:
    """Nobody follows a room before the page knows who they are."""
    async with served.browser().events() as events:
        events.left.set()
    assert not served.hub._presences


async def test_a_note_of_what_was_kept_is_told_with_what_to_do(served: ServedPage) -> None:
    """In the reader's language, as nobody's words and without a face; no history has it."""
    lea = await served.visitor("Léa", language="fr")
    kept = [
        KeptStatement(seq=number, id=MemoryId(UUID(int=number << 96)), content=f"<i> {number}")
        for number in range(1, 8)
    ]
    async with lea.events() as events:
        await events.begun()
        await lea.say("private", "coucou")
        _, said, _ = await events.next("line")
        (heard,) = [one for one in served.received if isinstance(one, Inbound)]
        note = outgoing(heard.room, "gardé : …", nonce="kept:1")
        await served.hub.send(replace(note, kept=tuple(kept)))
        _, told, _ = await events.next("line")
    assert said["kind"] == "person"
    assert (told["kind"], told["key"], "look" in told) == ("system", "kept:1", False)
    assert "gardé : &lt;i&gt; 5" in told["html"]
    assert "&lt;i&gt; 6" not in told["html"]
    assert "et 2 autres" in told["html"]
    lines = [one["data-line"] for one in tags_of(told["html"], "button")]
    assert lines[:2] == ["/undo 00000001", "/correct 00000001 -> "]
    assert len(lines) == 10
    assert "gardé" not in await lea.page()
