"""The pages of people: who there is, what is known of one, and what is done after it was shown."""

import json
from datetime import timedelta
from pathlib import Path

import httpx2

from bot.surfaces.access.principal import manager, owner
from memory.model.access import Right
from memory.model.people import Signature
from memory.model.rooms import SpaceId
from memory.storage.conversations.claims import Claims
from memory.upkeep.claim_pass import ClaimPass
from tests.cast import DAVID, LEA, LOBBY, author
from tests.linked import DAV, account_of
from tests.web.served_site import ServedSite, served_site

SEE_OTHER = httpx2.codes.SEE_OTHER


async def page_of(site: ServedSite, person: str, tail: str = "") -> str:
    """The page of a person."""
    return await site.html(f"/dashboard/people/{person}{tail}")


async def joined(site: ServedSite) -> str:
    """David and Dav as one person."""
    david, dav = await site.pet.person(DAVID), await site.pet.person(DAV)
    code = await site.pet.app.storage.linking.offer(david, account_of(DAVID))
    await site.pet.app.storage.linking.join(code, dav, account_of(DAV))
    return david


async def test_people_are_listed_with_accounts_and_counts(tmp_path: Path) -> None:
    """By name, page by page, and by a part of a name, also one of an account."""
    async with served_site(tmp_path) as site:
        await site.pet.hears("good evening", LEA)
        await joined(site)
        for number in range(30):
            await site.pet.person(author(f"Guest {number:02}"))
        first = await site.html("/dashboard/people")
        more = first.partition('class="older"')[2].partition('href="')[2].partition('"')[0]
        second = await site.html(more.replace("&amp;", "&"))
        dav = await site.html("/dashboard/people?q=DAV")
    assert "Guest 05" in first
    assert "Guest 29" not in first
    assert "Guest 29" in second
    assert "Léa" in second
    assert "Guest" not in dav
    assert "mail" in dav


async def test_a_sign_of_a_pattern_is_searched_as_it_is(tmp_path: Path) -> None:
    """A per cent sign fits no name without one."""
    async with served_site(tmp_path) as site:
        await site.pet.person(DAVID)
        assert "David" not in await site.html("/dashboard/people?q=%25")


async def test_a_name_that_is_script_stays_a_name(tmp_path: Path) -> None:
    """In the list and on the person's own page."""
    async with served_site(tmp_path) as site:
        people = site.pet.app.storage.people
        person = (await people.person("chat", "x", "<img src=x onerror=alert(1)>")).id
        pages = [await site.html("/dashboard/people"), await page_of(site, person)]
    assert not any("<img" in page for page in pages)
    assert all("&lt;img" in page for page in pages)


async def test_a_person_is_shown_with_what_is_known_of_them(tmp_path: Path) -> None:
    """Facts, statements, topics to leave alone; whether they are read along with."""
    async with served_site(tmp_path) as site:
        await site.pet.told("David lives in Lyon", where=LOBBY)
        await site.pet.told("Léa keeps bees", LEA, LOBBY)
        person = await site.pet.person()
        await site.pet.uses("quiet-about", topic="the divorce")
        await site.pet.app.storage.people.observe(person, observed=False)
        page = await page_of(site, person)
    assert "David lives in Lyon" in page
    assert "<dt>city</dt>" in page
    assert "the divorce" in page
    assert "bees" not in page
    assert "They asked not to be read along with." in page


