"""The page about the API has what a developer of a client looks for."""

import re

import pytest

from bot.surfaces.api.description import described
from bot.web.reference import reference, routers
from bot.web.reference_shapes import Shapes

NAMED = re.compile(r"`([A-Z]\w+)`")


@pytest.fixture(scope="module")
def sections() -> dict[str, str]:
    """What stands below each heading of the page."""
    parts = (one.partition("\n") for one in reference().split("\n## "))
    return {heading: text for heading, _, text in parts}


def test_every_route_has_its_arguments_and_its_rights(sections: dict[str, str]) -> None:
    """But for what its path names already, and for routes of the pet's own processes."""
    lost = []
    for path, of_path in described(routers())["paths"].items():
        for method, operation in of_path.items():
            route = f"{method.upper()} {path}"
            if operation["tags"] == ["siblings"]:
                wanted, text = [route], sections["Between processes"]
            else:
                asked = [one for one in operation.get("parameters", ()) if one["in"] != "path"]
                wanted = [one["name"] for one in asked] + list(operation.get("x-rights", ()))
                text = sections[route]
            lost += [f"{route}: {one}" for one in wanted if f"`{one}`" not in text]
    assert lost == []


def test_every_shape_that_is_named_has_its_fields(sections: dict[str, str]) -> None:
    """Also those that others take their fields from."""
    listed = dict(re.findall(r"(?m)^- `(\w+)`: (.+)$", sections["Shapes"]))
    named = {name for text in sections.values() for name in NAMED.findall(text)}
    assert sorted(named - listed.keys() - {"Accept", "Name"}) == []
    assert "`superseded_by`" in listed["StatementInHistory"]


def test_a_shape_says_what_a_body_needs_and_whose_fields_an_answer_has() -> None:
    """A body marks its required fields; an answer names the shape that it extends."""
    fields: dict[str, dict[str, str]] = {key: {} for key in "abcd"}
    answer = {"properties": fields, "required": ["a"]}
    more = {"properties": {**fields, "e": {}}}
    body = {"properties": {"x": {}, "y": {}}, "required": ["x"]}
    shapes = Shapes({"Answer": answer, "More": more, "Body": body})
    taken = shapes.taken({"$ref": "#/components/schemas/Body"})
    given = [shapes.of({"$ref": f"#/components/schemas/{one}"}) for one in ("Answer", "More")]
    assert (taken, given) == ("`Body`", ["`Answer`", "`More`"])
    assert [*shapes.lines()] == [
        "- `Answer`: `a`, `b`, `c`, `d`",
        "- `Body`: `x`*, `y`",
        "- `More`: all of `Answer`, `e`",
    ]
