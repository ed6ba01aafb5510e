"""Every route of a site, for what must hold of all of them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from fastapi import FastAPI
from starlette.routing import Mount

UNKNOWN_IDS: Mapping[str, str] = {
    "slot": "lobby",
    "key": "nothing",
    "number": "77",
    "what": "pause",
    "decision": "dismiss",
    "space": "home",
    "name": "nothing",
}
"""What stands in addresses where nothing is meant; ids of rows elsewhere."""


@dataclass(frozen=True)
class WalkedRoute:
    """A method and an address; `path` has its parameters in braces."""

    method: str
    path: str

    def address(self, ids: Mapping[str, str] = UNKNOWN_IDS) -> str:
        """The address with these in the place of its parameters."""
        parts = self.path.replace("{name}.svg", "{name}").split("/")
        unknown = str(UUID(int=7))
        return "/".join(
            ids.get(part[1:-1], unknown) if part.startswith("{") else part for part in parts
        )


def routes_of(site: FastAPI) -> list[WalkedRoute]:
    """Every route but the folder of files, by method."""
    found = list(_walked(site.routes))
    assert len(found) > 100, "the routes are kept in another way"
    return found


def _walked(routes: Iterable[Any]) -> Iterator[WalkedRoute]:
    for route in routes:
        if candidates := getattr(route, "effective_candidates", None):
            yield from _walked(candidates())
        elif not isinstance(route, Mount):
            for method in route.methods:
                yield WalkedRoute(method, route.path)
