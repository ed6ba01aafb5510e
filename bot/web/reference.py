"""The API as a page for people: `python -m bot.web.reference > docs/api.md`.

The page says once, at its top, what holds for many routes, and once, at its end, which fields a
body or an answer has. Between them stands each route with its arguments and answers.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fastapi import APIRouter

from bot.surfaces.api.description import described
from bot.surfaces.api.documented import MEANINGS, PROBLEM
from bot.web import health
from bot.web.reference_shapes import Shapes
from bot.web.site import api_routes

HEAD = """\
# The API

<!-- Written by `python -m bot.web.reference > docs/api.md`; change the routes, not this. -->

"""

READING = """\
Below each route stand its arguments and body, and behind the arrow its answer, with its status
if that is not 200. In brackets is the right that a key needs; with *community*, managers and keys
of a community may use it too, for theirs. `*` means required, `Name`[] a page of several; `limit`
is 1 to 200, else 50; `person`, `who` and `room` are a name or an id, `from` and `to` a day or a
moment. [Shapes](#shapes) has the fields of bodies and answers, `GET /api/openapi.json` every type.
"""

BETWEEN_PROCESSES = "A pet of [several processes](shards.md#what-crosses-processes) asks itself"

_ANYWHERE = frozenset({"400", "401", "403", "404", "422", "429", "503"})
"""Refusals that a route does not repeat: any may answer them, and the top says what they mean."""

_AT_THE_TOP = frozenset(
    {
        *("`next` of the page before; without it the list begins", "The most entries of a page"),
        *("The ETag that the change is made for", "A name or an id", "A day or a moment"),
        *("1 to 200", "else 50"),
    }
)
"""What a route does not say of its arguments, as the top does."""

_INTERNAL = "siblings"
"""The tag of routes that are for the pet's other processes alone."""

_UNNAMED = "Successful Response"
"""What FastAPI says of an answer that nothing is said of."""


def routers() -> list[APIRouter]:
    """Every router that the description tells of."""
    return [api_routes(), health.router]


def reference() -> str:
    """The page: what holds for all, then each route, then the fields of bodies and answers."""
    description = described(routers())
    shapes = Shapes(description["components"]["schemas"])
    routes: list[str] = []
    internal: list[str] = []
    for path, of_path in sorted(description["paths"].items()):
        for method, operation in of_path.items():
            route = f"{method.upper()} {path}"
            if _INTERNAL in operation.get("tags", ()):
                internal.append(f"`{route}`")
            else:
                routes += ["", f"## {route}", "", *_told(operation, shapes)]
    lines = [
        f"Version {description['info']['version']}. {description['info']['description']}",
        "",
        READING,
        f"Errors: {' '.join(f'**{status}** {meaning}' for status, meaning in MEANINGS.items())}",
        *routes,
        *("", "## Between processes", "", f"{BETWEEN_PROCESSES} {', '.join(internal)}."),
        *("", "## Shapes", ""),
        *shapes.lines(),
    ]
    return HEAD + "\n".join(lines) + "\n"


def _told(operation: Mapping[str, Any], shapes: Shapes) -> Iterator[str]:
    """What a route does, who may ask, what it takes and what it gives."""
    about = " ".join(str(operation["description"]).split())
    yield f"{about} ({_needed(operation)})"
    yield ""
    taken = ", ".join(_taken(operation, shapes))
    given = "; ".join(_given(operation, shapes))
    yield f"{taken} → {given}" if taken else f"→ {given}"


def _needed(operation: Mapping[str, Any]) -> str:
    if operation.get("security") == []:
        return "open"
    rights = " and ".join(f"`{one}`" for one in operation["x-rights"])
    return f"{rights}, community" if operation["x-community"] else rights


def _taken(operation: Mapping[str, Any], shapes: Shapes) -> Iterator[str]:
    """Each argument of a route, and its body; what its path names only where it can be chosen."""
    for one in operation.get("parameters", ()):
        schema = one["schema"]
        in_path = one["in"] == "path"
        if in_path and "enum" not in schema:
            continue
        needed = "*" if one.get("required") and not in_path else ""
        about = [*_meanings(one, *schema.get("anyOf", ())), *_values(schema, shapes)]
        told = "; ".join(each for each in about if each not in _AT_THE_TOP)
        yield f"`{one['name']}`{needed}" + (f" ({told})" if told else "")
    if "requestBody" in operation:
        (body,) = operation["requestBody"]["content"].values()
        told = body["schema"].get("description", "").rstrip(".")
        yield shapes.taken(body["schema"]) + (f" ({told})" if told else "")


def _meanings(*described_ones: Mapping[str, Any]) -> Sequence[str]:
    """What is said of an argument, by itself or by what it can be."""
    return [one["description"].rstrip(".") for one in described_ones if "description" in one]


def _values(schema: Mapping[str, Any], shapes: Shapes) -> Sequence[str]:
    """What an argument can be, unless any text is meant, and what it is when left out."""
    shape = shapes.of(schema)
    if shape == "integer" and "maximum" in schema:
        shape = f"{schema['minimum']} to {schema['maximum']}"
    told = [] if shape == "string" else [shape]
    return [*told, f"else {schema['default']}"] if told and schema.get("default") else told


def _given(operation: Mapping[str, Any], shapes: Shapes) -> Iterator[str]:
    """Each answer of a route, but for the refusals that stand at the top."""
    for status, answer in operation["responses"].items():
        number = "" if status == "200" else f"**{status}** "
        meaning = answer["description"].rstrip(".")
        known = (_UNNAMED, MEANINGS.get(int(status), "").rstrip("."))
        own = "" if meaning in known else meaning
        if answer.get("content") not in (None, PROBLEM):
            body = _bodies(answer["content"], shapes)
            yield f"{number}{body}" + (f" ({own})" if own else "")
        elif own or status not in _ANYWHERE:
            yield f"**{status}** {own}".rstrip()


def _bodies(content: Mapping[str, Any], shapes: Shapes) -> str:
    """Each media type with its shape; those without a shape by their name alone."""
    return " or ".join(
        shapes.of(one["schema"]) if one.get("schema") else media for media, one in content.items()
    )


if __name__ == "__main__":
    sys.stdout.write(reference())
