"""`/digest now`: what the lobby said becomes memories, now instead of at the next hour."""

from collections.abc import Awaitable, Callable

from bot.commands.model import Answer, Authority, Call, Command
from bot.texts import say
from observers.digest import DigestReport


def digest_command(digest: Callable[[], Awaitable[DigestReport]]) -> Command:
    """`/digest now`, or `/digest` alone."""

    async def run(call: Call) -> Answer:
        return Answer(text=digest_words(await digest(), call.locale))

    return Command(
        name="digest now",
        summary={
            "en": "read now what the lobby said since the last digest",
            "fr": "lire maintenant ce que le salon a dit depuis le dernier digest",
        },
        run=run,
        needs=Authority.PET,
        default=True,
    )


def digest_words(report: DigestReport, locale: str) -> str:
    """What a digest came to, in a sentence."""
    if report.interrupted:
        return say("digest_interrupted", locale, reason=report.interrupted)
    if not report.messages:
        return say("nothing_to_digest", locale)
    return say("digested", locale, messages=report.messages, facts=report.facts)
