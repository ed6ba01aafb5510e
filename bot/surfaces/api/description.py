"""The description of the API as OpenAPI has it. Pure."""

from collections.abc import Iterable, Iterator
from typing import Any

from fastapi import APIRouter
from fastapi.openapi.utils import get_openapi

from bot.surfaces.access.needs import NEEDS, Need
from bot.surfaces.api.documented import PROBLEM
from bot.surfaces.api.problems import Problem
from memory.model.access import in_order

VERSION = "2.1.0"
"""The first number grows when programs may have to change, the second with additions."""

ABOUT = (
    "What a pet remembers, how it is set, and what it costs. Programs send a key that the owner "
    "made, as `Authorization: Bearer eko_...`; browsers have the session of the dashboard. A key "
    "without the right to read is told only the id of what it changed. What can be edited has an "
    "ETag: a change with `If-Match` fails with 412 if it was changed meanwhile. A list comes in "
    "pages of `items`: `cursor` is the `next` of the page before, `limit` the most entries. Errors "
    "are problem details (RFC 9457). Times are ISO 8601 in UTC."
)


def described(routers: Iterable[APIRouter], cookie: str = "eko-session") -> dict[str, Any]:
    """The description of what these routers answer; a session comes in this `cookie`."""
    routes = [route for router in routers for route in router.routes]
    description = get_openapi(title="Eko", version=VERSION, description=ABOUT, routes=routes)
    components = description.setdefault("components", {})
    components.setdefault("schemas", {})["Problem"] = Problem.model_json_schema()
    for unused in ("HTTPValidationError", "ValidationError"):
        components["schemas"].pop(unused, None)
    for path, of_path in description["paths"].items():
        for method, operation in of_path.items():
            _tell_need(operation, NEEDS.get(f"{method.upper()} {path}"))
    for operation in _operations(description):
        if "422" in operation["responses"]:  # FastAPI describes an answer of its own there
            operation["responses"]["422"]["content"] = PROBLEM
    components["securitySchemes"] = {
        "key": {"type": "http", "scheme": "bearer"},
        "session": {"type": "apiKey", "in": "cookie", "name": cookie},
    }
    description["security"] = [{"key": []}, {"session": []}]
    return description


def _tell_need(operation: dict[str, Any], need: Need | None) -> None:
    """Say what a key must be allowed, and whether managers may have it."""
    if need is not None:
        operation["x-rights"] = in_order(need.rights)
        operation["x-community"] = need.community


def _operations(description: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for of_path in description["paths"].values():
        yield from of_path.values()
