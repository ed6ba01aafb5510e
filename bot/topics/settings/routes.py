"""`/api/memory/settings`: what can be changed while the pet runs, and who changed it."""

import json
from typing import Annotated, Any

from fastapi import APIRouter, Body, Response
from pydantic import BaseModel

from bot.errors import BotError
from bot.surfaces.access.dependencies import Allowed
from bot.surfaces.access.principal import Principal
from bot.surfaces.api.cursors import Cursor, Limit, Page, page_of, position_in
from bot.surfaces.api.documented import refusals
from bot.surfaces.api.revisions import IfMatch, check_revision, etag_of
from bot.surfaces.api.routing import ValueRoute
from bot.surfaces.parts import Parts, WebParts
from bot.surfaces.values import Event, as_json
from memory.model.people import AuditEntry
from memory.upkeep.live_settings import Setting

router = APIRouter(prefix="/api", route_class=ValueRoute)

Value = bool | int | float | str | list[str] | None


class LiveSettingView(BaseModel):
    """One setting: in force, by default, and when and by whom it was changed."""

    key: str
    value: Any
    default: Any
    changed_at: str | None
    changed_by: str | None


class LiveSettingsView(BaseModel):
    """Every setting that can be changed while the pet runs."""

    settings: list[LiveSettingView]


class NothingToChange(BotError):
    """A change that names no setting."""


@router.get("/memory/settings", tags=["settings"], responses=refusals())
async def read_settings(_principal: Allowed, parts: Parts, response: Response) -> LiveSettingsView:
    """Every setting that can change while the pet runs."""
    shown = _shown(parts)
    response.headers["ETag"] = etag_of(shown)
    return LiveSettingsView.model_validate(shown)


@router.patch("/memory/settings", tags=["settings"], responses=refusals(412))
async def change_settings(
    wishes: Annotated[
        dict[str, Value],
        Body(
            description="New values by key; null goes back to the settings file.",
            examples=[{"auto_retrieve_max_results": 10}],
        ),
    ],
    principal: Allowed,
    parts: Parts,
    response: Response,
    if_match: IfMatch = None,
) -> LiveSettingsView:
    """Change some settings, all or none, from the next question on."""
    if not wishes:
        raise NothingToChange("Name at least one setting.")
    texts = {key: None if value is None else _text(value) for key, value in wishes.items()}
    await changed_settings(parts, principal, texts, if_match)
    return await read_settings(principal, parts, response)


@router.get("/audit", tags=["system"], responses=refusals(400))
async def list_changes(
    _principal: Allowed, parts: Parts, limit: Limit = 50, cursor: Cursor = None
) -> Page[AuditEntry]:
    """Every change and who made it, newest first."""
    (before,) = position_in(cursor, int) or (None,)
    found = await parts.app.storage.audit.latest(limit + 1, before)
    return page_of(found, limit, lambda one: one.id)


async def changed_settings(
    parts: WebParts,
    principal: Principal,
    texts: dict[str, str | None],
    if_match: str | None = None,
) -> None:
    """Change settings given as text, if they are still of that revision.

    Raises:
        ChangedMeanwhile: they are not.
        UnknownSetting: there is no such key.
        WrongValue: a key cannot have that value.

    """

    def check() -> None:
        check_revision(if_match, _shown(parts))

    await parts.app.live_settings.change(texts, principal.caller.signature, check)


def revision_of(parts: WebParts) -> str:
    """The revision of the settings, for a form that changes them."""
    return etag_of(_shown(parts))


def _shown(parts: WebParts) -> Event:
    return {"settings": [_setting(one) for one in parts.app.live_settings.settings()]}


def _setting(one: Setting) -> Event:
    typed = {name: _typed(one.key, getattr(one, name)) for name in ("value", "default")}
    return {**as_json(one), **typed}


def _typed(key: str, text: str) -> Any:
    """A value as JSON has it; times to live and the tag are text."""
    return text if key.startswith("ttl_") or key.endswith("_tag") else json.loads(text)


def _text(value: bool | float | str | list[str]) -> str:  # noqa: FBT001 - a value of JSON
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
