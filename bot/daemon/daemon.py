"""The daemon: the pet with its page, its control socket and its clock, until it is told to stop."""

import asyncio
import os
import signal
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, contextmanager, suppress
from dataclasses import replace
from functools import partial
from hashlib import sha256
from ipaddress import ip_network
from pathlib import Path

import structlog
from fastapi import FastAPI

from bot.channels.local.history import StoredTranscript
from bot.daemon.clockwork import jobs_of, warm_up
from bot.daemon.connections import ConnectionLimits, raise_descriptor_limit, room_for_connections
from bot.daemon.control_socket import control_api
from bot.daemon.http_server import listen, listen_locally, serve
from bot.daemon.machine_names import EVERYWHERE, machine_names, page_names
from bot.lock import STARTING, held, this_process
from bot.secret_file import secret_in
from bot.surfaces.access.authenticator import SessionCookie, StoredAuthenticator
from bot.surfaces.access.origins import LOOPBACK_NAMES, OwnAddresses, lower
from bot.surfaces.parts import WebParts
from bot.texts.catalogue import Texts, texts_in
from bot.topics.access.access import AccessOperations, LoginRequest
from bot.topics.people.told import OwnClaims
from bot.web.health import add_health
from bot.web.page.parts import PageOptions
from bot.web.page.site import PagePorts
from bot.web.page.stream_seats import StreamLimits
from bot.web.site import add_dashboard, build_site
from bot.web.webhooks import Webhooks, webhooks_of
from bot.wiring import adapters as adapter_factories
from bot.wiring.adapters import sees_pictures, thinks_offline
from bot.wiring.app import App, open_app
from config.sections.web import WebSettings
from config.settings import Settings
from memory.clock import SystemClock
from memory.model.notices import NoticeKind, OwnerNotice
from memory.tasks import background_task
from observers.schedule import guarded, scheduled

log = structlog.get_logger()

LONGEST_SOCKET_PATH = 100
"""Bytes: systems allow 104 to 108; a deeper data folder gets its socket in the temporary folder."""


Announce = Callable[[str | None, str | None], None]
"""Is told where the page is, and a link to log in by."""


async def run(settings: Settings, announce: Announce) -> None:
    """Run the pet until SIGINT or SIGTERM; `announce` gets the address of the page once it answers.

    Until a browser was logged in for the first time it also gets a link for that. A second
    SIGINT gives up waiting for answers under way.

    Raises:
        AlreadyRunning: another process holds the data folder.
        FolderRefused: the data folder cannot be made or written to.
        DatabaseRefused: the database cannot be used as it is.
        PortTaken: the page's address is in use.

    """
    stop = stop_on_signals(texts_in(settings.locale))
    descriptors = raise_descriptor_limit()
    clock = SystemClock()
    async with AsyncExitStack() as stack:
        starting = this_process(STARTING, clock.now())
        note = stack.enter_context(held(settings.data_dir, starting))
        page = stack.enter_context(_page_socket(settings))
        address, answering = (None if page is None else _address(settings, page)), asyncio.Event()
        platforms = await stack.enter_async_context(adapter_factories.open_platforms(settings))
        opened = open_app(settings, clock, resuming=True, platforms=platforms)
        app = await stack.enter_async_context(opened)
        if page is not None:
            names = await asyncio.to_thread(page_names, settings.web, machine_names)
            limits = connection_limits(settings.web, descriptors)
            web = background_task(
                serve(site_of(app, limits, names), page, answering, limits), name="web"
            )
            app.tasks.append(await stack.enter_async_context(web))
        path = socket_path(settings.data_dir)
        control = stack.enter_context(listen_locally(path))
        api = control_api(WebParts(app=app), authenticator_of(app))
        await stack.enter_async_context(background_task(serve(api, control), name="control"))
        await stack.enter_async_context(scheduled(jobs_of(app), settings.digest_zone, clock.now))
        await stack.enter_async_context(background_task(warm_up(app), name="warm-up"))
        notes = background_task(_follow_notes(app), name="notes")
        app.tasks.append(await stack.enter_async_context(notes))
        note(replace(starting, doing="running", socket=str(path), page=address))
        if page is not None:
            await _until(answering, app)
        if (page is None or answering.is_set()) and not stop.is_set():
            announce(address, await _first_link(app))
            await _until(stop, app)
        log.info("stop.asked")


async def _first_link(app: App) -> str | None:
    """A link to log in by, where no browser ever was and it would be served."""
    web = app.settings.web
    if not web.enabled or await app.storage.web_sessions.ever():
        return None
    link = (await AccessOperations(app).login(LoginRequest())).link
    return link if web.serves_dashboard or link.startswith("https:") else None


