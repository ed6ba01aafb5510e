"""The page without a browser: what a visitor is asked, sees, says, and may not see."""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest

from bot.channels.local.hub import LOBBY, TEXT_LIMIT, direct_room
from bot.model.events import Attachment, AuthorRef, Deleted, Edited, Inbound
from bot.model.turns import Expression
from bot.surfaces.texts import web_texts
from bot.web.page.rooms import HISTORY
from bot.web.page.session import cookie_name
from memory.model.messages import AuthorKind, QuotedLine
from memory.model.parts import NoteKind
from tests.web.served_page import SECRET, ServedPage, attributes_of, serving_page, tags_of, words_of

ENGLISH, FRENCH = web_texts("en"), web_texts("fr")
HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'&amp;{{ 1 }}\u202eabc\U0001f9e0"
PIXEL = b"\x89PNG\r\n\x1a\n" + b"\0" * 40


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[ServedPage]:
    """The page of a pet."""
    async with serving_page(tmp_path) as page:
        yield page


def identities(served: ServedPage) -> list[AuthorRef]:
    """Who said what was received, in order."""
    return [event.author for event in served.received if isinstance(event, Inbound)]


def last_key(served: ServedPage) -> str:
    """The key of the message that was received last."""
    said = [event for event in served.received if isinstance(event, Inbound)]
    return said[-1].external_id


async def test_the_first_visit_asks_for_a_name_once(served: ServedPage) -> None:
    """A browser without a name reads the question, and never again after its answer."""
    visit = served.browser()
    page = await visit.page()
    assert "Hello, I am Eko" in page
    assert tags_of(page, "textarea") == []
    await visit.client.post("/name", data={"name": "Léa"})
    for _ in range(2):
        page = await visit.page()
        assert "Hello, I am Eko" not in page
        assert len(tags_of(page, "textarea")) == 2


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
    answer = await served.browser().client.post("/name", data={"name": asked})
    assert (answer.status_code, answer.headers["location"]) == (303, leads_to)


async def test_the_page_says_what_is_wrong_with_a_name(served: ServedPage) -> None:
    """In a sentence, where the next one is asked for."""
    visit = served.browser()
    for objection, sentence in (("taken", "That is my name!"), ("marked", "behind a #")):
        assert sentence in await visit.page(f"/?name={objection}")


async def test_changing_the_name_keeps_the_person(served: ServedPage) -> None:
    """The page can ask again; the account stays the same under the new name."""
    visit = await served.visitor("Lea")
    await visit.say("lobby", "one")
    (asked, *_) = tags_of(await visit.page("/?name=ask"), "input")
    assert asked["value"] == "Lea"
    await visit.client.post("/name", data={"name": "Léa"})
    await visit.say("lobby", "two")
    before, after = identities(served)
    assert before.external_id == after.external_id
    assert (before.name, after.name) == ("Lea", "Léa")


async def test_two_browsers_with_one_name_are_two_people(served: ServedPage) -> None:
    """Who somebody is comes from their browser and cannot be guessed from the name."""
    for visit in (await served.visitor("Léa"), await served.visitor("Léa")):
        await visit.say("lobby", "hello")
    first, second = identities(served)
    assert first.external_id != second.external_id
    assert len(first.external_id) >= 32
    assert first.platform == "web"
    page = await (await served.visitor("Tom")).page()
    assert first.external_id not in page


async def test_a_forged_cookie_is_a_stranger(served: ServedPage) -> None:
    """A cookie that this page did not sign opens nobody's room."""
    visit = await served.visitor("Léa")
    cookie = visit.client.cookies[cookie_name(SECRET)]
    payload, _, signature = cookie.partition(".")
    thief = served.browser()
    thief.client.cookies.set(cookie_name(SECRET), f"{payload}.{signature[::-1]}")
    assert "Hello, I am Eko" in await thief.page()
    assert (await thief.say("private", "let me in")).status_code == 401


@pytest.mark.parametrize("path", ["/rooms/lobby/lines", "/events", "/commands"])
async def test_a_browser_without_a_name_reads_nothing(served: ServedPage, path: str) -> None:
    """The question comes first, whatever is asked for."""
    answer = await served.browser().client.get(path, headers={"accept": "*/*"})
    assert answer.status_code == 401
    assert answer.json()["detail"] == "Tell me your name first."
    led = await served.browser().client.get("/me")
    assert (led.status_code, led.headers["location"]) == (303, "/")


