"""`/settings get|set|reset`: what can be changed about the pet while it runs, from a chat."""

from collections.abc import Awaitable, Callable, Sequence

from bot.model.commands import Answer, Authority, Call, Caller, Choice, Command, Option, OptionKind
from bot.texts.catalogue import say
from memory.errors import UnknownSetting, WrongValue
from memory.language.dates_in_words import age
from memory.model.audit import Actor
from memory.ports import Clock
from memory.upkeep.live_settings import Panel, Setting

_NAME_OF = {"en": "which setting", "fr": "quel réglage"}


def settings_commands(panel: Panel, clock: Clock) -> tuple[Command, ...]:
    """For whoever looks after the pet; who changed what is audited."""

    async def names(_caller: Caller, typed: str) -> Sequence[Choice]:
        keys = (one.key for one in panel.settings())
        return [Choice(label=key, value=key) for key in keys if typed.lower() in key]

    async def get(call: Call) -> list[Setting]:
        key = call.arguments.get("name")
        return panel.settings() if key is None else [panel.setting(key)]

    async def change(call: Call) -> list[Setting]:
        given, by = call.arguments, Actor(call.caller.account)
        return [await panel.set(given["name"], given["value"], by)]

    async def reset(call: Call) -> list[Setting]:
        return [await panel.reset(call.arguments["name"], Actor(call.caller.account))]

    def command(name: str, summary: dict[str, str], found: Found, *options: Option) -> Command:
        async def run(call: Call) -> Answer:
            return await _told(call, found, clock)

        return Command(
            name=f"settings {name}",
            summary=summary,
            run=run,
            options=options,
            needs=Authority.PET,
            default=name == "get",
        )

    def named(*, required: bool) -> Option:
        return Option(
            name="name",
            summary=_NAME_OF,
            kind=OptionKind.WORD,
            required=required,
            complete=names,
            names={"fr": "nom"},
        )

    value = Option(
        name="value",
        summary={"en": "its new value", "fr": "sa nouvelle valeur"},
        required=True,
        names={"fr": "valeur"},
    )
    return (
        command(
            "get",
            {
                "en": "what can be changed while I run",
                "fr": "ce qui se règle pendant que je tourne",
            },
            get,
            named(required=False),
        ),
        command(
            "set",
            {"en": "change a setting", "fr": "changer un réglage"},
            change,
            named(required=True),
            value,
        ),
        command(
            "reset",
            {
                "en": "take a setting back to the settings file",
                "fr": "remettre un réglage comme dans le fichier",
            },
            reset,
            named(required=True),
        ),
    )


Found = Callable[[Call], Awaitable[list[Setting]]]


async def _told(call: Call, found: Found, clock: Clock) -> Answer:
    try:
        settings = await found(call)
    except (UnknownSetting, WrongValue) as error:
        return Answer(text=say("setting_refused", call.locale, reason=error))
    return Answer(text="\n".join(_line(one, clock, call.locale) for one in settings))


def _line(one: Setting, clock: Clock, locale: str) -> str:
    if one.kept is None:
        return say("setting", locale, key=one.key, value=one.value)
    return say(
        "setting_changed",
        locale,
        key=one.key,
        value=one.value,
        default=one.default,
        by=one.kept.by,
        age=age(one.kept.at, clock.now(), locale),
    )
