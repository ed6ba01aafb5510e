"""The API as a page for people: `python -m bot.web.reference > docs/api.md`."""

import sys
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from fastapi import APIRouter

from bot.surfaces.api.description import described
from bot.surfaces.api.documented import PROBLEM
from bot.web import health
from bot.web.site import api_routes

HEAD = """\
# The API

<!-- Written by `python -m bot.web.reference > docs/api.md`; change the routes, not this. -->

"""


_OFTEN = 10


def routers() -> list[APIRouter]:
    """Every router that the description tells of."""
    return [api_routes(), health.router]


def reference() -> str:
    """The page: what holds for all, then each resource with its parameters and answers."""
    description = described(routers())
    common = _common(description)
    lines = [
        f"Version {description['info']['version']}. {description['info']['description']}",
        "",
        "The same for programs, with every answer of each: `GET /api/openapi.json`.",
        "",
        "Many answer these besides what stands below:",
        "",
        *(f"- **{status}** {told}" for status, told in sorted(common)),
    ]
    for path, of_path in sorted(description["paths"].items()):
        for method, operation in of_path.items():
            lines += ["", f"## {method.upper()} {path}", "", *_told(operation, description, common)]
    return HEAD + "\n".join(lines) + "\n"


def _common(description: Mapping[str, Any]) -> Collection[tuple[str, str]]:
    """The errors that at least ten operations answer in the same words, each with its status."""
    errors = Counter(
        (status, _answer(answer, description))
        for of_path in description["paths"].values()
        for operation in of_path.values()
        for status, answer in operation["responses"].items()
        if answer.get("content") == PROBLEM
    )
    return {error for error, times in errors.items() if times >= _OFTEN}


def _told(
    operation: Mapping[str, Any],
    description: Mapping[str, Any],
    common: Collection[tuple[str, str]],
) -> Iterator[str]:
    yield str(operation.get("description") or operation["summary"])
    if operation.get("security") == []:
        yield "Open: neither session nor key is asked for."
    if rights := operation.get("x-rights"):
        needed = " and ".join(f"`{one}`" for one in rights)
        community = ", of a community too" if operation["x-community"] else ""
        yield f"Needs {needed}{community}."
    parameters = [*_parameters(operation, description)]
    if parameters:
        yield from ("", "| parameter | in | type | |", "|---|---|---|---|", *parameters)
    if "requestBody" in operation:
        yield from ("", f"Body: {_bodies(operation['requestBody']['content'], description)}")
    yield ""
    for status, answer in operation["responses"].items():
        told = _answer(answer, description)
        if (status, told) not in common:
            yield f"- **{status}** {told}"


def _parameters(operation: Mapping[str, Any], description: Mapping[str, Any]) -> Iterator[str]:
    for one in operation.get("parameters", ()):
        needed = " (required)" if one.get("required") else ""
        about = one.get("description", "").replace("|", "\\|")
        shape = _shape(one["schema"], description)
        yield f"| `{one['name']}`{needed} | {one['in']} | {shape} | {about} |"


def _answer(answer: Mapping[str, Any], description: Mapping[str, Any]) -> str:
    told = str(answer["description"]).rstrip(".")
    if answer.get("content") in (None, PROBLEM):
        return told
    return f"{told}: {_bodies(answer['content'], description)}"


def _bodies(content: Mapping[str, Any], description: Mapping[str, Any]) -> str:
    """Each media type with its shape; those without a shape by their name alone."""
    return "; ".join(
        f"{media} {_shape(one['schema'], description)}" if one.get("schema") else media
        for media, one in content.items()
    )


def _shape(schema: Mapping[str, Any], description: Mapping[str, Any]) -> str:
    """A schema in a line: the fields of an object, the choices of an enumeration."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        fields = description["components"]["schemas"][name].get("properties", {})
        return f"`{name}` ({', '.join(fields)})" if fields else f"`{name}`"
    if "anyOf" in schema:
        return " or ".join(_shape(one, description) for one in schema["anyOf"])
    if "enum" in schema:
        return " or ".join(f"`{one}`" for one in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_shape(schema.get('items', {}), description)}"
    return str(schema.get("type", "any"))


if __name__ == "__main__":
    sys.stdout.write(reference())
