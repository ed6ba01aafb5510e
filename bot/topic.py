"""How a topic registers itself: the names of its modules for each surface, imported when needed."""

import pkgutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Literal

TOPICS = "bot.topics"
"""The package whose packages are topics, each with a `TOPIC` in its `__init__`."""

Surface = Literal["operations", "routes", "pages", "commands", "terminal"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicSurfaces:
    """The modules of a topic's folder that make it reachable, by surface.

    `operations` define a subclass of `TopicOperations`, `routes` and `pages` a `router`,
    `commands` a function `commands`, `terminal` a function `register`. They are named and not
    imported, because `eko --help` must not load FastAPI.
    """

    operations: Sequence[str] = ()
    routes: Sequence[str] = ()
    pages: Sequence[str] = ()
    commands: Sequence[str] = ()
    terminal: Sequence[str] = ()


def registered(surface: Surface) -> Iterator[ModuleType]:
    """The modules that topics registered for a surface, by the topics' names."""
    for found in pkgutil.iter_modules(import_module(TOPICS).__path__):
        package = f"{TOPICS}.{found.name}"
        topic: TopicSurfaces = import_module(package).TOPIC
        for module in getattr(topic, surface):
            yield import_module(f"{package}.{module}")