async def test_the_lobby_is_shared_and_private_talks_are_not(served: ServedPage) -> None:
    """Words in the lobby show on both pages; private words on their author's only."""
    lea, tom = await served.visitor("Léa"), await served.visitor("Tom")
    await lea.say("lobby", "Eko, hello all")
    await lea.say("private", "my secret")
    page, other = await lea.page(), await tom.page()
    assert words_of(page, "lobby") == words_of(other, "lobby") == ["Eko, hello all"]
    assert words_of(page, "private") == ["my secret"]
    assert words_of(other, "private") == []
    shared, private = served.received
    assert isinstance(shared, Inbound)
    assert isinstance(private, Inbound)
    assert (shared.room, private.room) == (LOBBY, direct_room(private.author))
    assert shared.address == "web 127.0.0.1"


@pytest.mark.parametrize("slot", ["direct:web:other", "..", "Lobby", "private%2F", ""])
async def test_there_are_two_rooms_and_no_other(served: ServedPage, slot: str) -> None:
    """Nobody's room is named in an address."""
    visit = await served.visitor("Léa")
    answer = await visit.client.get(f"/rooms/{slot}/lines")
    assert answer.status_code in {404, 422}


async def test_what_was_said_is_there_with_its_faces(served: ServedPage) -> None:
    """The newest last, the pet's look on its line and on what it answered."""
    served.tell(LOBBY, "Eko, hello", reaction=Expression.LOVE)
    served.tell_by_pet("Coucou", Expression.LOVE)
    page = await (await served.visitor("Léa")).page()
    assert words_of(page, "lobby") == ["Eko, hello", "Coucou"]
    drawn = [one["href"] for one in tags_of(page.split("log")[-1], "use")]
    assert drawn.count("#look-love") == 2
    assert "Eko is full of love about this" in page


async def test_a_page_opens_with_so_much_and_no_more(served: ServedPage) -> None:
    """However long a room has been talked in."""
    for number in range(HISTORY + 20):
        served.tell(LOBBY, str(number))
    page = await (await served.visitor("Léa")).page()
    assert words_of(page, "lobby") == [str(number) for number in range(20, HISTORY + 20)]


async def test_hostile_words_are_words(served: ServedPage) -> None:
    """In names, messages and quotations; nothing of them is markup, or runs."""
    quoted = QuotedLine(key='"><script>', author=HOSTILE, text=HOSTILE)
    served.tell(LOBBY, HOSTILE, author=HOSTILE, quoted=quoted)
    visit = await served.visitor("<b>x</b>")
    page = await visit.page()
    assert words_of(page, "lobby") == [HOSTILE]
    assert {one.get("src") for one in tags_of(page, "script")} == {"/assets/page/page.js"}
    assert tags_of(page, "img") == tags_of(page, "b") == []
    assert not {one for one in attributes_of(page) if one.startswith("on") or one == "style"}


async def test_a_huge_message_is_shown_whole(served: ServedPage) -> None:
    """As text, where it is more than anybody would format."""
    huge = "*[<b>" * 20_000
    served.tell(LOBBY, huge)
    page = await (await served.visitor("Léa")).page()
    assert words_of(page, "lobby") == [huge]


@pytest.mark.parametrize(
    ("text", "status", "note"),
    [
        ("a" * (TEXT_LIMIT + 1), 413, ENGLISH.say("page.too_long", limit=TEXT_LIMIT)),
        ("hi", 500, ENGLISH.say("page.not_sent")),
        ("again and again", 429, ENGLISH.say("page.too_fast")),
    ],
)
async def test_words_that_were_not_taken_come_back(
    served: ServedPage, text: str, status: int, note: str
) -> None:
    """With the reason: to the script, and without it in the box of the page."""
    visit = await served.visitor("Léa")
    served.hurried = text.startswith("again")
    served.broken = not served.hurried
    refused = await visit.say("lobby", text)
    assert (refused.status_code, refused.json()["detail"]) == (status, note)
    page = await visit.client.post("/rooms/lobby/say", data={"words": text})
    assert page.status_code == status
    assert note in page.text
    assert f">{text}</textarea>" in page.text
    assert words_of(page.text, "lobby") == []


