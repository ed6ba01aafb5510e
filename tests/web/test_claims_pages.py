"""Claims where they are shown: one's own data, the brain, home, and the line each stands in."""

from pathlib import Path

import httpx2
import pytest

from bot.channels.local.hub import direct_room
from bot.model.events import AuthorRef, RoomRef
from bot.surfaces.access.caller import OperationCaller
from bot.surfaces.access.principal import manager
from bot.topics.people.lines import line
from bot.topics.people.people import person
from bot.topics.people.told import told_lately, told_of
from memory.model.messages import MessageId
from memory.model.rooms import SpaceId
from memory.storage.conversations.claims import Claims
from memory.upkeep.claim_pass import ClaimPass
from tests.cast import DAVID, LEA, LOBBY, group
from tests.flow.owning import Owner, typed
from tests.linked import account_of
from tests.web.access import GuardedSite, guarded_site
from tests.web.served_page import tags_of
from tests.web.served_site import OWNER, ServedSite, served_site

MANAGER = manager("session manager", SpaceId("home")).caller
"""A reader of one community, who is no owner."""


ZOE = AuthorRef(platform="web", external_id="zoe", name="Zoé")


async def read_claims(pet: Owner) -> None:
    """Read what people claim in everything that was said."""
    while await ClaimPass(Claims(pet.app.storage.database)).read_batch():
        pass


async def come_in(site: GuardedSite, name: str, *, language: str = "en") -> httpx2.AsyncClient:
    """A browser whose person has said their name."""
    browser = site.browser()
    browser.headers["accept-language"] = language
    browser.headers["accept"] = "text/html"
    await browser.post("/name", data={"name": name})
    return browser


async def own_data(site: GuardedSite, browser: httpx2.AsyncClient) -> str:
    """The page of one's own data once everything was read."""
    await read_claims(site.pet)
    answer = await browser.get("/me")
    assert answer.status_code == httpx2.codes.OK, answer.text
    return answer.text


async def say(browser: httpx2.AsyncClient, room: str, words: str) -> None:
    """Say something on the page."""
    answer = await browser.post(f"/rooms/{room}/say", data={"words": words})
    assert answer.status_code < httpx2.codes.BAD_REQUEST, answer.text


async def seat_of(site: GuardedSite, name: str) -> tuple[AuthorRef, RoomRef]:
    """The account of a visitor and the room where they are alone with the pet."""
    accounts = await site.pet.app.storage.accounts.listed()
    account = next(one.account for one in accounts if one.name == name)
    platform, _, external_id = account.partition(":")
    author = AuthorRef(platform=platform, external_id=external_id, name=name)
    return author, direct_room(author)


def lines_of(page: str) -> list[str]:
    """Where the claims of a page are put right."""
    found = [one["href"] or "" for one in tags_of(page, "a")]
    return [one for one in found if "/messages/" in one or "/people/lines/" in one]


async def id_of(pet: Owner, number: int) -> MessageId:
    """The id of the message that the pet heard as this one."""
    found = await pet.app.storage.messages.by_external_id("chat", f"m{number}")
    assert found is not None
    return found.id


@pytest.mark.parametrize(
    ("language", "slot", "over"), [("en", "home", "no longer"), ("fr", "logement", "terminé")]
)
async def test_a_visitor_reads_what_they_told_of_themselves(
    tmp_path: Path, language: str, slot: str, over: str
) -> None:
    """By slot in their own words, with what ended; nothing that another visitor told."""
    async with guarded_site(tmp_path) as site:
        zoe, max_ = await come_in(site, "Zoé", language=language), await come_in(site, "Max")
        await say(zoe, "lobby", "i live in Lyon")
        await say(zoe, "lobby", "i no longer work at the bakery")
        await say(max_, "lobby", "i am vegetarian")
        await typed(site.pet.app, "my cat is called Biscuit", *await seat_of(site, "Max"))
        await typed(site.pet.app, "my dog is called Rex", *await seat_of(site, "Zoé"))
        page = await own_data(site, zoe)
    assert f"<dt>{slot}</dt>" in page
    assert "<q>i live in Lyon</q>" in page
    assert f'<span class="tag">{over}</span>' in page
    assert "<q>my dog is called Rex</q>" in page
    assert any(one.startswith("/rooms/private/messages/") for one in lines_of(page))
    assert "Biscuit" not in page
    assert "vegetarian" not in page


