"""The menus of commands, told to Telegram once for each change.

https://core.telegram.org/bots/api#setmycommands: names have small Latin letters, digits and `_`.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

import structlog

from bot.channels.telegram.service.api import BotApi, patiently
from bot.commands.menu_names import menu_names
from bot.errors import DeliveryFailed
from bot.model.commands import Authority, Command
from bot.ports import Announced
from bot.texts.catalogue import languages
from bot.texts.commands import OWN

log = structlog.get_logger()

MOST_COMMANDS = 100
"""Commands of one menu."""

LONGEST_DESCRIPTION = 256
"""Characters of what a command is for."""

_NAME = re.compile(r"[a-z0-9_]{1,32}")

_SCOPES: Mapping[str, frozenset[Authority]] = {
    "all_private_chats": frozenset({Authority.NONE}),
    "all_group_chats": frozenset({Authority.NONE}),
    "all_chat_administrators": frozenset({Authority.NONE, Authority.SPACE}),
}
"""Whose commands are listed where; each may be typed all the same."""

LONGEST_WAIT_S = 60.0
"""Seconds that flood control may ask for."""


class Menu:
    """The commands as Telegram lists them."""

    def __init__(self, table: Mapping[str, Command], announced: Announced) -> None:
        self._lists = lists_of(table)
        self._fingerprint = _fingerprint(self._lists)
        self._announced = announced

    async def sync(self, api: BotApi, account: str) -> None:
        """Register the commands if they have changed; the next connection repeats what failed."""
        if await self._announced.last(account) == self._fingerprint:
            return
        try:
            for one in self._lists:
                await patiently(api, "setMyCommands", longest_wait_s=LONGEST_WAIT_S, **one)
        except DeliveryFailed as error:
            log.warning("commands.refused", reason=str(error))
            return
        await self._announced.keep(account, self._fingerprint)
        log.info("commands.announced", lists=len(self._lists))


def lists_of(table: Mapping[str, Command]) -> list[dict[str, Any]]:
    """The commands for Telegram: a list for each scope and language."""
    return [
        {
            "commands": _listed(table, locale, allowed),
            "scope": {"type": scope},
            # A list without a language is for all languages that have no list.
            **({} if locale == OWN else {"language_code": locale}),
        }
        for scope, allowed in _SCOPES.items()
        for locale in languages()
    ]


def _listed(
    table: Mapping[str, Command], locale: str, allowed: frozenset[Authority]
) -> list[dict[str, str]]:
    shown = {name: one for name, one in table.items() if one.needs in allowed}
    return [
        {"command": name, "description": one.summary[locale][:LONGEST_DESCRIPTION]}
        for name, one in menu_names(shown, locale).items()
        if _NAME.fullmatch(name) and one.summary[locale]
    ][:MOST_COMMANDS]


def _fingerprint(lists: list[dict[str, Any]]) -> str:
    return hashlib.sha256(json.dumps(lists, sort_keys=True).encode()).hexdigest()
