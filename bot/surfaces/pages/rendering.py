"""HTML from templates: escaped, strict about what is missing, dated in the reader's language."""

from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from babel.dates import format_date
from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from bot.surfaces.access.principal import Principal
from bot.surfaces.pages.navigation import section_of, sections_for
from bot.surfaces.parts import texts_of
from bot.texts.catalogue import Texts, number, texts_in
from memory.language.dates_in_words import age, time_of_day

_BOT = Path(__file__).parents[2]

TEMPLATES = (
    Path(__file__).parent / "templates",
    _BOT / "topics",
    _BOT / "web" / "templates",
)
"""Folders of templates: what pages share, a topic's beside its modules, and the pet's own page."""


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        auto_reload=False,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: value.isoformat() if isinstance(value, datetime) else value,
    )
    environment.filters["number"] = number
    return environment


_ENVIRONMENT = _environment()
"""One for the process: templates are compiled once and hold no state."""


def filled(template: str, **values: Any) -> str:
    """What a template makes of these values alone, as text."""
    return _ENVIRONMENT.get_template(template).render(**values)


def load_templates() -> None:
    """Compile every template, which the first visitor of each page would wait for otherwise."""
    for name in _ENVIRONMENT.list_templates(extensions=["html"]):
        _ENVIRONMENT.get_template(name)


class Renderer:
    """Renders templates for one reader: their texts, their language, the pet's zone and clock."""

    def __init__(self, request: Request, principal: Principal | None) -> None:
        self._request = request
        self._principal = principal
        self._texts = texts_of(request)

    def page(self, template: str, *, status: int = 200, **values: Any) -> HTMLResponse:
        """A whole page, or a fragment of one: what the template is."""
        return HTMLResponse(self.text(template, **values), status_code=status)

    def text(self, template: str, **values: Any) -> str:
        """What a template makes of the values, as text."""
        return filled(template, **self._surroundings(), **values)

    def _surroundings(self) -> dict[str, Any]:
        app = self._request.app.state.parts.app
        zone, now = app.settings.zone, app.clock.now()
        path = self._request.url.path
        return {
            "t": self._texts.say,
            "word": texts_in(self._texts.language).say,
            "language": self._texts.language,
            "pet": app.settings.pet.name,
            "path": path,
            "section": section_of(path),
            "principal": self._principal,
            "sections": sections_for(self._principal),
            "now": now,
            "when": Moments(self._texts, zone, now),
        }


class Moments:
    """Moments as the reader's language writes them, in a zone."""

    def __init__(self, texts: Texts, zone: ZoneInfo, now: datetime) -> None:
        self._language = texts.language
        self._zone = zone
        self._now = now

    def moment(self, at: datetime | str) -> str:
        """A date with its time: "Nov 24, 2026, 14:30", "24 nov. 2026, 14:30"."""
        return f"{self.day(at)}, {time_of_day(_parsed(at), self._zone, self._language)}"

    def day(self, at: datetime | str) -> str:
        """A date: "Nov 24, 2026", "24 nov. 2026"."""
        return str(format_date(_parsed(at).astimezone(self._zone), "medium", locale=self._language))

    def age(self, at: datetime | str) -> str:
        """How long ago: "3 days ago"."""
        return age(_parsed(at), self._now, self._language)


def _parsed(at: datetime | str) -> datetime:
    return datetime.fromisoformat(at) if isinstance(at, str) else at
