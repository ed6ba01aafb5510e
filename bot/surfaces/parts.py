"""What the routes work with, as FastAPI dependencies."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, TypeVar, cast

from fastapi import Depends, Request

from bot.surfaces.access.caller import OperationCaller
from bot.surfaces.access.principal import Principal
from bot.surfaces.texts import web_texts
from bot.texts.catalogue import Texts
from bot.texts.choice import wanted_locale
from bot.wiring.app import App

Asked = TypeVar("Asked")


@dataclass(frozen=True, slots=True, kw_only=True)
class WebParts:
    """The pet, as the routes see it."""

    app: App

    def of(self, kind: Callable[[App, OperationCaller], Asked], principal: Principal) -> Asked:
        """What a topic offers of this kind, on behalf of the one who asks."""
        return kind(self.app, principal.caller)


def _parts_of(request: Request) -> WebParts:
    return cast("WebParts", request.app.state.parts)


def texts_of(request: Request) -> Texts:
    """The dashboard's texts in the language the browser asks for."""
    parts = _parts_of(request)
    asked = request.headers.get("accept-language", "")
    return web_texts(wanted_locale(asked, parts.app.settings.locale))


Parts = Annotated[WebParts, Depends(_parts_of)]
"""The pet behind a route."""
ReaderTexts = Annotated[Texts, Depends(texts_of)]
"""The texts of the page for its reader."""
