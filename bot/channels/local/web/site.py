"""The page at `/`, built on a given FastAPI application."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Annotated

from fastapi import FastAPI, Form, Request, Response
from fastapi.responses import PlainTextResponse, RedirectResponse
from nicegui import app as site
from nicegui import background_tasks, html, ui
from nicegui.storage import Storage

from bot.channels.local.hub import LOBBY, LocalHub, LocalTalk, direct_room
from bot.channels.local.ports import RoomTranscript
from bot.channels.local.web.elements import Face, Stage
from bot.channels.local.web.room import RoomView, Scene, lobby_scene, private_scene
from bot.model.events import AuthorRef
from bot.model.turns import Expression
from bot.texts.catalogue import Texts, texts_in
from bot.texts.choice import wanted_locale
from bot.texts.sanitizing import NAME_LIMIT, name_of

PLATFORM = "web"
"""The platform of the people who come through a browser."""

COOKIE_AGE = 400 * 24 * 3600
"""Seconds a browser stays the same person after its last visit: the most that browsers keep."""

RECONNECT = 10.0
"""Seconds a page may lose its connection and go on where it was; after that it reloads."""

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
"""How a machine calls itself."""

_POLICY = (
    "default-src 'self' data:; script-src 'self' 'unsafe-inline' 'unsafe-eval'; "
    "style-src 'self' 'unsafe-inline'; form-action 'self'; base-uri 'none'; object-src 'none'"
)
"""A Content-Security-Policy: the page loads nothing from elsewhere. Vue compiles its templates."""

_ASSETS = files("bot.channels.local.web") / "assets"


@dataclass(frozen=True, slots=True, kw_only=True)
class WebOptions:
    """What the page needs to know.

    `locale` is for browsers that ask for no language there is. `storage` is a folder for what
    NiceGUI keeps for its pages. `hosts` are the names the page answers to, without a port, which
    keeps out foreign pages whose name resolves to this machine; `*` answers to any.
    """

    locale: str
    pet_name: str
    storage_secret: str
    storage: Path
    hosts: frozenset[str] = LOOPBACK_NAMES


def build_web(app: FastAPI, hub: LocalHub, history: RoomTranscript, options: WebOptions) -> None:
    """Add the page to an application. It takes every path left: add other routes before.

    Once per process, since NiceGUI has one site per process.
    """
    Storage.path = options.storage
    web_site = WebSite(hub, history, options)
    ui.page("/", title=options.pet_name)(web_site.page)
    site.post("/name")(web_site.name)
    ui.run_with(
        app,
        title=options.pet_name,
        favicon=_asset("icon.svg"),
        dark=None,
        tailwind=False,
        reconnect_timeout=RECONNECT,
        storage_secret=options.storage_secret,
        session_middleware_kwargs={"session_cookie": "eko", "max_age": COOKIE_AGE},
        show_welcome_message=False,
    )


class WebSite:
    """Asks a browser for a name once, then shows it the two rooms."""

    def __init__(self, hub: LocalHub, history: RoomTranscript, options: WebOptions) -> None:
        self._hub = hub
        self._history = history
        self._options = options

    async def page(self, request: Request, name: str = "") -> Response | None:
        """The page: a question when the browser has no name yet or wants another, else the rooms.

        `name` is `ask` or `taken` when the question is to be asked again.
        """
        asked = request.headers.get("accept-language", "")
        texts = texts_in(wanted_locale(asked, self._options.locale))
        if not self._answers_to(request.url.hostname):
            return PlainTextResponse(texts.say("page.not_here"), status_code=421)
        _dress(texts)
        known = str(request.session.get("name", ""))
        if known and not name:
            request.session["name"] = known  # written again, so that the cookie lives on
            self._rooms(texts, _author(request, known))
        else:
            self._welcome(texts, known, taken=name == "taken")
        return None

    async def name(
        self, request: Request, name: Annotated[str, Form(max_length=1000)] = ""
    ) -> RedirectResponse:
        """Keep the name a person chose in the signed cookie of their browser."""
        chosen = name_of(name)
        if chosen.casefold() == self._options.pet_name.casefold():
            return RedirectResponse("/?name=taken", status_code=303)
        if not chosen:
            return RedirectResponse("/?name=ask", status_code=303)
        request.session["name"] = chosen
        return RedirectResponse("/", status_code=303)

    def _answers_to(self, host: str | None) -> bool:
        hosts = self._options.hosts
        return "*" in hosts or (host is not None and host.lower() in hosts)

    def _welcome(self, texts: Texts, known: str, *, taken: bool) -> None:
        pet = self._options.pet_name
        with html.main().classes("welcome"):
            Face(texts, pet, Expression.CURIOUS if taken else Expression.HAPPY)
            html.h1(texts.say("page.hello", pet=pet))
            if taken:
                html.p(texts.say("page.name_taken")).classes("alarm").props("role=alert")
            else:
                html.p(texts.say("page.welcome"))
            with html.form(method="post", action="/name"):
                html.input_(**_name_box(texts, known))
                html.button(texts.say("page.enter"), type="submit")

    def _rooms(self, texts: Texts, author: AuthorRef) -> None:
        pet = self._options.pet_name
        with html.header().classes("top"):
            html.h1(pet)
            rename = texts.say("page.change_name", name=author.name)
            link = html.a(author.name, href="/?name=ask", title=rename, dir="auto").classes("me")
            link.props["aria-label"] = rename
        stage = Stage(texts)
        self._room(stage, self._hub.talk(author, direct_room(author)), private_scene(texts, pet))
        self._room(stage, self._hub.talk(author, LOBBY), lobby_scene(texts, pet))

    def _room(self, stage: Stage, talk: LocalTalk, scene: Scene) -> None:
        """Draw a room and follow it for as long as the page exists."""
        with stage.add_slot(scene.slot):
            view = RoomView(talk, self._history, scene, partial(stage.arrived, scene.slot))
        task = background_tasks.create(view.follow(), name=f"follow {scene.slot}")
        stage.client.on_delete(lambda: task.cancel() and None)


def _author(request: Request, name: str) -> AuthorRef:
    """The account of a browser: an unguessable id in its signed cookie, never its name."""
    return AuthorRef(platform=PLATFORM, external_id=request.session["id"], name=name)


def _name_box(texts: Texts, known: str) -> Mapping[str, str | int | bool]:
    return {
        "name": "name",
        "value": known,
        "placeholder": texts.say("page.your_name"),
        "aria-label": texts.say("page.your_name"),
        "maxlength": NAME_LIMIT,
        "autocomplete": "nickname",
        "required": True,
        "autofocus": True,
        "dir": "auto",
    }


def _dress(texts: Texts) -> None:
    """Give the page being built its style, its drawings and its language."""
    ui.add_head_html(f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">')
    ui.add_head_html(f"<style>{_asset('page.css')}</style>")
    popup = json.dumps([texts.say("page.lost"), texts.say("page.back")])
    ui.add_head_html(
        f"<script>document.documentElement.lang = {json.dumps(texts.language)};"
        f"addEventListener('DOMContentLoaded', () => document.querySelectorAll('#popup span')"
        f".forEach((line, at) => line.textContent = {popup}[at]));"
        f"</script>"
    )
    ui.add_body_html(_asset("faces.svg"))


def _asset(name: str) -> str:
    return (_ASSETS / name).read_text(encoding="utf-8")