async def test_a_visitor_changes_what_they_told_where_it_stands(tmp_path: Path) -> None:
    """By the page of their message; what is taken back is told no more."""
    async with guarded_site(tmp_path) as site:
        zoe = await come_in(site, "Zoé")
        await say(zoe, "lobby", "i live in Lyon")
        (address,) = lines_of(await own_data(site, zoe))
        form = (await zoe.get(address)).text
        await zoe.post(address, data={"words": "i live in Nantes"})
        changed = await own_data(site, zoe)
        await zoe.post(address, data={"words": ""})
        gone = await own_data(site, zoe)
    assert address.startswith("/rooms/lobby/messages/")
    assert "i live in Lyon</textarea>" in form
    assert "<q>i live in Nantes</q>" in changed
    assert "Lyon" not in changed
    assert "I have sorted nothing of what you wrote here yet." in gone


async def test_what_was_told_elsewhere_is_forgotten_by_its_words(tmp_path: Path) -> None:
    """The page cannot change a message of another platform; the command shows what would go."""
    async with guarded_site(tmp_path) as site:
        zoe = await come_in(site, "Zoé")
        await say(zoe, "lobby", "hello there")
        await site.pet.hears("my cat is called Biscuit", DAVID)
        await site.pet.hears("i am vegetarian", DAVID, group("far", space=SpaceId("far")))
        david, linking = await site.pet.person(), site.pet.app.storage.linking
        visitor, _ = await seat_of(site, "Zoé")
        code = await linking.offer(david, account_of(DAVID))
        await linking.join(code, await site.pet.person(visitor), account_of(visitor))
        page = await own_data(site, zoe)
        fields = {"command": "forget", "given_topic": "my cat is called Biscuit"}
        asked = await zoe.post("/me", data=fields)
    given = [(one["name"], one["value"]) for one in tags_of(page, "input")]
    assert set(fields.items()) <= set(given)
    assert lines_of(page) == []
    assert "vegetarian" not in page
    assert ("given_confirm", "yes") in [
        (one["name"], one["value"]) for one in tags_of(asked.text, "input")
    ]


async def test_the_brain_tells_who_speaks_of_what(tmp_path: Path) -> None:
    """Slots that more people share come first, each with its people and their words."""
    async with served_site(tmp_path) as site:
        await site.pet.hears("my cat is called <b>Biscuit</b>", DAVID)
        await site.pet.hears("i live in Lyon", DAVID)
        await site.pet.hears("i no longer live in Nantes", LEA)
        await read_claims(site.pet)
        page = await site.html("/dashboard/brain")
        french = await site.html("/dashboard/brain", "fr")
    (home, *_) = page.split("<details>")[1:]
    assert "<summary>home" in home
    assert "<bdi>David</bdi>" in home
    assert "<bdi>Léa</bdi>" in home
    assert "<q>i live in Lyon</q>" in home
    assert '<span class="tag">no longer</span>' in home
    assert "&lt;b&gt;Biscuit" in page
    assert "<summary>logement" in french
    assert "Ce que les gens disent d&#39;eux-mêmes" in french


async def test_home_shows_what_was_told_last(tmp_path: Path) -> None:
    """With its author and the way to its line; words of two slots once."""
    async with served_site(tmp_path) as site:
        await site.pet.hears("i love climbing", LEA)
        await read_claims(site.pet)
        page = await site.html("/dashboard")
    assert page.count("<q>i love climbing</q>") == 1
    assert lines_of(page) == [f"/dashboard/people/lines/{1}"]


async def learnt(site: ServedSite) -> MessageId:
    """Something that David said in the lobby, and a statement learnt from it."""
    await site.pet.hears("i live in Lyon")
    id_ = await id_of(site.pet, site.pet.used)
    await site.pet.told("David lives in Lyon", where=LOBBY, messages=(id_,))
    await read_claims(site.pet)
    return id_


