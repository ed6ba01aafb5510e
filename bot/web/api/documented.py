"""What the description of the API says of a resource's failures."""

from http import HTTPStatus
from typing import Any

from bot.web.api.problems import MEDIA_TYPE, Problem


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The failures that a route may answer with, as OpenAPI has them."""
    shape = {MEDIA_TYPE: {"schema": Problem.model_json_schema()}}
    return {one: {"description": HTTPStatus(one).phrase, "content": shape} for one in statuses}
