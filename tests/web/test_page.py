"""The page without a browser: what a visitor is asked, sees and may not see."""

import asyncio
import json
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import TypeVar

import pytest
from nicegui import Client
from nicegui.element import Element
from nicegui.testing import User

from bot.channels.local.hub import LOBBY, TEXT_LIMIT, direct_room
from bot.channels.local.ports import Shown
from bot.channels.local.presence import BACKLOG
from bot.channels.local.web.deduplication import CLOSE, ShownOnce, continues, shown_of
from bot.channels.local.web.elements import LINES, Face, Log, MessageBox, MessageLine, WritingLine
from bot.channels.local.web.session import cookie_name
from bot.model.events import AuthorRef, Inbound, Typing
from bot.model.turns import Expression, Reply
from bot.texts.catalogue import texts_in
from memory.model.messages import AuthorKind, Message, MessageId
from memory.model.rooms import RoomId
from tests.cast import outgoing, room_of
from tests.web.served_page import NOON, SECRET, ServedPage, serving_page

Piece = TypeVar("Piece", bound=Element)

ENGLISH, FRENCH = texts_in("en"), texts_in("fr")


@pytest.fixture
async def served(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[ServedPage]:
    """The page of a pet; its current folder is empty."""
    monkeypatch.chdir(tmp_path)
    async with serving_page(tmp_path, tmp_path_factory.mktemp("data")) as page:
        yield page


def pieces(user: User, kind: type[Piece]) -> list[Piece]:
    """The pieces of this kind on a visitor's page, the private room's first."""
    assert user.client is not None
    return [piece for piece in user.client.elements.values() if isinstance(piece, kind)]


def sentences(user: User) -> set[str]:
    """What the page says of itself, outside of the messages."""
    return {str(element._text) for element in pieces(user, Element) if element._text}


def words(user: User, room: int) -> list[str]:
    """The messages on screen in the private room (0) or the lobby (1)."""
    log = pieces(user, Log)[room]
    return [line.props["text"] for line in log.default_slot.children]


async def say(user: User, room: int, text: object) -> None:
    """Send something from the box of a room, as a browser would."""
    assert user.client is not None
    box = pieces(user, MessageBox)[room]
    listener = next(one for one in box._event_listeners.values() if one.type == "say")
    user.client.handle_event({"id": box.id, "listener_id": listener.id, "args": [json.dumps(text)]})
    await settle()


async def settle() -> None:
    """Let everything that is ready run."""
    for _ in range(50):
        await asyncio.sleep(0)


def identities(served: ServedPage) -> list[AuthorRef]:
    """Who said what was received, in order."""
    return [event.author for event in served.received if isinstance(event, Inbound)]


def files_in(folder: Path) -> set[Path]:
    """Every file below a folder."""
    return {path for path in folder.rglob("*") if path.is_file()}


async def test_the_first_visit_asks_for_a_name_once(served: ServedPage) -> None:
    """A browser without a name reads the question, and never again after its answer."""
    user = served.browser()
    await user.open("/")
    assert "Hello, I am Eko" in sentences(user)
    assert pieces(user, MessageBox) == []
    await user.http_client.post("/name", data={"name": "Léa"})
    for _ in range(2):
        await user.open("/")
        assert "Hello, I am Eko" not in sentences(user)
        assert len(pieces(user, MessageBox)) == 2


@pytest.mark.parametrize(
    ("asked", "leads_to"),
    [
        ("Léa", "/"),
        ("  ", "/?name=ask"),
        ("\u202e\x07", "/?name=ask"),
        ("eKO", "/?name=taken"),
        ("Lea#3f2a", "/?name=marked"),
    ],
)
async def test_a_name_is_taken_or_asked_again(
    served: ServedPage, asked: str, leads_to: str
) -> None:
    """Empty names, the pet's own and what it calls namesakes are not accepted."""
    user = served.browser()
    await user.open("/")
    answer = await user.http_client.post("/name", data={"name": asked})
    assert (answer.status_code, answer.headers["location"]) == (303, leads_to)


async def test_the_page_says_what_is_wrong_with_a_name(served: ServedPage) -> None:
    """In a sentence, where the next one is asked for."""
    user = served.browser()
    for objection, sentence in (("taken", "That is my name!"), ("marked", "behind a #")):
        await user.open(f"/?name={objection}")
        assert any(sentence in one for one in sentences(user))


async def test_changing_the_name_keeps_the_person(served: ServedPage) -> None:
    """The page can ask again; the account stays the same under the new name."""
    user = await served.visitor("Lea")
    await say(user, 1, "one")
    await user.open("/?name=ask")
    assert "Lea" in str([piece.props.get("value") for piece in pieces(user, Element)])
    await user.http_client.post("/name", data={"name": "Léa"})
    await user.open("/")
    await say(user, 1, "two")
    before, after = identities(served)
    assert before.external_id == after.external_id
    assert (before.name, after.name) == ("Lea", "Léa")


async def test_two_browsers_with_one_name_are_two_people(served: ServedPage) -> None:
    """Who somebody is comes from their browser and cannot be guessed from the name."""
    one, other = await served.visitor("Léa"), await served.visitor("Léa")
    await say(one, 1, "hello")
    await say(other, 1, "hello")
    first, second = identities(served)
    assert first.external_id != second.external_id
    assert len(first.external_id) >= 32
    assert first.platform == "web"


async def test_a_forged_cookie_is_a_stranger(served: ServedPage) -> None:
    """A cookie that this page did not sign opens nobody's room."""
    user = await served.visitor("Léa")
    cookie = user.http_client.cookies[cookie_name(SECRET)]
    payload, _, signature = cookie.partition(".")
    thief = served.browser()
    thief.http_client.cookies.set(cookie_name(SECRET), f"{payload}.{signature[::-1]}")
    await thief.open("/")
    assert "Hello, I am Eko" in sentences(thief)


async def test_the_lobby_is_shared_and_private_talks_are_not(served: ServedPage) -> None:
    """Words in the lobby show on both pages; private words on their author's only."""
    lea, tom = await served.visitor("Léa"), await served.visitor("Tom")
    await settle()
    await say(lea, 1, "Eko, hello all")
    await say(lea, 0, "my secret")
    assert words(lea, 1) == words(tom, 1) == ["Eko, hello all"]
    assert words(lea, 0) == ["my secret"]
    assert words(tom, 0) == []
    shared, private = served.received
    assert isinstance(shared, Inbound)
    assert isinstance(private, Inbound)
    assert (shared.room, private.room) == (LOBBY, direct_room(private.author))


async def test_a_reply_shows_with_its_face_to_everybody_in_the_lobby(served: ServedPage) -> None:
    """The pet's words come with its look, on the line and on the big face of that room."""
    lea, tom = await served.visitor("Léa"), await served.visitor("Tom")
    await settle()
    reply = Reply(text="Coucou", expression=Expression.LOVE)
    await served.hub.send(outgoing(LOBBY, reply.text, expression=reply.expression))
    await settle()
    for user in (lea, tom):
        assert words(user, 1) == ["Coucou"]
        assert [face.props["look"] for face in pieces(user, Face)] == ["neutral", "love"]
        assert pieces(user, MessageLine)[0].props["kind"] == "pet"
        assert pieces(user, Face)[1].props["label"] == "Eko: full of love"


async def test_the_page_opens_with_the_history_and_drops_what_comes_twice(
    served: ServedPage,
) -> None:
    """What was said before is there, the newest last, and its echo is not shown again."""
    served.history.add(LOBBY.external_id, "hello")
    served.history.add(LOBBY.external_id, "Coucou", "Eko", AuthorKind.PET)
    user = await served.visitor("Léa")
    await settle()
    assert words(user, 1) == ["hello", "Coucou"]
    await served.hub.send(outgoing(LOBBY, "Coucou", nonce="n"))
    await served.hub.send(outgoing(LOBBY, "Coucou", nonce="m"))
    await settle()
    assert words(user, 1) == ["hello", "Coucou", "Coucou"]


async def test_a_page_that_missed_events_reloads_the_history(served: ServedPage) -> None:
    """A page too slow to follow shows what the history says, and goes on from there."""
    user = await served.visitor("Léa")
    await settle()
    for number in range(BACKLOG + 1):
        await served.hub.send(outgoing(LOBBY, str(number), nonce=str(number)))
    served.history.add(LOBBY.external_id, "all of it", "Eko", AuthorKind.PET)
    await settle()
    assert words(user, 1)[:1] == ["all of it"]


async def test_an_open_page_stays_small(served: ServedPage) -> None:
    """Old lines leave the screen when there are too many."""
    user = await served.visitor("Léa")
    await settle()
    for number in range(LINES + 3):
        await served.hub.send(outgoing(LOBBY, str(number), nonce=str(number)))
        await settle()
    assert len(words(user, 1)) == LINES
    assert words(user, 1)[-1] == str(LINES + 2)


async def test_writing_is_shown_and_ends_with_the_message(served: ServedPage) -> None:
    """The pet writing shows in words and on its face until it speaks."""
    user = await served.visitor("Léa")
    await settle()
    await served.hub.show_typing(room_of(LOBBY))
    await settle()
    line, face = pieces(user, WritingLine)[1], pieces(user, Face)[1]
    assert line.props["text"] == "Eko is writing…"
    assert face.props["beat"] > 0
    await served.hub.send(outgoing(LOBBY, "hi", nonce="n"))
    await settle()
    assert (line.props["beat"], face.props["beat"]) == (0, 0)


async def test_keys_pressed_reach_the_daemon_and_the_others(served: ServedPage) -> None:
    """Typing in the lobby is told to the coalescer and to everybody else there."""
    lea, tom = await served.visitor("Léa"), await served.visitor("Tom")
    await settle()
    lea.find(kind=MessageBox).trigger("typing")
    await settle()
    assert {event.room.kind for event in served.received if isinstance(event, Typing)} == {
        "group",
        "direct",
    }
    assert pieces(tom, WritingLine)[1].props["text"] == "Léa is writing…"
    assert pieces(lea, WritingLine)[1].props["text"] == ""
    assert pieces(tom, WritingLine)[0].props["text"] == ""


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("a" * (TEXT_LIMIT + 1), ENGLISH.say("page.too_long", limit=TEXT_LIMIT)),
        ("hi", ENGLISH.say("page.not_sent")),
        ("again and again", ENGLISH.say("page.too_fast")),
    ],
)
async def test_words_that_were_not_taken_come_back(
    served: ServedPage, text: str, note: str
) -> None:
    """What is too long, too fast or could not be stored is put back with the reason."""
    user = await served.visitor("Léa")
    await settle()
    served.hurried = text.startswith("again")
    served.broken = not served.hurried
    given: list[tuple[str, str]] = []
    box = pieces(user, MessageBox)[1]
    box.give_back = lambda words, note: given.append((words, note))  # type: ignore[method-assign]
    await say(user, 1, text)
    assert given == [(text, note)]
    assert words(user, 1) == []