def socket_path(data_dir: Path) -> Path:
    """Where the control socket of a data folder is."""
    path = data_dir.resolve() / "eko.sock"
    if len(os.fsencode(path)) <= LONGEST_SOCKET_PATH:
        return path
    name = sha256(os.fsencode(path)).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"eko-{os.getuid()}-{name}.sock"


def connection_limits(web: WebSettings, descriptors: int) -> ConnectionLimits:
    """What the page may hold open, of the descriptors that there are."""
    return ConnectionLimits(
        total=room_for_connections(web.connections, descriptors),
        per_address=web.connections_per_address,
        proxies=tuple(ip_network(one) for one in web.proxies),
    )


def stream_limits(limits: ConnectionLimits) -> StreamLimits:
    """How many streams visitors may hold open: half of all connections, a quarter of a client's."""
    return StreamLimits(
        client=max(limits.per_address // 4, 1),
        total=max(limits.total // 2, 1),
        proxies=limits.proxies,
    )


async def _until(event: asyncio.Event, app: App) -> None:
    """Wait for an event, or until something that should run for ever has died."""
    async with background_task(_wait(event), name="event") as told:
        ended, _ = await asyncio.wait({told, *app.tasks}, return_when=asyncio.FIRST_COMPLETED)
    for task in ended - {told}:
        log.error("background_task.died", background_task=task.get_name())
        app.notices.tell(OwnerNotice(kind=NoticeKind.TASK_DIED, about=task.get_name()))


async def _wait(event: asyncio.Event) -> None:
    await event.wait()


def stop_on_signals(texts: Texts) -> asyncio.Event:
    """What is set by the first SIGINT or SIGTERM; a second one ends the process at once."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()

    def told() -> None:
        if stop.is_set():
            _tell(texts.say("run.stopping"))
            os._exit(130)  # everything kept is already on disk: that is what the database is for
        stop.set()
        _tell(texts.say("run.finishing"))

    for name in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(name, told)
    return stop


def _tell(sentence: str) -> None:
    """Tell who watches, if anybody does: whatever the log went to may have been closed."""
    with suppress(OSError):
        sys.stderr.write(f"{sentence}\n")
        sys.stderr.flush()


@contextmanager
def _page_socket(settings: Settings) -> Iterator[socket.socket | None]:
    if not settings.web.enabled:
        yield None
        return
    with listen(settings.web.host, settings.web.port) as page:
        yield page


def _address(settings: Settings, page: socket.socket) -> str:
    port = page.getsockname()[1]
    return settings.web.model_copy(update={"port": port}).address


def site_of(app: App, limits: ConnectionLimits, names: frozenset[str] = frozenset()) -> FastAPI:
    """The page, the dashboard and the API of a pet; `names` are served beside loopback's."""
    settings = app.settings
    options = PageOptions(
        locale=settings.locale,
        pet_name=settings.pet.name,
        secret=secret_in(settings.data_dir / "web.secret"),
        own=OwnAddresses(
            hosts=LOOPBACK_NAMES | names,
            any_address=settings.web.host in EVERYWHERE,
            origins=lower(settings.web.origins),
        ),
        zone=settings.zone,
        by_rules=thinks_offline(settings),
        sees=sees_pictures(settings),
        hears_s=settings.voice.max_seconds if settings.voice.url is not None else 0,
        streams=stream_limits(limits),
    )
    ports = PagePorts(
        hub=app.hub,
        transcript=StoredTranscript(app.storage.room_lines),
        recovery=app.storage.recovery,
        commands=app.platform_commands,
        claims=OwnClaims(app.register, app.storage.directory),
        uploads=app.uploads,
        reactions=app.storage.reactions,
        clock=app.clock,
    )
    site = build_site(ports, options)

    parts = WebParts(app=app)
    add_health(site, parts)
    add_dashboard(site, parts, authenticator_of(app))
    site.add_middleware(Webhooks, hooks=webhooks_of(app.platforms))
    return site


def authenticator_of(app: App) -> StoredAuthenticator:
    """What knows the sessions and keys of a pet."""
    storage, secret = app.storage, secret_in(app.settings.data_dir / "web.secret")
    cookie = SessionCookie(secret=secret)
    return StoredAuthenticator(
        storage.web_sessions, storage.api_keys, storage.people, cookie, app.clock
    )


async def _follow_notes(app: App) -> None:
    """Keep up with the vault, if there is one to keep up with; never ends by itself."""
    chosen = app.settings.obsidian
    if app.services.notes is not None:
        await app.services.notes.run()
        return
    if chosen.kind != "off":
        log.warning("notes.refused", reason="[obsidian] audience does not say who may hear of them")
    await guarded("notes", partial(app.storage.notes.drop_others, ""))()
    await asyncio.Event().wait()
