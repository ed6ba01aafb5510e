"""Who a visitor is: nobody but the page itself makes, changes or brings back an account."""

import re
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest
from starlette.types import Message, Receive, Scope, Send

from bot.surfaces.access.origins import OriginGuard, OwnAddresses
from bot.web.page.session import COOKIE_AGE, cookie_name
from tests.web.served_page import SECRET, ServedPage, serving_page

OWN = "http://localhost"
FORM = {"origin": OWN, "sec-fetch-site": "same-origin", "sec-fetch-mode": "navigate"}
"""What a browser sends with a form of the page."""

FOREIGN = (
    {"origin": "http://evil.example"},
    {"origin": "http://localhost:8485"},  # a page of another program on this machine
    {"origin": "http://localhost.evil.example"},
    {"origin": "null"},  # a sandboxed frame
    {"origin": "null", "sec-fetch-site": "cross-site"},
    {"origin": "http://[::1"},
    {"origin": "file://localhost"},
    {"origin": OWN, "sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"},
    {"sec-fetch-site": "same-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"},
)


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[ServedPage]:
    """The page of a pet."""
    async with serving_page(tmp_path) as page:
        yield page


async def named(served: ServedPage, name: str = "L\u00e9a") -> httpx2.AsyncClient:
    """A browser that has said its name."""
    client = served.browser().client
    answer = await client.post("/name", data={"name": name}, headers=FORM)
    assert answer.headers["location"] == "/"
    return client


async def shown_link(client: httpx2.AsyncClient) -> str | None:
    """The recovery link that the next page shows."""
    page = (await client.get("/")).text
    found = re.search(r"http://localhost/recover#([A-Z0-9-]+)", page)
    return None if found is None else found.group(1)


def cookie(client: httpx2.AsyncClient) -> str | None:
    """The cookie that says who a browser is."""
    return client.cookies.get(cookie_name(SECRET))


async def test_a_visit_alone_makes_nobody(served: ServedPage) -> None:
    """Looking at any page gives a browser no account, and so no cookie."""
    client = served.browser().client
    for path in ("/", "/?name=ask", "/recover", "/name", "/nothing"):
        assert "set-cookie" not in (await client.get(path)).headers


async def test_the_cookie_is_for_this_page_and_its_requests_alone(served: ServedPage) -> None:
    """No script reads it, no other page sends it with a form, and it lives long."""
    client = served.browser().client
    answer = await client.post("/name", data={"name": "L\u00e9a"}, headers=FORM)
    said = answer.headers["set-cookie"].lower()
    assert said.startswith(f"{cookie_name(SECRET)}=")
    for flag in ("httponly", "samesite=lax", "path=/", f"max-age={COOKIE_AGE}"):
        assert flag in said
    assert "secure" not in said


def test_each_data_folder_has_a_cookie_of_its_own() -> None:
    """Cookies go to every port of a host: of two pets there one would overwrite the other's."""
    assert cookie_name("a" * 32) != cookie_name("b" * 32)
    assert "a" * 8 not in cookie_name("a" * 32)


@pytest.mark.parametrize("headers", FOREIGN, ids=repr)
@pytest.mark.parametrize("path", ["/name", "/recovery", "/recover", "/me", "/rooms/lobby/say"])
async def test_no_other_page_can_send_the_forms(
    served: ServedPage, path: str, headers: dict[str, str]
) -> None:
    """A form elsewhere changes nobody, and is told so."""
    client = await named(served)
    before = cookie(client)
    answer = await client.post(path, data={"name": "Mallory", "code": "A"}, headers=headers)
    assert (answer.status_code, answer.headers.get("set-cookie")) == (403, None)
    assert cookie(client) == before


@pytest.mark.parametrize(
    "headers",
    [
        {},  # a program, which has nobody's cookie
        {"origin": OWN},
        {"origin": "http://LOCALHOST:80"},
        {"origin": "null", "sec-fetch-site": "same-origin"},  # a browser that hides addresses
        FORM,
    ],
    ids=repr,
)
async def test_the_page_can_send_them(served: ServedPage, headers: dict[str, str]) -> None:
    """However its browser writes where they come from."""
    client = served.browser().client
    answer = await client.post("/name", data={"name": "L\u00e9a"}, headers=headers)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")


@pytest.mark.parametrize(
    ("dest", "mode", "status"),
    [
        ("document", "navigate", 200),
        ("iframe", "navigate", 403),
        ("image", "no-cors", 403),
        ("empty", "cors", 403),
    ],
)
async def test_other_pages_may_link_here_and_no_more(
    served: ServedPage, dest: str, mode: str, status: int
) -> None:
    """A link is followed; nothing is embedded or read."""
    headers = {"sec-fetch-site": "cross-site", "sec-fetch-mode": mode, "sec-fetch-dest": dest}
    answer = await served.browser().client.get("/", headers=headers)
    assert answer.status_code == status


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "[::1", "localhost.", ""])
@pytest.mark.parametrize("path", ["/", "/recover", "/name", "/assets/page/page.js", "/healthz"])
async def test_foreign_hosts_get_nothing_at_all(served: ServedPage, path: str, host: str) -> None:
    """Whichever path is asked for, not the page only."""
    answer = await served.browser().client.get(path, headers={"host": host})
    assert answer.status_code == 421


