"""What the routes work with, as FastAPI dependencies."""

from dataclasses import dataclass
from typing import Annotated, cast

from fastapi import Depends, Request

from bot.surfaces.access.principal import Principal
from bot.surfaces.operations import Operations
from bot.surfaces.texts import web_texts
from bot.texts.catalogue import Texts
from bot.texts.choice import wanted_locale
from bot.wiring.app import App


@dataclass(frozen=True, slots=True, kw_only=True)
class WebParts:
    """The pet, as the routes see it."""

    app: App

    def operations(self, principal: Principal) -> Operations:
        """The operations of the command line, on behalf of the one who asks."""
        return Operations(self.app, principal.caller)


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
