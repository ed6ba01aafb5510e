"""The page, added to an application with its guards."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from fastapi import APIRouter, FastAPI
from starlette.routing import BaseRoute

from bot.channels.local.hub import LocalHub
from bot.channels.local.own_messages import OwnMessages
from bot.channels.local.ports import Recovery, RoomTranscript, StoredReactions
from bot.channels.local.reactions import LineReactions
from bot.channels.local.uploads import UploadedPictures
from bot.ports import PlatformCommands
from bot.surfaces.access.origins import OriginGuard
from bot.web.page import identities, messages, own_data, rooms, stream, talking
from bot.web.page.parts import ClaimReader, PageOptions, PageParts, Seats
from bot.web.page.session import VisitorSession
from bot.web.page.stream_seats import StreamSeats
from bot.web.page.visit_rates import VisitRates
from memory.ports import Clock

ROUTES = (
    identities.router,
    rooms.router,
    talking.router,
    messages.router,
    stream.router,
    own_data.router,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PagePorts:
    """What the page works with: the rooms, what was said in them, who finds back, commands."""

    hub: LocalHub
    transcript: RoomTranscript
    recovery: Recovery
    commands: PlatformCommands
    claims: ClaimReader
    uploads: UploadedPictures
    reactions: StoredReactions
    clock: Clock


def add_page(site: FastAPI, ports: PagePorts, options: PageOptions) -> None:
    """Add the page's routes; the files that it loads are served by the site."""
    site.state.page = PageParts(
        hub=ports.hub,
        transcript=ports.transcript,
        recovery=ports.recovery,
        commands=ports.commands,
        claims=ports.claims,
        options=options,
        seats=Seats(ports.hub),
        streams=StreamSeats(options.streams),
        rates=VisitRates(options.streams.proxies, ports.clock),
        own_messages=OwnMessages(ports.hub, ports.transcript),
        reactions=LineReactions(ports.hub, ports.reactions),
        uploads=ports.uploads,
        clock=ports.clock,
    )
    site.router.routes.extend(_routes())


@cache
def _routes() -> Sequence[BaseRoute]:
    """The page's routes, read once: what they work with is in the state of their site."""
    together = APIRouter()
    for one in ROUTES:
        together.include_router(one, include_in_schema=False)
    return tuple(together.routes)


def add_guards(site: FastAPI, options: PageOptions) -> None:
    """Stand before everything of a site: whose requests pass, and who they are from."""
    site.add_middleware(VisitorSession, secret=options.secret)
    site.add_middleware(OriginGuard, own=options.own, locale=options.locale)
