"""How the page about the API writes the schemas of bodies and answers. Pure."""

from collections.abc import Iterator, Mapping
from typing import Any

_PAGE = frozenset({"items", "next"})
"""The fields of a page of a list."""

_LEAST_SHARED = 4
"""So many fields that shapes share are named by the shape that has no others."""


class Shapes:
    """The schemas of a description: each in a word where it is used, its fields once.

    `lines` lists those that `of` was asked about, and is called after it.
    """

    def __init__(self, schemas: Mapping[str, Mapping[str, Any]]) -> None:
        self._schemas = schemas
        self._named: set[str] = set()
        self._taken: set[str] = set()

    def taken(self, schema: Mapping[str, Any]) -> str:
        """The schema of a body that a route takes: `lines` marks which of its fields it needs."""
        before = {*self._named}
        word = self.of(schema)
        self._taken |= self._named - before
        return word

    def of(self, schema: Mapping[str, Any]) -> str:
        """A schema in a word or two; what can be null is optional, and not said to be null."""
        if "$ref" in schema:
            return self._by_name(schema["$ref"].rpartition("/")[2])
        if "anyOf" in schema:
            some = [one for one in schema["anyOf"] if one.get("type") != "null"]
            return " or ".join(self.of(one) for one in some) or "any"
        if "enum" in schema:
            return " or ".join(f"`{one}`" for one in schema["enum"])
        if schema.get("type") == "array":
            return f"list of {self.of(schema.get('items', {}))}"
        return str(schema.get("type", "any"))

    def lines(self) -> Iterator[str]:
        """Each shape that was named, with its fields or its choices."""
        for name in sorted(self._named):
            schema = self._schemas[name]
            fields = schema.get("properties") or {one: {} for one in schema.get("enum", ())}
            base = self._base(name, set(fields))
            own = [one for one in fields if base is None or one not in self._fields(base)]
            told = [f"all of `{base}`"] if base else []
            needed = schema.get("required", ()) if name in self._taken else ()
            told += [f"`{one}`*" if one in needed else f"`{one}`" for one in own]
            yield f"- `{name}`: {', '.join(told)}"

    def _by_name(self, name: str) -> str:
        schema = self._schemas[name]
        if schema.get("properties", {}).keys() == _PAGE:
            return f"{self.of(schema['properties']['items']['items'])}[]"
        self._named.add(name)
        return f"`{name}`"

    def _base(self, name: str, fields: set[str]) -> str | None:
        """The largest other shape whose fields are all among these."""
        within = [
            other
            for other in self._named - self._taken - {name}
            if len(self._fields(other)) >= _LEAST_SHARED and self._fields(other) < fields
        ]
        return max(within, key=lambda one: (len(self._fields(one)), one), default=None)

    def _fields(self, name: str) -> set[str]:
        return set(self._schemas[name].get("properties", ()))
