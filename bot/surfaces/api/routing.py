"""Routes that return values: what `as_json` makes of one is the answer, and is described so."""

from collections.abc import Callable
from dataclasses import is_dataclass
from functools import wraps
from typing import Any, get_origin, get_type_hints

from fastapi.responses import JSONResponse, Response
from fastapi.routing import APIRoute

from bot.surfaces.values import as_json, model_of


class ValueRoute(APIRoute):
    """A route whose function returns a dataclass; use it as the `route_class` of a router."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        kind = get_type_hints(endpoint).get("return")
        if is_dataclass(get_origin(kind) or kind):
            options["response_model"] = model_of(kind)
            endpoint = _answering(endpoint, options.get("status_code") or 200)
        super().__init__(path, endpoint, **options)


def _answering(endpoint: Callable[..., Any], status: int) -> Callable[..., Any]:
    @wraps(endpoint)
    async def answer(**arguments: Any) -> JSONResponse:
        done = JSONResponse(as_json(await endpoint(**arguments)), status_code=status)
        for one in arguments.values():  # FastAPI copies both to what it makes itself alone
            if isinstance(one, Response):
                done.headers.update(one.headers)
                done.status_code = one.status_code or status
        return done

    return answer
