"""The pages of the dashboard, in the order of the menu. Values, and pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.surfaces.access.principal import Principal

PREFIX = "/dashboard"
"""Where the dashboard begins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MenuEntry:
    """One page of the menu; its title is the text `NAME.title`. `shared`: managers have it too.

    Pages below its path belong to it, and those `also` that have addresses of their own.
    """

    name: str
    path: str
    shared: bool = False
    also: tuple[str, ...] = ()


SECTIONS = (
    MenuEntry(name="home", path=PREFIX, also=(f"{PREFIX}/health",)),
    MenuEntry(name="memory", path=f"{PREFIX}/memory", shared=True),
    MenuEntry(name="facts", path=f"{PREFIX}/facts"),
    MenuEntry(name="people", path=f"{PREFIX}/people"),
    MenuEntry(name="rooms", path=f"{PREFIX}/rooms", shared=True),
    MenuEntry(name="brain", path=f"{PREFIX}/brain"),
    MenuEntry(name="conversations", path=f"{PREFIX}/conversations", also=(f"{PREFIX}/ask",)),
    MenuEntry(name="digests", path=f"{PREFIX}/digests"),
    MenuEntry(name="recall", path=f"{PREFIX}/recall"),
    MenuEntry(name="notes", path=f"{PREFIX}/notes"),
    MenuEntry(name="history", path=f"{PREFIX}/history"),
    MenuEntry(name="costs", path=f"{PREFIX}/costs"),
    MenuEntry(name="system", path=f"{PREFIX}/system"),
    MenuEntry(name="access", path=f"{PREFIX}/access"),
)


def section_of(path: str) -> MenuEntry | None:
    """The section that a page belongs to, by its address."""
    return next((one for one in SECTIONS if _holds(one, path)), None)


def _holds(section: MenuEntry, path: str) -> bool:
    is_below = section.path != PREFIX and path.startswith(f"{section.path}/")
    return is_below or path in {section.path, *section.also}


def sections_for(principal: Principal | None) -> Sequence[MenuEntry]:
    """The pages one may open; none before logging in."""
    if principal is None:
        return ()
    return [one for one in SECTIONS if one.shared or principal.is_owner]