async def test_what_a_person_says_of_themselves_stands_by_slot(tmp_path: Path) -> None:
    """In their own words, the latest first; no wish, and nothing of another person."""
    said = (
        ("i live in Lyon", DAVID),
        ("my cat is called Biscuit", DAVID),
        ("one day i will live in Tahiti if i win the lottery", DAVID),
        ("i moved to Nantes last week, i live there now", DAVID),
        ("i live in Oslo", LEA),
    )
    async with served_site(tmp_path) as site:
        for text, who in said:
            await site.pet.hears(text, who)
            site.pet.clock.advance(timedelta(days=1))
        while await ClaimPass(Claims(site.pet.app.storage.database)).read_batch():
            pass
        person = await site.pet.person()
        page = await page_of(site, person)
        found = (await site.client.get(f"/api/people/{person}")).json()
        await site.client.post(f"/dashboard/people/{person}/forget", data={"about": "false"})
        after = await page_of(site, person)
    slots = {one["slot"]: [told["words"] for told in one["claims"]] for one in found["told"]}
    assert slots["home"][-1] == "i live in Lyon"
    assert "Nantes" in slots["home"][0]
    assert "Biscuit" in str(slots["pet"])
    assert "i live in Lyon</q>" in page
    assert "Tahiti" not in page
    assert "Oslo" not in page
    assert "They told nothing of themselves yet." in after


async def test_statements_of_a_person_go_on_page_by_page(tmp_path: Path) -> None:
    """The latest first, none twice."""
    async with served_site(tmp_path) as site:
        for number in range(25):
            await site.pet.told(f"David owns the boat number {number:02}", where=LOBBY)
        person = await site.pet.person()
        first = await page_of(site, person)
        older = first.rpartition("?after=")[2].partition('"')[0]
        second = await page_of(site, person, f"?after={older}")
    shown = [[n for n in range(25) if f"number {n:02}" in page] for page in (first, second)]
    assert shown == [list(range(5, 25)), list(range(5))]


async def test_two_people_are_joined_after_it_was_shown_what_becomes_known(tmp_path: Path) -> None:
    """By a name of the other; of several it is asked which, of nobody it is said."""
    async with served_site(tmp_path) as site:
        await site.pet.told("my locker code is 4471", DAV)
        david, dav = await site.pet.person(DAVID), await site.pet.person(DAV)
        address = f"/dashboard/people/{david}/join"
        nobody = await site.html(f"{address}?other=%3Cb%3Enobody")
        shown = await site.html(f"{address}?other=dav")
        assert await site.pet.person(DAV) == dav
        await site.pet.app.storage.people.person("chat", "d2", "Dav")
        which = await site.html(f"{address}?other=Dav")
        answer = await site.client.post(address, data={"other": dav})
        assert await site.pet.person(DAV) == david
        page = await page_of(site, david, "?done=joined")
        again = await site.client.post(address, data={"other": dav})
    assert "&lt;b&gt;nobody" in nobody
    assert "memories: 1" in shown
    assert f'name="other" value="{dav}"' in shown
    assert which.count("?other=") == 2
    assert (answer.status_code, answer.headers["location"]) == (
        SEE_OTHER, f"/dashboard/people/{david}?done=joined",
    )  # fmt: skip
    assert "They are one person now." in page
    assert again.status_code == httpx2.codes.UNPROCESSABLE_CONTENT


async def test_an_account_is_split_off_after_it_was_shown(tmp_path: Path) -> None:
    """The preview moves nothing; an account of another person is none of this one's."""
    async with served_site(tmp_path) as site:
        person = await joined(site)
        address = f"/dashboard/people/{person}/split"
        preview = await site.html(f"{address}?account={account_of(DAV)}")
        before = await site.pet.app.storage.accounts.listed()
        other = await site.client.get(f"{address}?account=chat:nobody")
        done = await site.client.post(address, data={"account": account_of(DAV)})
        after = await site.pet.app.storage.accounts.listed()
    assert "Dav on mail becomes a person of its own" in preview
    assert len({one.person for one in before}) == 1
    assert other.status_code == httpx2.codes.NOT_FOUND
    assert (done.status_code, done.headers["location"]) == (
        SEE_OTHER, f"/dashboard/people/{person}?done=split",
    )  # fmt: skip
    assert len({one.person for one in after}) == 2


