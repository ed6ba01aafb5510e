"""Keeps requests of other pages out: pure ASGI, around whatever serves the page.

The checks are those of OWASP's cheat sheet on cross-site request forgery and of the resource
isolation policy of Fetch Metadata: https://www.w3.org/TR/fetch-metadata/
"""

from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

import structlog
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from bot.surfaces.texts import web_texts
from bot.texts.choice import wanted_locale

log = structlog.get_logger()

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
"""How a machine calls itself."""

ANY = "*"
"""In place of a name: every one is answered to."""

_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_OWN = frozenset({"same-origin", "none"})
"""Values of Sec-Fetch-Site of the page itself, and of addresses that a person typed."""

_DEFAULT_PORTS = {"http": 80, "https": 443}
"""The schemes that a page can be served by, and the ports that browsers leave out."""

_POLICY_VIOLATED = 1008
"""The code that closes a socket (RFC 6455, section 7.4.1)."""

_ANSWERS = {"host": ("page.not_here", 421), "origin": ("page.not_from_here", 403)}


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnAddresses:
    """What the page is served as.

    `hosts` are names without a port, in lower case; `*` is any. `any_address` adds every IP
    address: in a container the page cannot know by which of the machine's it is reached, and
    unlike a name, an address cannot be made to lead elsewhere (DNS rebinding). `origins` are
    whole origins as browsers write them, for a proxy that tells the page another name than the
    browser's.
    """

    hosts: frozenset[str] = LOOPBACK_NAMES
    any_address: bool = False
    origins: frozenset[str] = frozenset()


class OriginGuard:
    """Lets a request or a socket pass that is for this page and, where a page sent it, from it."""

    def __init__(self, app: ASGIApp, own: OwnAddresses, locale: str) -> None:
        self._app = app
        self._own = own
        self._locale = locale

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer 421 for another host and 403 for another page."""
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if not is_for_own_host(headers, self._own):
            await self._refuse(scope, receive, send, "host")
        elif not is_from_own_page(scope.get("method", "CONNECT"), headers, self._own):
            await self._refuse(scope, receive, send, "origin")
        else:
            await self._app(scope, receive, send)

    async def _refuse(self, scope: Scope, receive: Receive, send: Send, reason: str) -> None:
        log.warning("request.refused", reason=reason)
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": _POLICY_VIOLATED})
            return
        asked = Headers(scope=scope).get("accept-language", "")
        texts = web_texts(wanted_locale(asked, self._locale))
        key, status = _ANSWERS[reason]
        await PlainTextResponse(texts.say(key), status_code=status)(scope, receive, send)


def is_for_own_host(headers: Headers, own: OwnAddresses) -> bool:
    """Whether the one host that a request names is one that the page is served as."""
    named = headers.getlist("host")
    if len(named) != 1:
        return False
    asked = _host_and_port(named[0], "http")
    if asked is None:
        return False
    host, _ = asked
    return not own.hosts.isdisjoint({host, ANY}) or (own.any_address and _is_address(host))


def is_from_own_page(method: str, headers: Headers, own: OwnAddresses) -> bool:
    """Whether the page itself sent a request, or no page at all.

    A link elsewhere may lead here, but nothing there may embed, read, post or connect.
    """
    site = headers.get("sec-fetch-site")
    if not all(_is_own_origin(one, headers, own) for one in headers.getlist("origin")):
        # "null" is also what a browser sends for this page where it hides addresses.
        return site == "same-origin" and headers.getlist("origin") == ["null"]
    if site is None or site in _OWN:
        return True
    return (
        method in _SAFE
        and headers.get("sec-fetch-mode") == "navigate"
        and headers.get("sec-fetch-dest") == "document"
    )


def _is_own_origin(origin: str, headers: Headers, own: OwnAddresses) -> bool:
    if origin.lower() in own.origins:
        return True
    scheme, _, authority = origin.lower().partition("://")
    if scheme not in _DEFAULT_PORTS:
        return False
    asked = _host_and_port(authority, scheme)
    return asked is not None and asked == _host_and_port(headers["host"], scheme)


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _host_and_port(authority: str, scheme: str) -> tuple[str, int] | None:
    """Host and port as a scheme reads them; None where they cannot be read."""
    try:
        parts = urlsplit(f"//{authority}")
        return (parts.hostname or "", parts.port or _DEFAULT_PORTS[scheme])
    except ValueError:
        return None


def lower(names: Iterable[str]) -> frozenset[str]:
    """Names or origins as they are compared."""
    return frozenset(name.lower().rstrip("/") for name in names)
