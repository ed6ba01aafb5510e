"""A command for tests that are about no command in particular."""

from bot.model.commands import Answer, Authority, Call, Command


def ping(ran: list[Call]) -> Command:
    """`/ping`, which notes that it was run."""

    async def run(call: Call) -> Answer:
        ran.append(call)
        return Answer(text="pong")

    summary = {"en": "ping", "fr": "ping"}
    return Command(name="ping", summary=summary, run=run, needs=Authority.PET)
