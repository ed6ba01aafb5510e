"""`/dashboard/recall`: how much is brought up by itself, what a change would do, a log."""

from typing import Annotated, Literal

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from pydantic import BaseModel, Field

from bot.surfaces.access.dependencies import Allowed
from bot.surfaces.access.principal import Principal
from bot.surfaces.api.cursors import position_in
from bot.surfaces.pages.rendering import Renderer
from bot.surfaces.parts import Parts, WebParts
from bot.topics.answers import conversations
from bot.topics.answers.recall_trial import RecallTrial, TriedQuestion
from bot.topics.settings.routes import changed_settings, revision_of
from memory.model.settings import FEWEST_RESULTS, MOST_RESULTS, Tuning, changed

router = APIRouter(prefix="/dashboard/recall")

PATH = "/dashboard/recall"
LOGGED = 25
"""Look-ups of a page."""

ENABLED, RESULTS, MIN_SCORE = (
    "auto_retrieve_enabled",
    "auto_retrieve_max_results",
    "auto_retrieve_min_score",
)

USUAL_SCORES = (0.3, 0.8)
"""The usual range of the least score."""

USUAL_RESULTS = (FEWEST_RESULTS, 10)
"""The usual range of results is 1 to 10, of which this is what can be chosen."""


class RecallWish(BaseModel):
    """The values of the form, as text; None where the form was not sent."""

    enabled: str | None = None
    results: str | None = None
    min_score: str | None = None
    revision: str = "*"

    @property
    def texts(self) -> dict[str, str]:
        """The settings that they are, by key; a switch that is off is not sent at all."""
        given = {RESULTS: self.results, MIN_SCORE: self.min_score}
        found = {key: text for key, text in given.items() if text is not None}
        return {**found, ENABLED: "on" if self.enabled else "off"} if found else {}


class RecallView(RecallWish):
    """What the page is to show: proposed values, with their `effect`, and a page of the log."""

    effect: Literal["yes"] | None = None
    done: Literal["saved", "reset"] | None = None
    cursor: Annotated[str | None, Field(max_length=400)] = None


@router.get("")
async def recall_page(
    request: Request, principal: Allowed, parts: Parts, view: Annotated[RecallView, Query()]
) -> HTMLResponse:
    """The settings as they are, or as they are proposed with what that would change."""
    proposed = _proposed(parts, view)
    tried = await _tried(parts, principal, proposed) if view.effect else None
    (before,) = position_in(view.cursor, int) or (None,)
    log = await conversations.turns(parts.app, principal.caller, LOGGED, before=before)
    return Renderer(request, principal).page(
        "answers/recall.html",
        settings={key: parts.app.live_settings.setting(key) for key in _KEYS},
        proposed=proposed,
        revision=revision_of(parts),
        fewest=FEWEST_RESULTS,
        most=MOST_RESULTS,
        usual_results=USUAL_RESULTS,
        usual_scores=USUAL_SCORES,
        tried=tried,
        done=view.done,
        log=log.items,
        older=log.next and f"{PATH}?cursor={log.next}#log",
    )


_KEYS = (ENABLED, RESULTS, MIN_SCORE)


@router.post("")
async def save_recall(
    principal: Allowed, parts: Parts, wish: Annotated[RecallWish, Form()]
) -> RedirectResponse:
    """Change them, unless they were changed since the form was shown."""
    await changed_settings(parts, principal, dict(wish.texts), wish.revision)
    return RedirectResponse(f"{PATH}?done=saved", status_code=303)


@router.post("/reset")
async def reset_recall(
    principal: Allowed,
    parts: Parts,
    key: Annotated[
        Literal["auto_retrieve_enabled", "auto_retrieve_max_results", "auto_retrieve_min_score"],
        Form(),
    ],
) -> RedirectResponse:
    """Let one of them be what the settings file says."""
    await changed_settings(parts, principal, {key: None})
    return RedirectResponse(f"{PATH}?done=reset", status_code=303)


def _proposed(parts: WebParts, wish: RecallWish) -> Tuning:
    tuning = parts.app.live_settings.current()
    for key, text in wish.texts.items():
        tuning = changed(tuning, key, text)
    return tuning


async def _tried(parts: WebParts, principal: Principal, tuning: Tuning) -> list[TriedQuestion]:
    return await RecallTrial(parts.app).of(tuning, principal.caller.scope)
