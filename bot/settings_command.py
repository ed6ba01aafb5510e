"""`/settings`: what can be changed about the pet while it runs, from a chat."""

from collections.abc import Callable

from bot.commands import Command
from bot.model import Heard
from bot.texts import say
from memory.adapters.sqlite.audit import Actor
from memory.ages import age
from memory.errors import UnknownSetting, WrongValue
from memory.panel import Panel, Setting
from memory.ports import Clock


def settings_command(panel: Panel, clock: Clock, locale: str) -> Command:
    """`/settings get|set|reset`: for whoever looks after the pet; who changed what is audited."""

    async def run(heard: Heard) -> str:
        try:
            found = await _settings(panel, heard)
        except (UnknownSetting, WrongValue) as error:
            return say("setting_refused", locale, reason=error)
        if not found:
            return say("settings_explained", locale)
        now = clock.now()
        return "\n".join(_line(one, lambda at: age(at, now, locale), locale) for one in found)

    return Command(
        name="settings",
        summary={
            "en": "get, set NAME VALUE, reset NAME: what can be changed while I run",
            "fr": "get, set NOM VALEUR, reset NOM : ce qui se règle pendant que je tourne",
        },
        run=run,
        admin=True,
    )


async def _settings(panel: Panel, heard: Heard) -> list[Setting]:
    """The settings that were asked for or changed; none when the words are no such command."""
    match heard.text.split(maxsplit=3)[1:]:
        case [] | ["get"]:
            return panel.settings()
        case ["get", key]:
            return [panel.setting(key)]
        case ["set", key, value]:
            return [await panel.set(key, value, Actor(heard.account))]
        case ["reset", key]:
            return [await panel.reset(key, Actor(heard.account))]
        case _:
            return []


def _line(one: Setting, old: Callable[..., str], locale: str) -> str:
    if one.kept is None:
        return say("setting", locale, key=one.key, value=one.value)
    return say(
        "setting_changed",
        locale,
        key=one.key,
        value=one.value,
        default=one.default,
        by=one.kept.by,
        age=old(one.kept.at),
    )
