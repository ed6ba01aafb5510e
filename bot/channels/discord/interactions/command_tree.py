"""Discord's own commands, made from the table that typed commands come from as well.

The library builds commands from the signatures of Python functions; the table is data already, so
it is translated for Discord here.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import discord
import structlog
from discord.http import HTTPClient

from bot.channels.discord.service.http import requested
from bot.errors import DeliveryFailed
from bot.model.commands import Authority, Command, Option, OptionKind
from bot.ports import Announced
from bot.texts.catalogue import languages
from bot.texts.commands import OWN

log = structlog.get_logger()

SYNC_S = 60
"""Seconds for telling the commands: the library waits out limits of requests, which may be long."""

Payload = dict[str, Any]
"""A command or an option in the form of Discord's documentation of application commands."""

_SUBCOMMAND, _STRING, _BOOLEAN = 1, 3, 5
_CHAT_INPUT = 1
_IN_GUILDS, _WITH_THE_BOT = 0, 1
_FOR_GUILDS = 0
_MANAGERS = str(discord.Permissions(manage_guild=True).value)


class TableUnfit(ValueError):
    """The table has names that Discord cannot tell apart."""


class Tree:
    """The commands as Discord shows them, told to it once for each change.

    Raises:
        TableUnfit: see `tree_of`.

    """

    def __init__(self, table: Mapping[str, Command], announced: Announced) -> None:
        self._payload = tree_of(table)
        self._fingerprint = _fingerprint(self._payload)
        self._announced = announced

    async def sync(self, http: HTTPClient, application: int) -> None:
        """Register the commands if they have changed; the next connection repeats what failed."""
        account = f"discord:{application}"
        if await self._announced.last(account) == self._fingerprint:
            return
        telling = http.bulk_upsert_global_commands(application, self._payload)
        try:
            await requested(telling, limit_s=SYNC_S)
        except DeliveryFailed as error:
            log.warning("commands.refused", reason=str(error))
            return
        await self._announced.keep(account, self._fingerprint)
        log.info("commands.announced", commands=len(self._payload))


def tree_of(table: Mapping[str, Command]) -> list[Payload]:
    """A table of commands for Discord: names of two words are commands within a group.

    Raises:
        TableUnfit: a command is also the first word of others, or two have one name.

    """
    groups: dict[str, list[Command]] = defaultdict(list)
    for command in table.values():
        groups[command.name.split()[0]].append(command)
    _check(groups)
    return [_top(first, commands) for first, commands in groups.items()]


def _check(groups: Mapping[str, Sequence[Command]]) -> None:
    """Refuse what Discord would take for another command than it is."""
    for first, commands in groups.items():
        if len(commands) > 1 and first in {one.name for one in commands}:
            raise TableUnfit(f"/{first} is a command, and the first word of others.")
        if any(one.names for one in commands) and first not in {one.name for one in commands}:
            raise TableUnfit(f"/{first} is of two words, which have no names in other languages.")
    _check_alike([(first, *commands[0].names.values()) for first, commands in groups.items()])


def _check_alike(names: Sequence[Sequence[str]]) -> None:
    seen: set[str] = set()
    for name in chain.from_iterable(dict.fromkeys(each) for each in names):
        if name in seen:
            raise TableUnfit(f"/{name} is the name of two commands.")
        seen.add(name)


def _top(first: str, commands: Sequence[Command]) -> Payload:
    everybody = min(one.needs for one in commands) is Authority.NONE
    return {
        "type": _CHAT_INPUT,
        **_body(first, commands),
        "contexts": [_IN_GUILDS, _WITH_THE_BOT] if everybody else [_IN_GUILDS],
        "integration_types": [_FOR_GUILDS],
        "default_member_permissions": None if everybody else _MANAGERS,
    }


def _body(first: str, commands: Sequence[Command]) -> Payload:
    if commands[0].name == first:
        return _command(first, commands[0])
    seconds = [(one.name.split()[1], one) for one in commands]
    return {
        **_named(first, {}),
        **_described(dict.fromkeys(languages(), ", ".join(second for second, _ in seconds))),
        "options": [{"type": _SUBCOMMAND, **_command(*one)} for one in seconds],
    }


def _command(name: str, command: Command) -> Payload:
    """One command; what must be given stands first, as Discord wants it."""
    shown = sorted((one for one in command.options if one.shown), key=lambda one: not one.required)
    return {
        **_named(name, command.names),
        **_described(command.summary),
        "options": [_option(one) for one in shown],
    }


def _option(option: Option) -> Payload:
    payload: Payload = {
        "type": _BOOLEAN if option.kind is OptionKind.FLAG else _STRING,
        **_named(option.name, option.names),
        **_described(option.summary),
        "required": option.required,
    }
    if option.choices:
        payload["choices"] = [{"name": one, "value": one} for one in option.choices]
    elif option.complete is not None:
        payload["autocomplete"] = True
    return payload


def _named(name: str, names: Mapping[str, str]) -> Payload:
    return {"name": name, "name_localizations": _localized(names)}


def _described(summary: Mapping[str, str]) -> Payload:
    return {"description": summary[OWN], "description_localizations": _localized(summary)}


def _localized(texts: Mapping[str, str]) -> dict[str, str]:
    """Texts by Discord's locales: a language of ours may be several there, or none."""
    spoken = {locale.value: locale.value.partition("-")[0] for locale in discord.Locale}
    return {locale: texts[one] for locale, one in spoken.items() if one in texts and one != OWN}


def _fingerprint(payload: Sequence[Payload]) -> str:
    return hashlib.sha256(json.dumps(payload, sort_keys=True).encode()).hexdigest()