async def test_a_code_is_shown_once_and_joins(tmp_path: Path) -> None:
    """It stands in no address, and the account that enters it is this person's."""
    async with served_site(tmp_path) as site:
        david, dav = await site.pet.person(DAVID), await site.pet.person(DAV)
        answer = await site.client.post(f"/dashboard/people/{david}/link")
        code = answer.text.partition("<strong>")[2].partition("</strong>")[0]
        done = await site.pet.app.storage.linking.join(code, dav, account_of(DAV))
    assert answer.headers["cache-control"] == "no-store"
    assert done.person == david


async def test_an_export_holds_what_is_that_person_s(tmp_path: Path) -> None:
    """As lines of JSON, to be kept as a file; nothing private to another one."""
    async with served_site(tmp_path) as site:
        await site.pet.told("David fears the canary-blue owl")
        await site.pet.told("Léa hides the canary-red fox", LEA)
        person = await site.pet.person()
        answer = await site.client.get(f"/dashboard/people/{person}/export")
    entries = [json.loads(line)["entry"] for line in answer.text.splitlines()]
    assert "attachment" in answer.headers["content-disposition"]
    assert (entries[0], entries[-1]) == ("eko-export", "end")
    assert "canary-blue" in answer.text
    assert "canary-red" not in answer.text


async def test_a_person_is_forgotten_after_a_preview_and_comes_back(tmp_path: Path) -> None:
    """What was forgotten is shown nowhere; the way back stands beside the note."""
    async with served_site(tmp_path) as site:
        await site.pet.hears("my canary is blue")
        await site.pet.told("David keeps a canary", where=LOBBY)
        person = await site.pet.person()
        address = f"/dashboard/people/{person}"
        preview = await site.html(f"{address}/forget?about=true")
        kept = await page_of(site, person)
        done = await site.client.post(f"{address}/forget", data={"about": "true"})
        gone = await site.html(done.headers["location"])
        receipt = done.headers["location"].rpartition("=")[2]
        await site.client.post(f"{address}/undo", data={"receipt": receipt})
        back = await page_of(site, person)
    assert "1 memory" in preview
    assert "David keeps a canary" in kept
    assert "canary" not in gone
    assert "It is forgotten." in gone
    assert "David keeps a canary" in back


async def test_changes_say_who_made_them(tmp_path: Path) -> None:
    """The audit log names the session, not the command line."""
    async with served_site(tmp_path) as site:
        person = await joined(site)
        await site.client.post(
            f"/dashboard/people/{person}/split", data={"account": account_of(DAV)}
        )
        (entry, *_) = await site.pet.app.storage.audit.latest(1)
    assert (entry.actor, entry.origin) == (Signature("operator"), "session test")


async def test_changes_take_rights_of_their_own(tmp_path: Path) -> None:
    """A key that may write reads the page and exports, splits and forgets nothing."""
    async with served_site(tmp_path) as site:
        person = await joined(site)
        site.given.principal = owner("key", frozenset({Right.READ, Right.WRITE}))
        address = f"/dashboard/people/{person}"
        answers = [
            await site.client.get(f"{address}/export"),
            await site.client.get(f"{address}/forget"),
            await site.client.post(f"{address}/forget"),
            await site.client.post(f"{address}/link"),
            await site.client.post(f"{address}/split", data={"account": account_of(DAV)}),
        ]
        read = await site.client.get(address)
        site.given.principal = manager("session manager", SpaceId("home"))
        shared = await site.client.get(address)
    assert {one.status_code for one in answers} == {httpx2.codes.FORBIDDEN}
    assert read.status_code == httpx2.codes.OK
    assert shared.status_code == httpx2.codes.FORBIDDEN


async def test_an_unknown_person_is_not_found(tmp_path: Path) -> None:
    """Nor what could be done about them."""
    async with served_site(tmp_path) as site:
        answers = [
            await site.client.get("/dashboard/people/nobody"),
            await site.client.post("/dashboard/people/nobody/forget"),
            await site.client.get("/dashboard/people?after=nonsense!"),
        ]
    assert [one.status_code for one in answers] == [404, 404, 400]
