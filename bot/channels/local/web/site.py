"""The page at `/`, built on a given FastAPI application."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from pathlib import Path

from fastapi import FastAPI, Request
from nicegui import app as site
from nicegui import background_tasks, html, ui
from nicegui.storage import Storage

from bot.channels.local.hub import LOBBY, LocalHub, LocalTalk, direct_room
from bot.channels.local.ports import Recovery, RoomTranscript
from bot.channels.local.web.elements import Face, Stage
from bot.channels.local.web.identities import (
    VisitorIdentities,
    keep,
    objection,
    pop_recovery_code,
    recovery_link,
    visitor_of,
)
from bot.channels.local.web.origins import OriginGuard, OwnAddresses
from bot.channels.local.web.room import RoomView, Scene, lobby_scene, private_scene
from bot.channels.local.web.session import VisitorSession
from bot.model.events import AuthorRef
from bot.model.turns import Expression
from bot.texts.catalogue import Texts, texts_in
from bot.texts.choice import wanted_locale
from bot.texts.sanitizing import NAME_LIMIT

RECONNECT = 10.0
"""Seconds a page may lose its connection and go on where it was; after that it reloads."""

_POLICY = (
    "default-src 'self' data:; script-src 'self' 'unsafe-inline' 'unsafe-eval'; "
    "style-src 'self' 'unsafe-inline'; form-action 'self'; base-uri 'none'; object-src 'none'"
)
"""A Content-Security-Policy: the page loads nothing from elsewhere. Vue compiles its templates."""

_WRONG_NAMES = {"taken": "page.name_taken", "marked": "page.name_marked"}
"""What is said of a name that cannot be taken, by its `objection`."""

_ASSETS = files("bot.channels.local.web") / "assets"


@dataclass(frozen=True, slots=True, kw_only=True)
class WebOptions:
    """What the page needs to know.

    `locale` is for browsers that ask for no language there is. `secret` signs the cookies.
    `storage` is a folder for what NiceGUI keeps for its pages. `own` is what the page is served as.
    `by_rules`: the pet has no language model, which the page says.
    """

    locale: str
    pet_name: str
    secret: str
    storage: Path
    own: OwnAddresses
    by_rules: bool = False


def build_web(
    app: FastAPI, hub: LocalHub, history: RoomTranscript, recovery: Recovery, options: WebOptions
) -> None:
    """Add the page to an application, and its guards to all of that. Add other routes before.

    Once per process, since NiceGUI has one site per process.
    """
    Storage.path = options.storage
    identities = VisitorIdentities(recovery, options.pet_name)
    web_site = WebSite(hub, history, options)
    ui.page("/", title=options.pet_name)(web_site.page)
    ui.page("/recover", title=options.pet_name)(web_site.recover)
    site.post("/name")(identities.name)
    site.post("/recovery")(identities.offer)
    site.post("/recover")(identities.recover)
    ui.run_with(
        app,
        title=options.pet_name,
        favicon=_asset("icon.svg"),
        dark=None,
        tailwind=False,
        reconnect_timeout=RECONNECT,
        show_welcome_message=False,
    )
    app.add_middleware(VisitorSession, secret=options.secret)
    app.add_middleware(OriginGuard, own=options.own, locale=options.locale)


class WebSite:
    """Asks a browser for a name once, then shows it the two rooms."""

    def __init__(self, hub: LocalHub, history: RoomTranscript, options: WebOptions) -> None:
        self._hub = hub
        self._history = history
        self._options = options

    async def page(self, request: Request, name: str = "") -> None:
        """The page: a question when the browser has no name yet or wants another, else the rooms.

        `name` is an `objection` when the question is to be asked again.
        """
        texts = self._dressed(request)
        visitor = visitor_of(request.session)
        known = "" if visitor is None else visitor.name
        asked = (known and objection(known, self._options.pet_name)) or name
        if visitor is None or asked:
            self._welcome(texts, known, asked)
            return
        keep(request.session)
        code = pop_recovery_code(request.session)
        link = None if code is None else recovery_link(request, code)
        address = "" if request.client is None else request.client.host
        self._rooms(texts, visitor, link, address)

    async def recover(self, request: Request, code: str = "") -> None:
        """The page that a recovery link leads to; what it does is done by its button.

        The code stands in the address behind `#`, which no browser sends. `code` is
        `unknown` when the one that was entered is.
        """
        texts = self._dressed(request)
        visitor = visitor_of(request.session)
        with html.main().classes("welcome"):
            Face(texts, self._options.pet_name, Expression.CURIOUS)
            html.h1(texts.say("page.recover"))
            if code == "unknown":
                html.p(texts.say("page.recover_unknown")).classes("alarm").props("role=alert")
            elif visitor is None:
                html.p(texts.say("page.recover_hint"))
            else:
                html.p(texts.say("page.recover_instead", name=visitor.name))
            with html.form(method="post", action="/recover"):
                html.input_(**_code_box(texts))
                html.button(texts.say("page.recover_me"), type="submit")
        ui.add_body_html(f"<script>{_asset('recover.js')}</script>")

    def _dressed(self, request: Request) -> Texts:
        """The texts of a visitor, on a page that has its style and its language."""
        asked = request.headers.get("accept-language", "")
        texts = texts_in(wanted_locale(asked, self._options.locale))
        _dress(texts)
        return texts

    def _welcome(self, texts: Texts, known: str, asked: str) -> None:
        pet, wrong = self._options.pet_name, _WRONG_NAMES.get(asked)
        with html.main().classes("welcome"):
            Face(texts, pet, Expression.CURIOUS if wrong else Expression.HAPPY)
            html.h1(texts.say("page.hello", pet=pet))
            if wrong:
                html.p(texts.say(wrong)).classes("alarm").props("role=alert")
            else:
                html.p(texts.say("page.welcome"))
            with html.form(method="post", action="/name"):
                html.input_(**_name_box(texts, known))
                html.button(texts.say("page.enter"), type="submit")
            if known:
                with html.form(method="post", action="/recovery").classes("aside"):
                    html.button(texts.say("page.recovery_new"), type="submit")
            else:
                html.a(texts.say("page.recover_here"), href="/recover").classes("aside")

    def _rooms(self, texts: Texts, author: AuthorRef, link: str | None, address: str) -> None:
        pet = self._options.pet_name
        with html.header().classes("top"):
            html.h1(pet)
            if self._options.by_rules:
                with html.details().classes("badge"):
                    html.summary(texts.say("page.by_rules"))
                    html.p(texts.say("page.by_rules_hint"))
            rename = texts.say("page.change_name", name=author.name)
            me = html.a(author.name, href="/?name=ask", title=rename, dir="auto").classes("me")
            me.props["aria-label"] = rename
        if link is not None:
            _show_once(texts, link)
        stage = Stage(texts)
        for room, scene in ((direct_room(author), private_scene), (LOBBY, lobby_scene)):
            talk = self._hub.talk(author, room, address=address)
            self._room(stage, talk, scene(texts, pet))

    def _room(self, stage: Stage, talk: LocalTalk, scene: Scene) -> None:
        """Draw a room and follow it for as long as the page exists."""
        with stage.add_slot(scene.slot):
            view = RoomView(talk, self._history, scene, partial(stage.arrived, scene.slot))
        task = background_tasks.create(view.follow(), name=f"follow {scene.slot}")
        stage.client.on_delete(lambda: task.cancel() and None)


def _show_once(texts: Texts, link: str) -> None:
    """The recovery link, until the page is loaded again."""
    label = texts.say("page.recovery")
    section = html.section().classes("recovery")
    section.props["aria-label"] = label
    with section:
        html.strong(label)
        html.p(texts.say("page.recovery_hint"))
        html.input_(value=link, readonly=True, **{"aria-label": label})
        html.a(texts.say("page.recovery_kept"), href="/").props("role=button")


def _code_box(texts: Texts) -> Mapping[str, str | int | bool]:
    return _box("code", texts.say("page.recovery_code"), 100) | {"autocomplete": "off"}


def _name_box(texts: Texts, known: str) -> Mapping[str, str | int | bool]:
    more = {"value": known, "autocomplete": "nickname", "dir": "auto"}
    return _box("name", texts.say("page.your_name"), NAME_LIMIT) | more


def _box(name: str, label: str, limit: int) -> dict[str, str | int | bool]:
    return {
        "name": name,
        "placeholder": label,
        "aria-label": label,
        "maxlength": limit,
        "required": True,
        "autofocus": True,
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
