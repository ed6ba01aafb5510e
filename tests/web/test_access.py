"""Getting in by a link, staying in by a session, and being shut out."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from memory.model.access import LINK_OPEN_FOR, SESSION_IDLE, SESSION_LONGEST
from tests.cast import LOBBY
from tests.web.access import GuardedSite, accounts_of, guarded_site

PAGE = "/dashboard/access"
FOUND, TO_LOGIN, UNKNOWN, FORBIDDEN = 200, 303, 401, 403


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[GuardedSite]:
    """A pet to which nobody is logged in."""
    async with guarded_site(tmp_path) as served:
        yield served


async def test_a_stranger_is_led_to_the_form(site: GuardedSite) -> None:
    """With the way back to the page they wanted; a program is told what it lacks."""
    browser = site.browser()
    answer = await browser.get(PAGE)
    assert answer.status_code == TO_LOGIN
    assert answer.headers["location"] == f"/login?next={PAGE}"
    form = await browser.get(answer.headers["location"])
    assert form.status_code == FOUND
    assert f'name="next" value="{PAGE}"' in form.text
    searching = await browser.get("/dashboard/access?done=ended&x=a b")
    assert searching.headers["location"] == f"/login?next={PAGE}%3Fdone%3Dended%26x%3Da%2520b"
    changing = await browser.post(f"{PAGE}/keys")
    assert changing.headers["location"] == "/login"
    program = await browser.get("/api/access/keys")
    assert program.status_code == UNKNOWN
    assert program.headers["www-authenticate"] == "Bearer"


async def test_a_link_logs_a_browser_in_once(site: GuardedSite) -> None:
    """It leads where one wanted to go; the second browser is told that it was used."""
    code, first, second = await site.code(), site.browser(), site.browser()
    answer = await first.post("/login", data={"code": f" {code} ", "next": f"{PAGE}?done=ended"})
    assert answer.status_code == TO_LOGIN
    assert answer.headers["location"] == f"{PAGE}?done=ended"
    assert (await first.get(PAGE)).status_code == FOUND
    late = await second.post("/login", data={"code": code})
    assert late.status_code == UNKNOWN
    assert "I do not know this link" in late.text
    assert accounts_of(second) == {}


async def test_a_link_grows_stale(site: GuardedSite) -> None:
    """After a quarter of an hour it logs nobody in."""
    code = await site.code()
    site.pet.clock.advance(LINK_OPEN_FOR)
    answer = await site.browser().post("/login", data={"code": code})
    assert answer.status_code == UNKNOWN


async def test_the_cookie_is_for_this_site_and_no_script(site: GuardedSite) -> None:
    """Over HTTPS for that alone, and for no neighbour of the host."""
    plain = await site.browser().post("/login", data={"code": await site.code()})
    kept = plain.headers["set-cookie"].lower()
    assert "httponly" in kept
    assert "samesite=strict" in kept
    assert "path=/" in kept
    assert "domain" not in kept
    secure = site.browser(base="https://localhost")
    told = await secure.post("/login", data={"code": await site.code()})
    assert told.headers["set-cookie"].startswith("__Host-")
    assert "secure" in told.headers["set-cookie"].lower()


async def test_a_session_that_was_planted_is_not_taken_over(site: GuardedSite) -> None:
    """Logging in gives a new token always, and ends the one that the browser had (fixation)."""
    attacker = await site.logged_in()
    ((name, planted),) = accounts_of(attacker).items()
    victim = site.browser()
    victim.cookies.set(name, planted)
    await site.logged_in(victim)
    assert planted not in {cookie.value for cookie in victim.cookies.jar if cookie.domain}
    assert (await attacker.get(PAGE)).status_code == TO_LOGIN
    assert [one["target"] for one in (await site.does("audit"))["entries"]][:2] == [
        "session 2",
        "session 1",
    ]
    made_up = site.browser()
    made_up.cookies.set(name, "chosen-by-an-attacker")
    assert (await made_up.get(PAGE)).status_code == TO_LOGIN


async def test_logging_out_ends_the_session_and_not_the_cookie_alone(site: GuardedSite) -> None:
    """A copy of the cookie is worth nothing either."""
    browser = await site.logged_in()
    ((name, token),) = accounts_of(browser).items()
    answer = await browser.post("/logout")
    assert (answer.status_code, answer.headers["location"]) == (TO_LOGIN, "/login")
    assert accounts_of(browser) == {}
    copy = site.browser()
    copy.cookies.set(name, token)
    assert (await copy.get(PAGE)).status_code == TO_LOGIN
    assert (await copy.post("/logout")).status_code == TO_LOGIN


async def test_a_session_that_is_not_used_ends(site: GuardedSite) -> None:
    """And one that is used lives on for as long again."""
    idle, busy = await site.logged_in(), await site.logged_in()
    for _ in range(2):
        site.pet.clock.advance(SESSION_IDLE - timedelta(hours=1))
        assert (await busy.get(PAGE)).status_code == FOUND
    assert (await idle.get(PAGE)).status_code == TO_LOGIN


async def test_a_session_ends_however_much_it_is_used(site: GuardedSite) -> None:
    """After three months one proves anew that one reaches the machine."""
    browser = await site.logged_in()
    for _ in range(int(SESSION_LONGEST / timedelta(days=10)) - 1):
        site.pet.clock.advance(timedelta(days=10))
        assert (await browser.get(PAGE)).status_code == FOUND
    site.pet.clock.advance(timedelta(days=10))
    assert (await browser.get(PAGE)).status_code == TO_LOGIN


async def test_other_browsers_can_be_logged_out(site: GuardedSite) -> None:
    """One by its number, or all but this one; the page says that it was done."""
    mine, lost = await site.logged_in(), await site.logged_in()
    left = [await site.logged_in() for _ in range(2)]
    answer = await mine.post(f"{PAGE}/sessions/2/end")
    assert answer.headers["location"] == f"{PAGE}?done=ended"
    assert "That browser is logged out." in (await mine.get(f"{PAGE}?done=ended")).text
    assert (await lost.get(PAGE)).status_code == TO_LOGIN
    await mine.post(f"{PAGE}/sessions/end-others")
    for browser in left:
        assert (await browser.get(PAGE)).status_code == TO_LOGIN
    assert (await mine.get(PAGE)).status_code == FOUND
    assert (await mine.post(f"{PAGE}/sessions/2/end")).status_code == 404


async def test_a_manager_has_their_communitys_part_and_no_more(site: GuardedSite) -> None:
    """Neither the owner's pages nor the API for access, nor the owner's entries of the menu."""
    await site.pet.hears("hello", where=LOBBY)
    browser = await site.logged_in(space="home")
    for path in (PAGE, "/api/access/sessions", "/api/access/keys"):
        assert (await browser.get(path)).status_code == FORBIDDEN, path
    answer = await browser.post(f"{PAGE}/links", data={"space": ""})
    assert answer.status_code == FORBIDDEN
    assert await site.does("keys") == {"keys": []}
    (session,) = (await site.does("sessions"))["sessions"]
    assert session["space"] == "home"


async def test_a_managers_link_is_made_on_the_page(site: GuardedSite) -> None:
    """It leads to this page as the browser reaches it, and is the community's alone."""
    owner = await site.logged_in()
    page = await owner.post(f"{PAGE}/links", data={"space": "home"})
    assert page.status_code == FOUND
    code = page.text.partition('value="http://localhost/login#')[2].partition('"')[0]
    browser = site.browser()
    answer = await browser.post("/login", data={"code": code})
    assert answer.headers["location"] == "/dashboard/memory"
    assert (await browser.get(PAGE)).status_code == FORBIDDEN
    wrong = await owner.post(f"{PAGE}/links", data={"space": "<script>nowhere"})
    assert wrong.status_code == 422
    assert "<script>nowhere" not in wrong.text


