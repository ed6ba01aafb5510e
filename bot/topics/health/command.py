"""`/seed` and `/doctor`: for those who look after the pet."""

from pathlib import Path

from bot.commands.syntax import YES
from bot.diagnostics.doctor import Doctor
from bot.diagnostics.report import in_chat
from bot.model.commands import Action, Answer, Authority, Call, Command, Option, OptionKind
from bot.texts.catalogue import say
from bot.texts.commands import described
from bot.transfer.seeds import SeedRefused, plant, read_seed
from bot.wiring.app import App
from config.settings import Settings
from memory.learning.store import StatementWriter


def commands(app: App) -> tuple[Command, ...]:
    """The commands of this file, of this pet."""
    return (
        seed_command(app.services.writer, app.settings),
        doctor_command(app.doctor),
    )


def seed_command(remember: StatementWriter, settings: Settings) -> Command:
    """`/seed`, then `/seed confirm`: again adds nothing."""
    file = settings.seed.file

    async def run(call: Call) -> Answer:
        try:
            planned = read_seed(None if file is None else Path(file), settings.locale)
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
        head = say("seed.shown", call.locale, count=len(planned))
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