@pytest.mark.parametrize("junk", [None, 7, ["a"], {"a": 1}])
async def test_a_browser_that_sends_junk_says_nothing(served: ServedPage, junk: object) -> None:
    """Only text can be said, whatever comes over the socket."""
    user = await served.visitor("Léa")
    await say(user, 1, junk)
    assert served.received == []


async def test_the_page_speaks_the_language_of_the_browser(served: ServedPage) -> None:
    """French browsers read French, others what they ask for or the pet's language."""
    french = await served.visitor("Léa", language="fr-FR,fr;q=0.9,en;q=0.5")
    assert FRENCH.say("page.lobby_hint", pet="Eko") in sentences(french)
    other = await served.visitor("Jan", language="nl")
    assert ENGLISH.say("page.lobby_hint", pet="Eko") in sentences(other)


async def test_foreign_host_names_are_turned_away(served: ServedPage) -> None:
    """A foreign name that resolves to this machine gets no page to talk from."""
    response = await served.browser(host="evil.example").http_client.get("/")
    assert response.status_code == 421
    assert "client_id" not in response.text


async def test_visitors_leave_nothing_behind(served: ServedPage, tmp_path: Path) -> None:
    """A closed page follows nothing any more, and no visit wrote a file where the daemon runs."""
    user = await served.visitor("Léa")
    await settle()
    assert served.hub._presences
    assert user.client is not None
    for client in list(Client.instances.values()):
        client.delete()
    await settle()
    assert not served.hub._presences
    assert files_in(tmp_path) == set()