async def test_without_script_one_talks_by_reload(served: ServedPage) -> None:
    """A form, an answer that leads back to the room, and the words are there."""
    visit = await served.visitor("Léa")
    answer = await visit.client.post("/rooms/lobby/say", data={"words": "hello\r\nall"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/?room=lobby")
    page = await visit.page("/?room=lobby")
    assert words_of(page, "lobby") == ["hello\nall"]
    assert 'data-open="lobby"' in page


async def test_one_changes_and_takes_back_ones_own_words(served: ServedPage) -> None:
    """The pet is told of both, and the page shows what is left."""
    visit = await served.visitor("Léa")
    await visit.say("lobby", "I like **tea**")
    key = last_key(served)
    words = await visit.client.get(f"/rooms/lobby/messages/{key}", headers={"accept": "*/*"})
    assert words.text == "I like **tea**"
    assert (await visit.post(f"/rooms/lobby/messages/{key}", words="I like mate")).is_success
    page = await visit.page()
    assert words_of(page, "lobby") == ["I like mate"]
    assert "edited" in page
    edited = served.received[-1]
    assert isinstance(edited, Edited)
    assert (edited.platform, edited.external_id, edited.text) == ("web", key, "I like mate")
    assert (await visit.post(f"/rooms/lobby/messages/{key}", words=" ")).is_success
    assert served.received[-1] == Deleted(platform="web", external_id=key)
    assert words_of(await visit.page(), "lobby") == []
    assert (await visit.post(f"/rooms/lobby/messages/{key}", words="x")).status_code == 409


async def test_nobody_changes_the_words_of_others(served: ServedPage) -> None:
    """Not in the lobby by their key, not in another's room, not the pet's."""
    lea, tom = await served.visitor("Léa"), await served.visitor("Tom")
    await lea.say("lobby", "mine")
    shared = last_key(served)
    await lea.say("private", "secret")
    private = last_key(served)
    served.tell_by_pet("Coucou")
    pets = served.transcript.rooms["lobby"][-1].shown.key
    before = len(served.received)
    for slot, key in (("lobby", shared), ("private", private), ("lobby", private), ("lobby", pets)):
        answer = await tom.post(f"/rooms/{slot}/messages/{key}", words="his")
        assert (answer.status_code, answer.json()["detail"]) == (409, ENGLISH.say("page.gone"))
    assert (await tom.client.get(f"/rooms/private/messages/{private}")).status_code == 404
    assert len(served.received) == before


async def test_a_reply_quotes_what_it_is_to(served: ServedPage) -> None:
    """For the pet by its id, for readers by its beginning; a foreign id quotes nothing."""
    lea, tom = await served.visitor("Léa"), await served.visitor("Tom")
    await lea.say("lobby", "shall we meet?")
    key = last_key(served)
    await tom.say("lobby", "yes", reply_to=key)
    said = served.received[-1]
    assert isinstance(said, Inbound)
    assert said.reply_to == key
    assert f'href="#line-{key}"' in await lea.page()
    await lea.say("private", "secret")
    await tom.say("lobby", "what?", reply_to=last_key(served))
    said = served.received[-1]
    assert isinstance(said, Inbound)
    assert said.reply_to is None


async def test_a_picture_goes_along_where_the_model_sees(tmp_path: Path) -> None:
    """It is noted, and kept for the model; what is none is refused with a sentence."""
    async with serving_page(tmp_path, sees=True) as served:
        visit = await served.visitor("Léa")
        accept = {"accept": "application/json"}
        for name, content, status in (("cat.png", PIXEL, 204), ("x.png", b"<svg/>", 415)):
            answer = await visit.client.post(
                "/rooms/private/say",
                data={"words": "look"},
                files={"picture": (name, content, "image/png")},
                headers=accept,
            )
            assert answer.status_code == status
        (said,) = served.received
        assert isinstance(said, Inbound)
        (picture,) = said.attachments
        assert picture == Attachment(
            name="cat.png", media_type="image/png", size=len(PIXEL), url=picture.url
        )
        assert await served.uploads.fetch(picture.url, 1000) == PIXEL
        assert await served.uploads.fetch("https://e.org/x.png", 1000) is None


async def test_a_pet_that_cannot_see_is_sent_no_picture(served: ServedPage) -> None:
    """The page offers none, and takes none."""
    visit = await served.visitor("Léa")
    assert "picture" not in {one.get("name") for one in tags_of(await visit.page(), "input")}
    await visit.client.post(
        "/rooms/private/say", data={"words": "look"}, files={"picture": ("a.png", PIXEL)}
    )
    (said,) = served.received
    assert isinstance(said, Inbound)
    assert said.attachments == ()


async def test_a_voice_note_goes_along_where_one_is_listened_to(tmp_path: Path) -> None:
    """Kept until it is fetched; what no browser records is refused with a sentence."""
    webm = b"\x1aE\xdf\xa3" + b"opus"
    async with serving_page(tmp_path, hears_s=180) as served:
        visit = await served.visitor("Léa")
        page = await visit.client.get("/")
        assert "microphone=(self)" in page.headers["permissions-policy"]
        for content, status in ((webm, 204), (b"<svg/>", 415), (webm + bytes(900_000), 415)):
            answer = await visit.client.post(
                "/rooms/private/say",
                data={"words": ""},
                files={"voice": ("blob", content, "audio/webm")},
                headers={"accept": "application/json"},
            )
            assert answer.status_code == status
        (said,) = served.received
        assert isinstance(said, Inbound)
        (note,) = said.attachments
        assert (note.kind, note.media_type) == (NoteKind.VOICE, "audio/webm")
        assert await served.uploads.fetch(note.url, 1000) == webm
        assert await served.uploads.fetch(note.url, 1000) is None


async def test_a_pet_that_listens_to_nobody_is_sent_no_voice(served: ServedPage) -> None:
    """The page offers no button and no microphone, and takes nothing."""
    visit = await served.visitor("Léa")
    page = await visit.client.get("/")
    assert "microphone=()" in page.headers["permissions-policy"]
    assert "record" not in page.text.partition("<main")[2].partition("</main>")[0]
    files = {"voice": ("blob", b"OggS", "audio/ogg")}
    await visit.client.post("/rooms/private/say", data={"words": "listen"}, files=files)
    (said,) = served.received
    assert isinstance(said, Inbound)
    assert said.attachments == ()


async def test_the_page_speaks_the_language_of_the_browser(served: ServedPage) -> None:
    """French browsers read French, others what they ask for or the pet's language."""
    french = await served.visitor("Léa", language="fr-FR,fr;q=0.9,en;q=0.5")
    page = await french.page()
    assert "Parle à Eko" in page
    assert '<html lang="fr">' in page
    other = await served.visitor("Jan", language="nl")
    assert "Talk to Eko" in await other.page()


async def test_a_pet_without_a_model_says_so(tmp_path: Path) -> None:
    """On the badge and on the first card; one with a model does not."""
    for by_rules in (True, False):
        folder = tmp_path / str(by_rules)
        folder.mkdir()
        async with serving_page(folder, by_rules=by_rules) as served:
            page = await (await served.visitor("Léa")).page()
        assert (ENGLISH.say("page.by_rules") in page) is by_rules
        assert (ENGLISH.say("page.first_no_model") in page) is by_rules
        assert ENGLISH.say("page.first_what", pet="Eko") in page


async def test_the_page_can_be_installed(served: ServedPage) -> None:
    """Its manifest names icons that are there."""
    visit = served.browser()
    answer = await visit.client.get("/manifest.webmanifest")
    assert answer.headers["content-type"] == "application/manifest+json"
    manifest = answer.json()
    assert (manifest["name"], manifest["start_url"]) == ("Eko", "/")
    for icon in manifest["icons"]:
        found = await visit.client.get(icon["src"])
        assert (found.status_code, found.headers["content-type"]) == (200, icon["type"])


@pytest.mark.parametrize("path", ["/", "/recover", "/me", "/nothing", "/assets/page/page.css"])
async def test_every_answer_says_what_a_browser_may_do_with_it(
    served: ServedPage, path: str
) -> None:
    """No script or style but files of the page, no frame around it, nothing from elsewhere."""
    answer = await served.browser().client.get(path)
    policy = answer.headers["content-security-policy"]
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy
    assert answer.headers["x-frame-options"] == "DENY"


async def test_foreign_host_names_are_turned_away(served: ServedPage) -> None:
    """A foreign name that resolves to this machine gets no page to talk from."""
    response = await served.browser(host="evil.example").client.get("/")
    assert response.status_code == httpx2.codes.MISDIRECTED_REQUEST
    assert "<form" not in response.text


async def test_lines_of_one_author_join_while_they_are_near(served: ServedPage) -> None:
    """A name is said again when another author spoke, and above a quotation."""
    served.tell(LOBBY, "a")
    served.tell(LOBBY, "b")
    served.tell(LOBBY, "c", author="Tom")
    served.tell(LOBBY, "d", author="Tom", quoted=QuotedLine(key="k", author="Zoé", text="a"))
    served.tell(LOBBY, "e", author="Tom", kind=AuthorKind.SYSTEM)
    page = await (await served.visitor("Léa")).page()
    joined = ["joined" in str(one["class"]) for one in tags_of(page, "article")]
    assert joined == [False, True, False, False, False]
