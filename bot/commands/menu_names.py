"""Names of commands where a platform takes only small Latin letters, digits and `_`. Pure."""

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

from bot.model.commands import Command

_CALLED = re.compile(r"/([a-z0-9_]{1,64})(?:@(\w{1,64}))?(?=\s|$)", re.IGNORECASE)
_OTHER = re.compile(r"[^a-z0-9]+")


def menu_name(name: str) -> str:
    """A name without accents, hyphens and blanks: `qu'est-ce` is `qu_est_ce`."""
    bare = "".join(
        one for one in unicodedata.normalize("NFKD", name.lower()) if not unicodedata.combining(one)
    )
    return _OTHER.sub("_", bare).strip("_")


def menu_names(table: Mapping[str, Command], locale: str) -> Mapping[str, Command]:
    """The commands by what a menu in a language calls them, in the order of the table."""
    return {menu_name(one.called(locale)): one for one in table.values()}


def respelt(text: str, table: Mapping[str, Command], username: str | None = None) -> str:
    """A line with the command's own name in the place of what a menu calls it.

    `/forget_me@eko_bot kids` is `/forget me kids` where `username` is `eko_bot`. What calls another
    program, or no command, is left as it is.
    """
    found = _CALLED.match(text)
    if found is None:
        return text
    called, other = found[1].lower(), found[2]
    if other is not None and (username is None or other.lower() != username.lower()):
        return text
    name = _own_names(tuple(table.values())).get(called)
    rest = text[found.end() :]
    if name is None:
        return text if other is None else f"/{found[1]}{rest}"
    return f"/{name}{rest}"


def _own_names(commands: tuple[Command, ...]) -> Mapping[str, str]:
    return _names_by_menu(tuple((one.name, *one.names.values()) for one in commands))


@lru_cache(maxsize=8)
def _names_by_menu(names: tuple[tuple[str, ...], ...]) -> Mapping[str, str]:
    """The own name of each command by everything that a menu calls it; what is first stays."""
    by_menu: dict[str, str] = {}
    for own, *others in names:
        for one in (own, *others):
            by_menu.setdefault(menu_name(one), own)
    return by_menu