def test_an_echo_is_absorbed_once_and_only_near_its_time() -> None:
    """The same words said again later are another message."""
    message = Message(
        id=MessageId(1),
        room=RoomId("r"),
        person=None,
        author_kind=AuthorKind.PERSON,
        author="Léa",
        text="ok",
        sent_at=NOON,
    )
    live = Shown(key="k", kind=AuthorKind.PERSON, author="Léa", text="ok ", sent_at=NOON + CLOSE)
    echoes = ShownOnce([shown_of(message)])
    assert [echoes.absorb(live), echoes.absorb(live)] == [True, False]
    later = Shown(
        key="k",
        kind=AuthorKind.PERSON,
        author="Léa",
        text="ok",
        sent_at=NOON + CLOSE + timedelta(milliseconds=1),
    )
    assert not ShownOnce([shown_of(message)]).absorb(later)


@pytest.mark.parametrize(
    ("seconds", "author", "joined"),
    [(300, "Léa", True), (301, "Léa", False), (-1, "Léa", False), (1, "Tom", False)],
)
def test_lines_of_one_author_join_while_they_are_near(
    seconds: int,
    author: str,
    joined: bool,  # noqa: FBT001 - a table
) -> None:
    """A name is said again after five minutes, or when another author spoke."""
    first = Shown(key="a", kind=AuthorKind.PERSON, author="Léa", text="a", sent_at=NOON)
    second = Shown(
        key="b",
        kind=AuthorKind.PERSON,
        author=author,
        text="b",
        sent_at=NOON + timedelta(seconds=seconds),
    )
    assert continues(second, first, timedelta(minutes=5)) is joined
