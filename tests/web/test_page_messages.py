"""What visitors do with messages, by script and by the page of one message without it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.channels.local.hub import LOBBY
from bot.model.events import Edited
from tests.web.served_page import ServedPage, serving_page, tags_of, words_of

PIXEL = b"\x89PNG\r\n\x1a\n" + b"\0" * 40
HERE = "/rooms/lobby/messages"
OK, SEE_OTHER, NOT_FOUND, CONFLICT, UNFIT, TOO_MANY = 200, 303, 404, 409, 422, 429


@pytest.fixture
async def page(tmp_path: Path) -> AsyncIterator[ServedPage]:
    """A page without anything said on it."""
    async with serving_page(tmp_path) as served:
        yield served


def chips(html: str) -> list[tuple[str | None, str | None, str | None]]:
    """The reactions of a page: which, whether one's own, who."""
    return [
        (one["value"], one["aria-pressed"], one["title"])
        for one in tags_of(html, "button")
        if "aria-pressed" in one and "value" in one
    ]


async def test_a_reaction_is_told_to_both_and_marked_for_its_author(page: ServedPage) -> None:
    """With names; the same again takes it away."""
    page.tell(LOBBY, "hello")
    lea, tom = await page.visitor("Léa"), await page.visitor("Tom")
    async with lea.events() as to_lea, tom.events() as to_tom:
        await to_lea.begun()
        await to_tom.begun()
        assert (await tom.post(f"{HERE}/said-0/reactions", emoji="👍")).is_success
        mine, theirs = [(await one.next("reacted"))[1] for one in (to_tom, to_lea)]
        assert (mine["room"], mine["key"]) == ("lobby", "said-0")
        assert chips(mine["html"]) == [("👍", "true", "Tom")]
        assert chips(theirs["html"]) == [("👍", "false", "Tom")]
        await lea.post(f"{HERE}/said-0/reactions", emoji="👍")
    assert chips(await tom.page()) == [("👍", "true", "Tom, Léa")]
    await tom.post(f"{HERE}/said-0/reactions", emoji="👍")
    assert chips(await tom.page()) == [("👍", "false", "Léa")]


async def test_only_what_is_offered_is_put_and_not_too_fast(page: ServedPage) -> None:
    """To a message that is there."""
    page.tell(LOBBY, "hello")
    lea = await page.visitor("Léa")
    for emoji in ("💩", "<script>", ""):
        assert (await lea.post(f"{HERE}/said-0/reactions", emoji=emoji)).status_code == UNFIT
    assert (await lea.post(f"{HERE}/none/reactions", emoji="👍")).status_code == CONFLICT
    page.commands.busy = True
    assert (await lea.post(f"{HERE}/said-0/reactions", emoji="👍")).status_code == TOO_MANY
    assert chips(await lea.page()) == []


async def test_names_in_reactions_are_text(page: ServedPage) -> None:
    """Whatever signs they have."""
    page.tell(LOBBY, "hello")
    lea = await page.visitor('"><b>x</b>')
    await lea.post(f"{HERE}/said-0/reactions", emoji="🎉")
    ((emoji, _, names),) = chips(await lea.page())
    assert (emoji, names) == ("🎉", '"><b>x</b>')


async def test_each_line_leads_to_what_can_be_done_with_it(page: ServedPage) -> None:
    """A page with forms: one's own can be changed there, others' not."""
    page.tell(LOBBY, "theirs")
    lea = await page.visitor("Léa")
    await lea.say("lobby", "mine & yours")
    links = [one["href"] for one in tags_of(await lea.page(), "a") if one.get("class") == "more"]
    theirs, mine = [await lea.page(str(link)) for link in links]
    assert "mine &amp; yours</textarea>" in mine
    assert [one["action"] for one in tags_of(mine, "form")].count(links[1]) == len(["edit", "take"])
    assert links[0] not in [one["action"] for one in tags_of(theirs, "form")]
    assert (await lea.client.get(f"{HERE}/none")).status_code == NOT_FOUND


async def test_without_script_one_reacts_replies_changes_and_takes_back(page: ServedPage) -> None:
    """Each form leads back to the room."""
    lea = await page.visitor("Léa")
    await lea.say("lobby", "first")
    link = next(
        str(one["href"]) for one in tags_of(await lea.page(), "a") if one.get("class") == "more"
    )
    answer = await lea.client.post(f"{link}/reactions", data={"emoji": "😂"})
    key = link.rpartition("/")[2]
    assert (answer.status_code, answer.headers["location"]) == (
        SEE_OTHER,
        f"/?room=lobby#line-{key}",
    )
    assert chips(await lea.page()) == [("😂", "true", "Léa")]
    await lea.client.post("/rooms/lobby/say", data={"words": "second", "reply_to": key})
    await lea.client.post(link, data={"words": "changed"})
    assert words_of(await lea.page(), "lobby") == ["changed", "second"]
    await lea.client.post(link, data={"words": ""})
    assert words_of(await lea.page(), "lobby") == ["second"]


async def test_what_came_with_a_message_is_read_in_the_language_of_the_browser(
    page: ServedPage,
) -> None:
    """It is a note of the pet's, and nobody's words."""
    page.tell(LOBBY, "écoute\n⟦voice⟧\n⟦forwarded: Nadia⟧\n> The race is on 12 May.")
    french = await (await page.visitor("Léa", language="fr")).page()
    assert "⟦message vocal⟧" in french
    assert "⟦transféré de Nadia⟧" in french
    assert "⟦voice note⟧" in await (await page.visitor("Kit")).page()


async def test_changing_the_words_of_a_message_leaves_what_came_with_it(tmp_path: Path) -> None:
    """The form offers what was typed alone: a note that was in it would become words."""
    async with serving_page(tmp_path, sees=True) as page:
        lea = await page.visitor("Léa")
        picture = {"picture": ("cat.png", PIXEL, "image/png")}
        await lea.client.post("/rooms/lobby/say", data={"words": "my cat"}, files=picture)
        link = next(
            str(one["href"]) for one in tags_of(await lea.page(), "a") if one.get("class") == "more"
        )
        assert ">\nmy cat</textarea>" in await lea.page(link)
        await lea.client.post(link, data={"words": "my dog"})
        changed = page.received[-1]
        assert isinstance(changed, Edited)
        assert (changed.text, [one.text for one in changed.parts]) == ("my dog", ["cat.png"])


async def test_words_that_are_refused_stay_in_the_form(page: ServedPage) -> None:
    """With the reason."""
    lea = await page.visitor("Léa")
    await lea.say("lobby", "first")
    link = next(
        str(one["href"]) for one in tags_of(await lea.page(), "a") if one.get("class") == "more"
    )
    page.broken = True
    answer = await lea.client.post(link, data={"words": "my long letter"})
    assert answer.is_server_error
    assert "my long letter</textarea>" in answer.text
    assert 'role="alert"' in answer.text


async def test_what_is_not_there_is_a_page_for_people_and_a_problem_for_programs(
    page: ServedPage,
) -> None:
    """As the request says that it reads."""
    browser = page.browser("fr")
    answer = await browser.client.get("/nonexistent")
    assert answer.status_code == NOT_FOUND
    assert answer.headers["content-type"].startswith("text/html")
    assert "Il n’y a rien à cette adresse" in answer.text
    told = await browser.client.get("/nonexistent", headers={"accept": "*/*"})
    assert told.headers["content-type"] == "application/problem+json"
    api = await browser.client.get("/api/nonexistent")
    assert api.headers["content-type"] == "application/problem+json"
