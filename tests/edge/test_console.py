"""The terminal as people meet it: a real terminal, a pipe, and hostile words."""

import asyncio
import io
import os
import pty
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.channels.local.console import (
    FACES,
    Patience,
    PipeTalk,
    Screen,
    Seat,
    TalkEnded,
    converse,
    whose,
)
from bot.channels.local.ports import LocalEvent, Shown, Talk, Writing
from bot.errors import MessageTooLong, NobodyListens
from bot.model.turns import Expression
from bot.texts.catalogue import Texts, texts_in
from memory.model.linking import Account
from memory.model.messages import AuthorKind
from tests.patience import PATIENCE_S

ROOT = Path(__file__).parents[2]
PROGRAM = [sys.executable, "-W", "error", str(Path(__file__).with_name("console_program.py"))]
ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": str(ROOT),
    "TERM": "xterm-256color",
    "PROMPT_TOOLKIT_NO_CPR": "1",  # the typist does not answer where the cursor is
}
CTRL_C, CTRL_D, ENTER = b"\x03", b"\x04", b"\r"
LEFT, BACKSPACE = b"\x1b[D", b"\x7f"

ENGLISH = texts_in("en")


def said(text: str, author: str = "Eko", *, mine: bool = False) -> Shown:
    """Words of the pet, or of a person when it is not its name."""
    pet = author == "Eko"
    return Shown(
        key=text,
        kind=AuthorKind.PET if pet else AuthorKind.PERSON,
        author=author,
        text=text,
        sent_at=datetime(2026, 1, 17, tzinfo=UTC),
        expression=Expression.HAPPY if pet else None,
        mine=mine,
    )


@dataclass
class ScriptedTalk:
    """A Talk whose room answers each line with the events of a script."""

    script: dict[str, list[LocalEvent | Exception]]
    heard: list[str] = field(default_factory=list)
    queue: asyncio.Queue[LocalEvent | None] = field(default_factory=asyncio.Queue)

    async def say(self, text: str) -> None:
        """Put the events that follow this line into the room, or fail as the script says."""
        self.heard.append(text)
        for event in self.script.get(text, []):
            if isinstance(event, Exception):
                raise event
            self.queue.put_nowait(event)

    @asynccontextmanager
    async def events(self) -> AsyncIterator[AsyncIterator[LocalEvent]]:
        """The events of the room, until a None."""
        yield self._following()

    async def _following(self) -> AsyncIterator[LocalEvent]:
        while (event := await self.queue.get()) is not None:
            yield event


async def piped(talk: Talk, *lines: str, patience: Patience | None = None) -> str:
    """What a pipe prints for these lines."""

    async def typed() -> AsyncIterator[str]:
        for line in lines:
            yield line
            await asyncio.sleep(0)

    stream = io.StringIO()
    patience = patience or Patience(sign=0.05, answer=0.05, quiet=0.01)
    await PipeTalk(talk, Screen(stream, ENGLISH), patience).run(typed())
    return stream.getvalue()


async def test_a_pipe_says_each_line_and_prints_the_answers() -> None:
    """Every line is a message; what the person said is not printed again."""
    talk = ScriptedTalk({"one": [said("one", "Me", mine=True), said("first")], "two": []})
    talk.script["two"] = [said("second"), said("hello all", "Zoé")]
    assert await piped(talk, "one", "two") == (
        "(^.^) Eko: first\n(^.^) Eko: second\nZoé: hello all\n"
    )
    assert talk.heard == ["one", "two"]


async def test_a_line_of_a_pipe_waits_for_the_answer_to_the_one_before() -> None:
    """Said at once, both would be taken for one message in two pieces."""
    writing = Writing(kind=AuthorKind.PET, author="Eko")
    talk = ScriptedTalk({"one": [said("one", "Me", mine=True), writing]})
    patience = Patience(sign=PATIENCE_S, answer=PATIENCE_S, quiet=0.001)
    async with asyncio.TaskGroup() as tasks:
        printed = tasks.create_task(piped(talk, "one", "two", patience=patience))
        await asyncio.sleep(0.05)
        assert talk.heard == ["one"]
        talk.script["two"] = [said("second")]
        talk.queue.put_nowait(said("first"))
    assert printed.result() == "(^.^) Eko: first\n(^.^) Eko: second\n"


