"""Commands typed as text: one table for every channel, answered outside any turn."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Protocol

import structlog

from bot.delivery import Delivery
from bot.model import Expression, Heard, Reply
from bot.texts import say
from memory.model import PersonId
from observers.digest import DigestReport

log = structlog.get_logger()


class Observe(Protocol):
    """Lets a person be observed, or stops it."""

    async def __call__(self, person: PersonId, *, observed: bool) -> None:
        """Remember the wish; it holds from the next message on."""
        ...


Handler = Callable[[Heard], Awaitable[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One command: its name without the slash, what it does in both languages, and who may."""

    name: str
    summary: dict[str, str]
    run: Handler
    admin: bool = False


class Commands:
    """Knows the commands and answers them, also while a turn runs."""

    def __init__(
        self, table: Sequence[Command], delivery: Delivery, admins: Sequence[str], locale: str
    ) -> None:
        self._table = {command.name: command for command in table} | {"help": self._help()}
        self._delivery = delivery
        self._admins = admins
        self._locale = locale
        self._waiting: asyncio.Queue[Heard] = asyncio.Queue()

    def knows(self, text: str) -> bool:
        """Whether the text is one of the commands: a slash, then a name of the table."""
        return text.startswith("/") and _name(text) in self._table

    def take(self, heard: Heard) -> None:
        """Answer a command soon, beside everything else: nobody's message waits for it."""
        self._waiting.put_nowait(heard)

    async def run(self) -> None:
        """Answer what is taken until cancelled."""
        async with asyncio.TaskGroup() as answers:
            while True:
                answers.create_task(self._guarded(await self._waiting.get()))

    async def _guarded(self, heard: Heard) -> None:
        try:
            await self.answer(heard)
        except Exception:  # the boundary of a command: one that fails must not end the others
            log.exception("command.failed", command=_name(heard.text))
            failed = Reply(text=say("command_failed", self._locale), expression=Expression.SAD)
            await self._delivery.say(heard.room, failed, f"command:{heard.message}")
        finally:
            self._waiting.task_done()

    async def quiet(self) -> None:
        """Wait until everything that was taken is answered."""
        await self._waiting.join()

    async def answer(self, heard: Heard) -> None:
        """Run a command and say in the room what came of it."""
        command = self._table[_name(heard.text)]
        if command.admin and not self.is_admin(heard):
            text = say("admins_only", self._locale)
        else:
            text = await command.run(heard)
        await self._delivery.say(heard.room, Reply(text=text), f"command:{heard.message}")

    def is_admin(self, heard: Heard) -> bool:
        """Whether the settings name this account as one that looks after the pet."""
        return is_admin(heard, self._admins)

    def _help(self) -> Command:
        async def run(heard: Heard) -> str:
            return "\n".join(
                f"/{command.name} - {command.summary[self._locale]}"
                for command in self._table.values()
                if not command.admin or self.is_admin(heard)
            )

        summary = {"en": "what you can ask me to do", "fr": "ce que tu peux me demander"}
        return Command(name="help", summary=summary, run=run)


def is_admin(heard: Heard, admins: Sequence[str]) -> bool:
    """Whether one of these patterns names the account that was heard."""
    return any(fnmatchcase(heard.account, pattern) for pattern in admins)


def digest_command(digest: Callable[[], Awaitable[DigestReport]], locale: str) -> Command:
    """`/digest`: read the lobby now instead of at the next hour."""

    async def run(_heard: Heard) -> str:
        return digest_words(await digest(), locale)

    return Command(
        name="digest",
        summary={
            "en": "read now what the lobby said since the last digest",
            "fr": "lire maintenant ce que le salon a dit depuis le dernier digest",
        },
        run=run,
        admin=True,
    )


def privacy_command(observe: Observe, locale: str) -> Command:
    """`/privacy off|on`: whether the pet may read along when this person writes in a lobby."""

    async def run(heard: Heard) -> str:
        wish = heard.text.split()[1:2]
        if wish not in (["off"], ["on"]):
            return say("privacy_explained", locale)
        await observe(heard.person.id, observed=wish == ["on"])
        return say("observed" if wish == ["on"] else "unobserved", locale)

    return Command(
        name="privacy",
        summary={
            "en": "off: I stop reading what you write in lobbies; on: I read along again",
            "fr": "off : je ne lis plus ce que tu écris dans les salons ; on : je lis de nouveau",
        },
        run=run,
    )


def digest_words(report: DigestReport, locale: str) -> str:
    """What a digest came to, in a sentence."""
    if report.interrupted:
        return say("digest_interrupted", locale, reason=report.interrupted)
    if not report.messages:
        return say("nothing_to_digest", locale)
    return say("digested", locale, messages=report.messages, facts=report.facts)


def _name(text: str) -> str:
    return text[1:].split(maxsplit=1)[0].lower() if len(text) > 1 and text[1] != " " else ""