async def test_every_change_says_who_from_where_and_what(site: GuardedSite) -> None:
    """In the audit log, for the command line and for the page."""
    browser = await site.logged_in(site.browser(address="192.0.2.7", base="https://localhost"))
    await browser.post(f"{PAGE}/keys", data={"name": "backup", "rights": "read", "expires": "90d"})
    await browser.post(f"{PAGE}/keys/1/revoke")
    entries = (await site.does("audit"))["entries"]
    told = [(one["actor"], one["origin"], one["action"], one["target"]) for one in entries]
    origin = "session 1 from 192.0.2.7"
    assert told == [
        ("operator", origin, "key.revoked", "key 1"),
        ("operator", origin, "key.made", "key 1"),
        ("operator", origin, "session.begun", "session 1"),
        ("operator", None, "login_link.made", "owner"),
    ]
    assert entries[1]["after"].startswith("read until 2026-")
    assert entries[0]["before"].startswith("read")


async def test_a_manager_signs_as_one(site: GuardedSite) -> None:
    """And not as the operator, whose mandate they do not have."""
    browser = await site.logged_in(space="home")
    await browser.post("/logout")
    ended = (await site.does("audit"))["entries"][0]
    assert (ended["actor"], ended["action"]) == ("manager:home", "session.ended")


@pytest.mark.parametrize("language", ["en", "fr"])
async def test_the_page_shows_hostile_names_as_text(site: GuardedSite, language: str) -> None:
    """Of keys, and of browsers that call themselves by a script."""
    evil = "<script>alert(1)</script>\u202e\U0001f98a"
    browser = await site.logged_in()
    other = await site.logged_in(site.browser(agent="<img src=x onerror=alert(1)>"))
    await other.post(f"{PAGE}/keys", data={"name": evil, "rights": "read"})
    page = (await browser.get(PAGE, headers={"accept-language": language})).text
    assert "<script>alert" not in page
    assert "<img" not in page
    assert "&lt;script&gt;alert(1)" in page
