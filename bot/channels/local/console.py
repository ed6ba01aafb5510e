"""A talk in a terminal: a line to write on that stays usable while replies arrive above it."""

import asyncio
import io
import os
import stat
import sys
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TextIO

from prompt_toolkit import PromptSession
from prompt_toolkit.patch_stdout import patch_stdout
from rich.console import Console
from rich.text import Text

from bot.channels.local.ports import LocalEvent, Shown, Talk, Writing
from bot.errors import BotError, NobodyListens
from bot.model.turns import Expression
from bot.texts.catalogue import Texts, texts_in
from bot.texts.provenance import accounts_named
from bot.texts.sanitizing import plain
from memory.language.parts.telling import as_shown
from memory.language.text import Language
from memory.model.linking import Account
from memory.model.messages import AuthorKind
from memory.tasks import within

FACES = {
    Expression.NEUTRAL: "(o.o)",
    Expression.HAPPY: "(^.^)",
    Expression.CURIOUS: "(o.O)?",
    Expression.THINKING: "(-.o)",
    Expression.SURPRISED: "(O_O)!",
    Expression.SAD: "(;.;)",
    Expression.LOVE: "(*.*)<3",
    Expression.SLEEPY: "(-.-)zZ",
}
"""The pet's faces in ASCII, which every terminal draws."""

WRITES = 5.0
"""Seconds an author is shown as writing after each sign of it."""

LINE_LIMIT = 2**24
"""Bytes of one line of a pipe; a longer one ends the talk instead of filling the memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long a pipe waits after a line, in seconds.

    `sign` is for a first sign of the pet before the next line is said: in a lobby there is often
    none. `answer` is for that sign after the last line, and while the pet writes; `quiet` is for
    more of an answer.
    """

    sign: float = 6.0
    answer: float = 60.0
    quiet: float = 3.0


PATIENT = Patience()
"""Room for a slow model and for an answer in several parts."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A place in a talk: under which name, whose with all their accounts, and with which pet."""

    name: str
    accounts: Sequence[Account]
    pet: str


async def converse(talk: Talk, *, seat: Seat, locale: str, patience: Patience = PATIENT) -> None:
    """Talk on the standard streams until the person leaves or the input ends.

    Raises:
        TalkEnded: the daemon stopped before.

    """
    texts = texts_in(locale)
    if sys.stdin.isatty() and sys.stdout.isatty():
        left = await TerminalTalk(talk, texts, seat).run()
    else:
        left = await PipeTalk(talk, Screen(sys.stdout, texts), patience).run(lines_of(sys.stdin))
    if not left:
        raise TalkEnded(texts.say("terminal.ended", pet=seat.pet))


class TalkEnded(BotError):
    """The daemon stopped while a person talked with it."""


class Screen:
    """Draws what is said, one paragraph each; nothing in it can command the terminal."""

    def __init__(self, stream: TextIO, texts: Texts, *, terminal: bool = False) -> None:
        self.texts = texts
        self._console = Console(
            file=stream,
            force_terminal=terminal or None,
            highlight=False,
            markup=False,
            emoji=False,
            soft_wrap=True,
        )

    def show(self, shown: Shown) -> None:
        """Draw what another author said."""
        style = "bold green" if shown.kind is AuthorKind.PET else "bold cyan"
        face = f"{FACES[shown.expression]} " if shown.expression else ""
        language: Language = "fr" if self.texts.language == "fr" else "en"
        said = as_shown(plain(shown.text), language)
        text = said.replace("\n", "\n  ")  # a line of text cannot pose as a name
        self._console.print(Text.assemble((f"{face}{_name(shown.author)}:", style), " ", text))

    def tell(self, sentence: str) -> None:
        """Draw a sentence of our own."""
        self._console.print(Text(sentence, style="dim"))

    async def say(self, talk: Talk, text: str) -> None:
        """Say a line, or tell why it cannot be said."""
        try:
            await talk.say(text)
        except NobodyListens:
            self.tell(self.texts.say("terminal.not_now"))
        except BotError as error:
            self.tell(str(error))


class TerminalTalk:
    """A talk with a line editor. Ctrl-D and Ctrl-C leave; signals stay with the daemon."""

    def __init__(self, talk: Talk, texts: Texts, seat: Seat) -> None:
        self._talk = talk
        self._texts = texts
        self._seat = seat
        self._prompt = Prompt(texts)

    async def run(self) -> bool:
        """Talk until the person leaves, which is true, or until the daemon stops."""
        with patch_stdout(raw=True), self._prompt.raw_mode():
            screen = Screen(Above(self._prompt), self._texts, terminal=True)
            screen.tell(self._texts.say("terminal.welcome", pet=self._seat.pet))
            screen.tell(whose(self._seat, self._texts))
            async with self._talk.events() as events:
                left = await _has_left(self._ask(screen), self._listen(screen, events))
            if left:
                screen.tell(self._texts.say("terminal.bye"))
        return left

    async def _ask(self, screen: Screen) -> None:
        async for line in self._prompt.lines():
            await screen.say(self._talk, line)

    async def _listen(self, screen: Screen, events: AsyncIterator[LocalEvent]) -> None:
        async for event in events:
            self._prompt.notice(event)
            if isinstance(event, Shown) and not event.mine:
                screen.show(event)


