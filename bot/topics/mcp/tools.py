"""The tools of other agents: what each takes, and which request of the API it is. Pure."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote
from uuid import UUID

from pydantic import BaseModel

from bot.surfaces.requests import OperationRequest
from bot.topics.forgetting.requests import ForgettingWanted, PreviewToken
from bot.topics.statements.requests import (
    CorrectionRequest,
    NameOrId,
    NewStatementRequest,
    PageLength,
    SearchMemoryRequest,
    StatementsRequest,
)


class PersonRequest(OperationRequest):
    """One person, by name or id."""

    name: NameOrId
    limit: PageLength = 20


class ToldCorrection(CorrectionRequest):
    """Other words for the statement of an id."""

    id: UUID


class ForgettingStep(ForgettingWanted):
    """What is to be forgotten; or, to confirm a preview, its token and nothing else."""

    confirm: PreviewToken | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiCall:
    """One request of the API: a GET has `given` as its query, any other as its body."""

    method: str
    path: str
    given: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentTool:
    """A tool: `about` tells a model what it is for, `asks` makes a request of what it `takes`."""

    name: str
    about: str
    takes: type[BaseModel]
    asks: Callable[[Any], ApiCall]
    reads: bool = True
    destroys: bool = False


def _plainly(method: str, path: str) -> Callable[[Any], ApiCall]:
    """The request that has all that is given, at one address."""
    return lambda wanted: ApiCall(method=method, path=path, given=_given(wanted))


def _person(wanted: PersonRequest) -> ApiCall:
    path = f"/api/people/{quote(wanted.name, safe='')}"
    return ApiCall(method="GET", path=path, given={"limit": wanted.limit})


def _correct(right: ToldCorrection) -> ApiCall:
    return ApiCall(method="PATCH", path=f"/api/memories/{right.id}", given=_given(right, "id"))


def _forget(step: ForgettingStep) -> ApiCall:
    if step.confirm is not None:
        path, given = "/api/forgettings/confirm", {"token": step.confirm}
        return ApiCall(method="POST", path=path, given=given)
    return ApiCall(method="POST", path="/api/forgettings/ask", given=_given(step))


def _given(request: BaseModel, *without: str) -> Mapping[str, Any]:
    """What was given, as JSON has it, under the names of the API."""
    return request.model_dump(
        mode="json", by_alias=True, exclude_unset=True, exclude_none=True, exclude={*without}
    )


_TOOLS = (
    AgentTool(
        name="search",
        about="Look something up in all that the pet remembers: statements, and what was said. "
        "Best first; `q` is a question or words, `who` a person, `room` a room, `from` and `to` "
        "days (2026-01-17) or moments, `mode` text finds words alone.",
        takes=SearchMemoryRequest,
        asks=_plainly("GET", "/api/memory/search"),
    ),
    AgentTool(
        name="recent",
        about="List statements, the latest said first: of a person (`who`), a room, a span; with "
        "`as_of` those that held then. Each has the id that `correct` and `forget` take.",
        takes=StatementsRequest,
        asks=_plainly("GET", "/api/memories"),
    ),
    AgentTool(
        name="person",
        about="What is known of one person, by name or id: facts, what they say of themselves, "
        "statements, accounts.",
        takes=PersonRequest,
        asks=_person,
    ),
    AgentTool(
        name="remember",
        about="Keep one statement, a sentence that can be understood by itself. With `person` it "
        "is private to them; without, it is known in the pet's home.",
        takes=NewStatementRequest,
        asks=_plainly("POST", "/api/memories"),
        reads=False,
    ),
    AgentTool(
        name="correct",
        about="Give the statement of an `id` other words; the old ones stay as history.",
        takes=ToldCorrection,
        asks=_correct,
        reads=False,
    ),
    AgentTool(
        name="forget",
        about="Have something forgotten, in two steps. Without `confirm` nothing is forgotten: you "
        "are shown what would be, with a `token`. Show that to the person who wishes it; if they "
        "agree, call again with the token as `confirm`, within ten minutes. It can be undone for a "
        "day by the number of its receipt: eko forget --undo NUMBER.",
        takes=ForgettingStep,
        asks=_forget,
        reads=False,
        destroys=True,
    ),
)

TOOLS: Mapping[str, AgentTool] = {one.name: one for one in _TOOLS}
"""Every tool by its name."""
