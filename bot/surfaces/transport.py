"""Whether a request came by a way on which no other machine can read it."""

from ipaddress import ip_address

from fastapi import Request

from bot.errors import BotError
from bot.surfaces.parts import Parts, ReaderTexts

_FOR_ALL = ("/healthz", "/readyz")
"""What says nothing of people, and takes no secret."""


class ServedInTheOpen(BotError):
    """The dashboard would be read along by others on the network; the sentence says what to do."""


async def only_safely(request: Request, parts: Parts, texts: ReaderTexts) -> None:
    """Let a request pass that came by HTTPS, or that never left this machine.

    It is HTTPS as well where a proxy of `[web] proxies` says so.

    Raises:
        ServedInTheOpen: it came in the open, and the settings do not say that this is meant.

    """
    web = parts.app.settings.web
    if web.insecure_dashboard or request.url.path in _FOR_ALL or request.url.scheme == "https":
        return
    if web.is_published_here:
        return
    if not web.serves_dashboard or not _is_of_this_machine(request):
        raise ServedInTheOpen(texts.say("access.in_the_open"))


def _is_of_this_machine(request: Request) -> bool:
    """Whether it comes from here, as far as a proxy that is known does not say otherwise."""
    if request.client is None:
        return True
    try:
        return ip_address(request.client.host).is_loopback
    except ValueError:
        return False