async def test_a_pipe_without_words_waits_for_nothing() -> None:
    """Blank lines ask nothing, so a day of patience ends at once."""
    patience = Patience(answer=86_400, quiet=86_400)
    async with asyncio.timeout(PATIENCE_S):
        assert await piped(ScriptedTalk({}), "", "  ", patience=patience) == ""


async def test_a_pipe_that_gets_no_answer_gives_up() -> None:
    """A pet that stays silent ends the wait after its patience."""
    async with asyncio.timeout(PATIENCE_S):
        assert await piped(ScriptedTalk({}), "anybody?") == ""


async def test_a_pet_that_writes_is_waited_for() -> None:
    """After a sign of writing the long patience counts, not the short quiet."""
    talk = ScriptedTalk({"hi": [Writing(kind=AuthorKind.PET, author="Eko")]})
    asyncio.get_running_loop().call_later(0.05, talk.queue.put_nowait, said("at last"))
    printed = await piped(talk, "hi", patience=Patience(answer=5, quiet=0.001))
    assert printed == "(^.^) Eko: at last\n"


async def test_a_pipe_ends_with_the_daemon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the room closes nothing is waited for, and the person reads why."""
    talk = ScriptedTalk({})
    talk.queue.put_nowait(None)
    (tmp_path / "lines").write_text("anybody?\n", encoding="utf-8")
    patience = Patience(answer=86_400, quiet=86_400)
    with (tmp_path / "lines").open() as lines:
        monkeypatch.setattr(sys, "stdin", lines)
        with pytest.raises(TalkEnded, match=r"Eko has stopped.*runs again"):
            async with asyncio.timeout(PATIENCE_S):
                await converse(talk, seat=Seat("Me", (), "Eko"), locale="en", patience=patience)


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (NobodyListens("no"), ENGLISH.say("terminal.not_now")),
        (MessageTooLong("Too long."), "Too long."),
    ],
)
async def test_words_that_cannot_be_said_are_reported(error: Exception, sentence: str) -> None:
    """The person reads one sentence and the talk goes on."""
    talk = ScriptedTalk({"bad": [error], "good": [said("fine")]})
    assert await piped(talk, "bad", "good") == f"{sentence}\n(^.^) Eko: fine\n"


def test_nobody_elses_words_command_the_terminal() -> None:
    """Escapes vanish, markup is text, and no line of a message can pose as another author."""
    stream = io.StringIO()
    hostile = "\x1b]0;own\x07[red]a[/red]\x1b[2J\r\nEko: obey :smile:"
    Screen(stream, ENGLISH).show(said(hostile, "Mal\x1b[1m\nlory"))
    assert stream.getvalue() == "Mal lory: [red]a[/red]\n  Eko: obey :smile:\n"


def test_every_expression_has_a_face_of_its_own() -> None:
    """Faces are ASCII and tell the expressions apart."""
    assert set(FACES) == set(Expression)
    assert len(set(FACES.values())) == len(Expression)
    assert all(face.isascii() for face in FACES.values())


@pytest.mark.parametrize("texts", [ENGLISH, texts_in("fr")])
def test_a_talk_says_whose_it_is(texts: Texts) -> None:
    """The account of the terminal is another than the page's, until they are linked."""
    here, page = Account(platform="console", name="Alice"), Account(platform="web", name="Alice")
    alone = whose(Seat("Alice", (here,), "Eko"), texts)
    assert "Alice" in alone
    assert "/link" in alone or "/relier" in alone
    linked = whose(Seat("Alice", (here, page), "Eko"), texts)
    assert "Alice" in linked
    assert "web" in linked
    assert "/link" not in linked
    assert "/relier" not in linked


def test_a_name_does_not_command_the_terminal_of_its_talk() -> None:
    """It is given on a command line, which another program may have written."""
    assert whose(Seat("a\x1b[2J\nb", (), "Eko"), ENGLISH).startswith("You are “a b” here")


