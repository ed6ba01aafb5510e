"""What the description of the API says of refusals."""

from typing import Any

from bot.surfaces.api.problems import MEDIA_TYPE

PROBLEM = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
"""The content of a refusal."""

MEANINGS = {
    400: "The request is malformed, or the cursor is of another list.",
    401: "Neither session nor key.",
    403: "The session or key may not do that.",
    404: "Not there, or not for this reader.",
    409: "Not possible any more; `current` is what it is now.",
    412: "Changed meanwhile; `current` is what it is now.",
    422: "A value is not allowed.",
    429: "Too many wrong keys from this address.",
    503: "A part of the pet does not answer.",
}


def refusals(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The refusals of a route for its description: 401, 403, 422, 429 and 503, and these."""
    return {
        status: {"description": MEANINGS[status], "content": PROBLEM}
        for status in sorted({401, 403, 422, 429, 503, *statuses})
    }
