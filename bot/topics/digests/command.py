"""`/digest now|status`: what the lobby said becomes memories, and when it does so by itself."""

from collections.abc import Awaitable, Callable
from datetime import datetime, tzinfo

from bot.model.commands import Answer, Authority, Call, Command
from bot.texts.catalogue import number, say
from bot.texts.commands import described
from bot.wiring.app import App
from memory.language.dates_in_words import age, date_in_words, time_of_day
from memory.model.digests import DigestRow, LiveCount
from memory.ports import Clock
from memory.storage.conversations.digests import Digests
from observers.digest import DigestReport


def commands(app: App) -> tuple[Command, ...]:
    """The commands of this file, of this pet."""
    return (
        digest_status_command(app.storage.digests, app.next_digest, app.zone, app.clock),
        digest_command(app.services.digest.run),
    )


def digest_command(digest: Callable[[], Awaitable[DigestReport]]) -> Command:
    """`/digest now`, or `/digest` alone."""

    async def run(call: Call) -> Answer:
        return Answer(text=digest_words(await digest(), call.locale))

    return Command(
        name="digest now",
        **described("commands.digest.now"),
        run=run,
        needs=Authority.PET,
        default=True,
    )


NextDigest = Callable[[datetime], datetime | None]
"""When the next digest is due after a moment; None if none is planned."""


def digest_status_command(
    digests: Digests, next_digest: NextDigest, zone: tzinfo, clock: Clock
) -> Command:
    """`/digest status`: of the space for its managers, of all spaces for the pet's admins."""

    async def run(call: Call) -> Answer:
        locale, now = call.locale, clock.now()
        is_operator = call.caller.authority is Authority.PET
        lines = [
            _last(await digests.last_done(), now, locale, counts=is_operator),
            _next(next_digest(now), zone, locale),
            _live("digest.live_here", await digests.live(call.caller.room.space), locale),
        ]
        if is_operator:
            lines.append(_live("digest.live", await digests.live(), locale))
        return Answer(text="\n".join(lines))

    return Command(
        name="digest status",
        **described("commands.digest.status"),
        run=run,
        needs=Authority.SPACE,
    )


def _last(done: DigestRow | None, now: datetime, locale: str, *, counts: bool) -> str:
    if done is None or done.finished_at is None:
        return say("digest.never", locale)
    told = say("digest.last", locale, age=age(done.finished_at, now, locale))
    if not counts:
        return told
    return f"{told} {_came_to('digest.read', done.messages, done.facts, locale)}"


def _next(slot: datetime | None, zone: tzinfo, locale: str) -> str:
    if slot is None:
        return say("digest.by_hand", locale)
    day = date_in_words(slot, zone, locale)
    time = " ".join(time_of_day(slot, zone, locale).split())
    return say("digest.next", locale, day=day, time=time)


def _live(text: str, live: LiveCount, locale: str) -> str:
    waiting = say("counted.messages", locale, count=live.waiting - live.quarantined)
    return say(text, locale, waiting=waiting, aside=number(live.quarantined, locale))


def digest_words(report: DigestReport, locale: str) -> str:
    """What a digest came to, in a sentence."""
    if report.interrupted:
        return say("digest.interrupted", locale, reason=report.interrupted)
    if not report.messages:
        return say("digest.nothing", locale)
    return _came_to("digest.done", report.messages, report.facts, locale)


def _came_to(text: str, messages: int, facts: int, locale: str) -> str:
    read = say("counted.messages", locale, count=messages)
    return say(text, locale, messages=read, facts=say("counted.statements", locale, count=facts))