@pytest.mark.parametrize(
    ("language", "title"), [("en", "What was said"), ("fr", "Ce qui a été dit")]
)
async def test_a_claim_leads_to_its_line_and_what_was_learnt_of_it(
    tmp_path: Path, language: str, title: str
) -> None:
    """There the statement is corrected, and the line forgotten after a preview."""
    async with served_site(tmp_path) as site:
        id_ = await learnt(site)
        who = await site.pet.person()
        told = await site.html(f"/dashboard/people/{who}")
        page = await site.html(f"/dashboard/people/lines/{id_}", language)
        preview = await site.client.post(
            "/dashboard/memory/forgettings/preview", data={"ids": str(id_)}
        )
    assert lines_of(told) == [f"/dashboard/people/lines/{id_}"]
    assert f"<h1>{title}</h1>" in page
    assert "David lives in Lyon" in page
    assert 'href="/dashboard/memory/' in page
    assert ("ids", str(id_)) in [
        (one.get("name"), one.get("value")) for one in tags_of(page, "input")
    ]
    assert "i live in Lyon" in preview.text


async def test_a_claim_that_was_put_right_is_told_no_more(tmp_path: Path) -> None:
    """Once the statement learnt from its line was corrected from that page."""
    async with served_site(tmp_path) as site:
        id_, who = await learnt(site), await site.pet.person()
        page = await site.html(f"/dashboard/people/lines/{id_}")
        address = page.partition('href="/dashboard/memory/')[2].partition('"')[0]
        await site.client.post(
            f"/dashboard/memory/{address}", data={"content": "David lives in Brest"}
        )
        after = await site.html(f"/dashboard/people/{who}")
        line_after = await site.html(f"/dashboard/people/lines/{id_}")
    assert "i live in Lyon" not in after
    assert "David lives in Lyon" not in line_after


async def test_claims_go_with_their_line(tmp_path: Path) -> None:
    """From every page, and from the API; the line itself is not found any more."""
    async with served_site(tmp_path) as site:
        id_, who = await learnt(site), await site.pet.person()
        await site.client.post("/api/forgettings", json={"ids": [str(id_)]})
        pages = [
            await site.html(path)
            for path in ("/dashboard", "/dashboard/brain", f"/dashboard/people/{who}")
        ]
        found = (await site.client.get(f"/api/people/{who}")).json()
        gone = await site.client.get(f"/dashboard/people/lines/{id_}")
    assert not any("<q>" in page for page in pages)
    assert found["told"] == []
    assert gone.status_code == httpx2.codes.NOT_FOUND


async def told_to(site: ServedSite, reader: OperationCaller) -> tuple[str, str]:
    """What a reader is told of Zoé, on her page and among those who spoke last."""
    found = await person(site.pet.app, reader, await site.pet.person(ZOE), 10)
    assert found is not None
    return str(found.told), str(await told_lately(site.pet.app, reader))


async def test_no_claim_reaches_whom_its_line_may_not(tmp_path: Path) -> None:
    """What was said in private or in another community is neither told nor shown as a line."""
    async with served_site(tmp_path) as site:
        await typed(site.pet.app, "my cat is called Biscuit", ZOE, direct_room(ZOE))
        await site.pet.hears("i am vegetarian", ZOE, group("far", space=SpaceId("far")))
        await site.pet.hears("i live in Lyon", ZOE, LOBBY)
        await read_claims(site.pet)
        everything, _ = await told_to(site, OWNER.caller)
        own, lately = await told_to(site, MANAGER)
        lines = [
            claim.message
            for told in await told_of(
                site.pet.app.storage.directory, await site.pet.person(ZOE), OWNER.caller.scope
            )
            for claim in told.claims
        ]
        shown = [await line(site.pet.app, MANAGER, one) for one in lines]
    assert [one.message.text for one in shown if one] == ["i live in Lyon"]
    assert len(shown) == 3
    for told in (own, lately):
        assert "Lyon" in told
        assert "Biscuit" not in told
        assert "vegetarian" not in told
    assert "Biscuit" in everything


async def test_a_line_is_a_page_of_the_owner(tmp_path: Path) -> None:
    """As people are: managers of a community have no way to it, nor has the API."""
    async with served_site(tmp_path) as site:
        id_ = await learnt(site)
        told = (await site.client.get(f"/api/people/{await site.pet.person()}")).json()["told"]
        site.given.principal = manager("session manager", SpaceId("home"))
        answer = await site.client.get(f"/dashboard/people/lines/{id_}")
        site.given.principal = None
        stranger = await site.client.get(f"/dashboard/people/lines/{id_}")
    assert answer.status_code == httpx2.codes.FORBIDDEN
    assert stranger.status_code != httpx2.codes.OK
    assert set(told[0]["claims"][0]) == {"slot", "status", "words", "said_at", "message"}
