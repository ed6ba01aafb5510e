"""`/settings get|set|reset`: what can be changed about the pet while it runs, from a chat."""

from collections.abc import Awaitable, Callable, Sequence

from bot.model.commands import Answer, Authority, Call, Caller, Choice, Command, Option, OptionKind
from bot.texts.catalogue import say
from bot.texts.commands import Described, described
from bot.wiring.app import App
from memory.language.dates_in_words import age
from memory.model.errors import UnknownSetting, WrongValue
from memory.model.people import Signature
from memory.ports import Clock
from memory.upkeep.live_settings import LiveSettings, Setting


def commands(app: App) -> tuple[Command, ...]:
    """The commands of this file, of this pet."""
    return settings_commands(app.live_settings, app.clock)


def settings_commands(live_settings: LiveSettings, clock: Clock) -> tuple[Command, ...]:
    """For admins of the pet; who changed what is audited."""

    async def names(_caller: Caller, typed: str) -> Sequence[Choice]:
        keys = (one.key for one in live_settings.settings())
        return [Choice(label=key, value=key) for key in keys if typed.lower() in key]

    async def get(call: Call) -> list[Setting]:
        key = call.arguments.get("name")
        return live_settings.settings() if key is None else [live_settings.setting(key)]

    async def change(call: Call) -> list[Setting]:
        given, by = call.arguments, Signature(call.caller.account)
        return [await live_settings.set(given["name"], given["value"], by)]

    async def reset(call: Call) -> list[Setting]:
        return [await live_settings.reset(call.arguments["name"], Signature(call.caller.account))]

    def command(name: str, found: Found, texts: Described, *options: Option) -> Command:
        async def run(call: Call) -> Answer:
            return await _told(call, found, clock)

        return Command(
            name=f"settings {name}",
            **texts,
            run=run,
            options=options,
            needs=Authority.PET,
            default=name == "get",
        )

    def named(texts: Described, *, required: bool = True) -> Option:
        return Option(name="name", **texts, kind=OptionKind.WORD, required=required, complete=names)

    value = Option(name="value", **described("commands.settings.set.value"), required=True)
    return (
        command(
            "get",
            get,
            described("commands.settings.get"),
            named(described("commands.settings.get.name"), required=False),
        ),
        command(
            "set",
            change,
            described("commands.settings.set"),
            named(described("commands.settings.set.name")),
            value,
        ),
        command(
            "reset",
            reset,
            described("commands.settings.reset"),
            named(described("commands.settings.reset.name")),
        ),
    )


Found = Callable[[Call], Awaitable[list[Setting]]]


async def _told(call: Call, found: Found, clock: Clock) -> Answer:
    try:
        settings = await found(call)
    except (UnknownSetting, WrongValue) as error:
        return Answer(text=say("settings.refused", call.locale, reason=error))
    return Answer(text="\n".join(_line(one, clock, call.locale) for one in settings))


def _line(one: Setting, clock: Clock, locale: str) -> str:
    if one.kept is None:
        return say("settings.line", locale, key=one.key, value=one.value)
    return say(
        "settings.changed",
        locale,
        key=one.key,
        value=one.value,
        default=one.default,
        by=one.kept.by,
        age=age(one.kept.at, clock.now(), locale),
    )
