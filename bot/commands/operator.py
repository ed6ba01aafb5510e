"""`/seed`, `/usage` and `/doctor`: for those who look after the pet."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path

from bot.agent.metering import Cap, Caps, day_begun
from bot.commands.framework.syntax import YES
from bot.diagnostics.doctor import Doctor
from bot.diagnostics.report import in_chat
from bot.model.commands import Action, Answer, Authority, Call, Command, Option, OptionKind
from bot.model.requests import Purpose
from bot.texts.catalogue import number, say
from bot.texts.commands import described
from bot.transfer.seeds import SeedRefused, plant, read_seed
from memory.learning.store import StatementWriter
from memory.model.ledger import PurposeUsage
from memory.ports import Clock
from memory.storage.conversations.ledger import Ledger

LONG = timedelta(days=30)
"""The longer of the two times that usage is told of."""


def seed_command(remember: StatementWriter, file: Path | None) -> Command:
    """`/seed`, then `/seed confirm`: again adds nothing."""

    async def run(call: Call) -> Answer:
        try:
            planned = read_seed(file)
        except SeedRefused:  # its sentence names a file of the machine
            return Answer(text=say("seed.refused", call.locale))
        if call.has("confirm"):
            stored = await plant(remember, planned, call.caller.commander)
            new = sum(one.is_new for one in stored)
            return Answer(text=say("seed.planted", call.locale, read=len(stored), new=new))
        lines = [f"• {say(f'kind.{one.category}', call.locale)}: {one.content}" for one in planned]
        confirm = Action(
            label=say("seed.it", call.locale), command="seed", arguments={"confirm": YES}
        )
        head = say("seed.shown", call.locale, read=len(planned))
        return Answer(text="\n".join((head, *lines)), actions=(confirm,))

    return Command(
        name="seed",
        **described("commands.seed"),
        run=run,
        options=(
            Option(
                name="confirm",
                kind=OptionKind.FLAG,
                shown=False,
            ),
        ),
        needs=Authority.PET,
    )


def usage_command(ledger: Ledger, caps: Caps, clock: Clock) -> Command:
    """`/usage`: what models cost today and in thirty days, by purpose."""

    async def run(call: Call) -> Answer:
        now, locale = clock.now(), call.locale
        today = await ledger.usage(day_begun(now))
        lately = await ledger.usage(now - LONG)
        lines = [
            say("usage.today", locale),
            *_used(today, locale, caps.per_purpose),
            say("usage.lately", locale),
            *_used(lately, locale, {}),
        ]
        if caps.per_person_turns is not None:
            lines.append(say("usage.per_person", locale, turns=caps.per_person_turns))
        return Answer(text="\n".join(lines))

    return Command(
        name="usage",
        **described("commands.usage"),
        run=run,
        needs=Authority.PET,
    )


def doctor_command(doctor: Doctor) -> Command:
    """`/doctor`: how each part is, without what belongs to the machine."""

    async def run(call: Call) -> Answer:
        findings = await doctor.diagnose()
        return Answer(text="\n".join(in_chat(one, call.locale) for one in findings))

    return Command(
        name="doctor",
        **described("commands.doctor"),
        run=run,
        needs=Authority.PET,
    )


def _used(usage: Sequence[PurposeUsage], locale: str, caps: Mapping[Purpose, Cap]) -> list[str]:
    """A line for each purpose; those that are capped are told even if nothing was used yet."""
    lines = [_line(one, locale) + _cap(one.purpose, locale, caps) for one in usage]
    used = {one.purpose for one in usage}
    idle = [purpose for purpose, cap in caps.items() if purpose not in used and cap != Cap()]
    lines += [
        say("usage.idle", locale, purpose=say(f"purpose.{one}", locale)) + _cap(one, locale, caps)
        for one in idle
    ]
    return lines or [say("usage.none", locale)]


def _line(one: PurposeUsage, locale: str) -> str:
    share = round(100 * one.injected / one.sent) if one.sent else 0
    told = say(
        "usage.line",
        locale,
        purpose=say(f"purpose.{one.purpose}", locale),
        calls=number(one.calls, locale),
        fresh=number(one.input + one.cache_write, locale),
        cached=number(one.cache_read, locale),
        output=number(one.output, locale),
    )
    return told + (say("usage.injected", locale, share=share) if one.injected else "")


def _cap(purpose: str, locale: str, caps: Mapping[Purpose, Cap]) -> str:
    cap = next((cap for one, cap in caps.items() if one == purpose), Cap())
    told = [
        say(text, locale, most=number(most, locale))
        for text, most in (("usage.cap_input", cap.input), ("usage.cap_output", cap.output))
        if most is not None
    ]
    return f" [{', '.join(told)}]" if told else ""