class Prompt:
    """The line people write on, with the pet's face and who is writing before it."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self._session: PromptSession[str] = PromptSession()
        self._face = FACES[Expression.NEUTRAL]
        self._writer = ""
        self._forgetting: asyncio.TimerHandle | None = None

    async def lines(self) -> AsyncIterator[str]:
        """What the person enters, until they leave; blank lines are skipped."""
        while True:
            try:
                line = await self._session.prompt_async(self._drawn, handle_sigint=False)
            except (EOFError, KeyboardInterrupt):
                self._forget_later(None)
                return
            if line.strip():
                yield line

    def raw_mode(self) -> AbstractContextManager[None]:
        """Take every key as it is, also between two lines and while something is printed."""
        return self._session.input.raw_mode()

    def print_above(self, text: str) -> None:
        """Print whole lines where the prompt is; it is drawn again below them."""
        app = self._session.app
        if app.is_running:
            app.renderer.erase()
        app.output.write_raw(text)
        app.output.flush()
        app.invalidate()

    def notice(self, event: LocalEvent) -> None:
        """Change face with the pet, and say who is writing for WRITES seconds."""
        if isinstance(event, Shown) and event.expression:
            self._face = FACES[event.expression]
        name = event.author if isinstance(event, Writing) else ""
        self._writer = _name(name)
        self._forget_later(WRITES if name else None)
        self._session.app.invalidate()

    def _drawn(self) -> str:
        writes = (
            self._texts.say("terminal.writing", name=self._writer) + " " if self._writer else ""
        )
        return f"{self._face} {writes}> "

    def _forget_later(self, after: float | None) -> None:
        if self._forgetting is not None:
            self._forgetting.cancel()
        loop = asyncio.get_running_loop()
        self._forgetting = None if after is None else loop.call_later(after, self._forget)

    def _forget(self) -> None:
        self._writer = ""
        self._session.app.invalidate()


class Above(io.StringIO):
    """A stream whose lines appear above the prompt, without a switch of the terminal's mode.

    The library's own way leaves raw mode for each print, and a key pressed then goes astray.
    """

    def __init__(self, prompt: Prompt) -> None:
        super().__init__()
        self._prompt = prompt

    def write(self, text: str) -> int:
        """Print above the prompt."""
        self._prompt.print_above(text)
        return len(text)


class PipeTalk:
    """A talk without a person at the keyboard: every line is a message, answered before the next.

    Lines that follow at once would be taken for one message in several pieces.
    """

    def __init__(self, talk: Talk, screen: Screen, patience: Patience) -> None:
        self._talk = talk
        self._screen = screen
        self._patience = patience
        self._sign = asyncio.Event()
        self._pet_writes = False

    async def run(self, lines: AsyncIterator[str]) -> bool:
        """Say every line, show the replies, and return when it has become quiet.

        False if the daemon stopped before.
        """
        async with self._talk.events() as events:
            return await _has_left(self._say(lines), self._listen(events))

    async def _say(self, lines: AsyncIterator[str]) -> None:
        said = False
        async for line in lines:
            if said:
                await self._be_answered()
            self._sign.clear()
            await self._screen.say(self._talk, line)
            said = bool(line.strip())
        if said:
            await self._become_quiet()

    async def _listen(self, events: AsyncIterator[LocalEvent]) -> None:
        async for event in events:
            if isinstance(event, Shown) and not event.mine:
                self._screen.show(event)
            if isinstance(event, Shown | Writing) and event.kind is AuthorKind.PET:
                self._pet_writes = isinstance(event, Writing)
                self._sign.set()

    async def _be_answered(self) -> None:
        """Return when the pet has said something, or shows no sign of going to."""
        longest = self._patience.sign
        while await self._sign_within(longest) and self._pet_writes:
            longest = self._patience.answer

    async def _become_quiet(self) -> None:
        """Return when the pet has given no sign for as long as it deserves."""
        longest = self._patience.answer
        while await self._sign_within(longest):
            longest = self._patience.answer if self._pet_writes else self._patience.quiet

    async def _sign_within(self, seconds: float) -> bool:
        came = await within(seconds, self._sign.wait())
        if came:
            self._sign.clear()
        return came


def whose(seat: Seat, texts: Texts) -> str:
    """The sentence that says whose talk it is: one account, or one of several of a person."""
    name = _name(seat.name)
    if len(seat.accounts) < 2:
        return texts.say("terminal.account", name=name)
    accounts = _name(accounts_named(seat.accounts))
    return texts.say("terminal.linked", name=name, pet=seat.pet, accounts=accounts)


def _name(author: str) -> str:
    """An author's name on one line."""
    return " ".join(plain(author).split())


async def _has_left(
    person: Coroutine[None, None, None], daemon: Coroutine[None, None, None]
) -> bool:
    """Run both until the first is done; whether that was the person."""
    async with asyncio.TaskGroup() as tasks:
        both = (saying, _) = tasks.create_task(person), tasks.create_task(daemon)
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        left = saying.done()
        for task in both:
            task.cancel()
    return left


async def lines_of(stream: TextIO) -> AsyncIterator[str]:
    """The lines of a stream, without their ends; waiting for them does not block the loop."""
    mode = os.fstat(stream.fileno()).st_mode
    if not (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or stream.isatty()):
        for line in stream:
            yield line.rstrip("\r\n")
        return
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=LINE_LIMIT)
    transport, _ = await loop.connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), stream
    )
    try:
        while raw := await reader.readline():
            yield raw.decode("utf-8", "replace").rstrip("\r\n")
    finally:
        transport.close()