async def test_a_real_pipe_talks_and_ends() -> None:
    """The program reads its input to the end, prints the replies and leaves cleanly."""
    program = await asyncio.create_subprocess_exec(
        *PROGRAM,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=ROOT,
        env=ENVIRONMENT,
    )
    out, err = await asyncio.wait_for(program.communicate("hello\nété".encode()), PATIENCE_S)
    assert (err, program.returncode) == (b"", 0)
    assert out.decode() == "(^.^) Eko: heard hello\n(^.^) Eko: heard été\n"


@dataclass
class Typist:
    """Somebody at a pseudo-terminal."""

    terminal: int
    screen: bytes = b""

    def press(self, keys: bytes) -> None:
        """Press keys."""
        os.write(self.terminal, keys)

    async def sees(self, text: bytes) -> bytes:
        """Wait until the screen got this text after what was seen before; what came in between."""
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(PATIENCE_S):
            while text not in self.screen:
                ready = loop.create_future()
                loop.add_reader(self.terminal, ready.set_result, None)
                try:
                    await ready
                finally:
                    loop.remove_reader(self.terminal)
                self.screen += os.read(self.terminal, 65_536)
        before, _, self.screen = self.screen.partition(text)
        return before


@pytest.fixture
def terminal() -> Iterator[tuple[Typist, int]]:
    """A pseudo-terminal: the typist's end and the program's."""
    ours, theirs = pty.openpty()
    yield Typist(ours), theirs
    os.close(ours)


@pytest.mark.parametrize("leave", [CTRL_D, CTRL_C])
async def test_a_real_terminal_stays_usable_and_is_left_by_a_key(
    terminal: tuple[Typist, int], leave: bytes
) -> None:
    """Replies come above the line being written, and Ctrl-D and Ctrl-C leave cleanly."""
    typist, theirs = terminal
    program = await asyncio.create_subprocess_exec(
        *PROGRAM, stdin=theirs, stdout=theirs, stderr=theirs, cwd=ROOT, env=ENVIRONMENT
    )
    os.close(theirs)
    try:
        await _talk_and_leave(typist, leave)
        assert await asyncio.wait_for(program.wait(), PATIENCE_S) == 0
    finally:
        if program.returncode is None:
            program.kill()
            await program.wait()


async def _talk_and_leave(typist: Typist, leave: bytes) -> None:
    await typist.sees(b"Ctrl-D leaves.")
    await typist.sees("You are “Me” here".encode())
    await typist.sees(b"(o.o) >")
    typist.press(b"hello" + ENTER + b"ag")
    await typist.sees(b"heard hello")
    # While a reply is written above, the terminal itself edits what is typed: wait it out.
    await typist.sees(b"(^.^) >")
    typist.press(b"xain" + LEFT * 3 + BACKSPACE + ENTER)
    await typist.sees(b"heard again")
    await typist.sees(b"(^.^) >")
    typist.press(leave)
    await typist.sees(b"See you.")


async def test_a_start_in_a_terminal_is_told_in_sentences_alone(
    terminal: tuple[Typist, int], tmp_path: Path
) -> None:
    """No JSON stands between them, nor after a reply, and a command is told as it can be typed."""
    typist, theirs = terminal
    environ = ENVIRONMENT | {"EKO_DATA_DIR": str(tmp_path), "EKO_WEB__PORT": "0"}
    elsewhere = environ | {"PATH": "/usr/bin:/bin", "COLUMNS": "400"}
    eko = str(Path(sys.executable).with_name("eko"))
    daemon = await asyncio.create_subprocess_exec(
        eko, "run", stdin=theirs, stdout=theirs, stderr=theirs, cwd=tmp_path, env=elsewhere
    )
    os.close(theirs)
    try:
        await typist.sees("Eko is waking up…\r\nEko is awake: open http://127.0.0.1:".encode())
        await typist.sees(f"({eko} login prints another).\r\n".encode())
        said = await asyncio.create_subprocess_exec(
            eko, "ask", "hello", env=environ, stdout=asyncio.subprocess.DEVNULL
        )
        assert await said.wait() == 0
        daemon.send_signal(signal.SIGINT)
        before, _, _ = (await typist.sees(b"Eko is asleep.")).partition(b"Finishing")
        assert b"{" not in before, "JSON among the sentences"
        assert await asyncio.wait_for(daemon.wait(), PATIENCE_S) == 0
    finally:
        if daemon.returncode is None:
            daemon.kill()
            await daemon.wait()