@pytest.mark.parametrize(
    ("headers", "opens"),
    [
        ({"host": "localhost", "origin": OWN}, True),
        ({"host": "localhost", "origin": "http://evil.example"}, False),
        ({"host": "localhost", "origin": "http://localhost:8485"}, False),
        ({"host": "localhost", "sec-fetch-site": "cross-site", "origin": OWN}, False),
        ({"host": "evil.example", "origin": "http://evil.example"}, False),
    ],
    ids=repr,
)
async def test_no_other_page_opens_a_socket(headers: dict[str, str], *, opens: bool) -> None:
    """A socket brings the visitor's cookie along, wherever the script that opens it is from."""
    passed: list[Scope] = []
    sent: list[Message] = []

    async def page(scope: Scope, _: Receive, __: Send) -> None:
        passed.append(scope)

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    async def send(message: Message) -> None:
        sent.append(message)

    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "websocket", "path": "/socket", "headers": raw}
    await OriginGuard(page, OwnAddresses(), "en")(scope, receive, send)
    assert bool(passed) is opens
    assert sent == ([] if opens else [{"type": "websocket.close", "code": 1008}])


async def test_a_proxy_with_another_name_can_be_named(tmp_path: Path) -> None:
    """What browsers see and what the page is asked for then differ, for that origin alone."""
    own = OwnAddresses(origins=frozenset({"https://eko.example"}))
    async with serving_page(tmp_path, own=own) as served:
        client = served.browser().client
        for origin, status in (("https://eko.example", 303), ("http://eko.example", 403)):
            headers = {"origin": origin, "sec-fetch-site": "same-origin"}
            answer = await client.post("/name", data={"name": "L\u00e9a"}, headers=headers)
            assert answer.status_code == status


async def test_the_link_is_shown_once(served: ServedPage) -> None:
    """On the first page after the name; a change of name gives no other."""
    client = await named(served)
    assert await shown_link(client) is not None
    assert await shown_link(client) is None
    await client.post("/name", data={"name": "Lea"}, headers=FORM)
    assert await shown_link(client) is None


async def test_the_link_brings_back_the_account_once(served: ServedPage) -> None:
    """In a browser that knows nothing; a second time it is unknown, and the next link works."""
    lost = await named(served)
    code = await shown_link(lost)
    found = served.browser().client
    answer = await found.post("/recover", data={"code": code}, headers=FORM)
    assert answer.headers["location"] == "/"
    assert "Hello, I am Eko" in (await found.get("/")).text  # nothing was said from it yet
    await found.post("/name", data={"name": "Lea"}, headers=FORM)
    again = await shown_link(found)
    assert again not in {None, code}
    late = served.browser().client
    for wrong in (code, "", "AAAA"):
        answer = await late.post("/recover", data={"code": wrong}, headers=FORM)
        assert urlsplit(answer.headers["location"]).query == "code=unknown"
        assert cookie(late) is None
    assert "I do not know this link" in (await late.get("/recover?code=unknown")).text


async def test_following_a_link_does_nothing_yet(served: ServedPage) -> None:
    """A preview of it, or a link in a message to somebody else, uses nothing up."""
    client = await named(served)
    code = await shown_link(client)
    other = await named(served, "Tom")
    await shown_link(other)
    before = cookie(other)
    page = await other.get("/recover")
    assert "This browser is Tom now" in page.text
    assert cookie(other) == before
    answer = await other.post("/recover", data={"code": code}, headers=FORM)
    assert answer.headers["location"] == "/"


async def test_a_newer_link_takes_the_place_of_an_older(served: ServedPage) -> None:
    """Where it was seen by others, asking for another makes it worthless."""
    client = await named(served)
    old = await shown_link(client)
    await client.post("/recovery", headers=FORM)
    new = await shown_link(client)
    assert new not in {None, old}
    answer = await served.browser().client.post("/recover", data={"code": old}, headers=FORM)
    assert "unknown" in answer.headers["location"]


@pytest.mark.parametrize("name", ["Eko", "E\u200dko", "\u0415\u043ao", "\uff25\uff2b\uff2f"])
async def test_the_pets_name_is_taken_in_any_disguise(served: ServedPage, name: str) -> None:
    """By lookalikes, widths and marks that nothing draws."""
    client = served.browser().client
    answer = await client.post("/name", data={"name": name}, headers=FORM)
    assert answer.headers["location"] == "/?name=taken"
    assert cookie(client) is None
