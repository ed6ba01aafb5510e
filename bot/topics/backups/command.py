"""`/export`: everything that is kept of the caller and that they may see there, as a file."""

import asyncio
import io
import zipfile
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, replace
from datetime import tzinfo
from pathlib import Path

import structlog

from bot.model.authority import HERE
from bot.model.commands import Answer, Attached, Call, Caller, Command
from bot.siblings.circle import NO_SIBLINGS, Answers, Siblings
from bot.siblings.client import Sibling
from bot.siblings.values import SiblingAccount, WhoAsks
from bot.texts.catalogue import say
from bot.texts.commands import described
from bot.transfer.files import FileRefused, new_file
from bot.transfer.pages import FRONT_PAGE, ExportPages
from bot.wiring.app import App
from memory.model.audience import Scope
from memory.model.export import End, ExportSelection, Header, Row, read_entry, written
from memory.ports import Clock
from memory.storage.transfer.exports import Exports

log = structlog.get_logger()

LARGEST_FILE = 9_500_000
"""Bytes of a file: Discord takes 10 MB with what is around it."""

LARGEST_PLAIN = 1_000_000
"""Bytes up to which a file is not packed, so that it can be read where it is."""

LARGEST_RAW = 80_000_000
"""Bytes before packing: more would not fit packed, and should not be held."""

LONGEST_TEXT = 19_000
"""Characters of an export that is read in a room of this machine, where there are no files."""

LONGEST_ELSEWHERE = 5_000
"""The same where a message takes a tenth of that: a few messages in a row."""

ELSEWHERE_S = 30.0
"""Seconds for the pet's other processes to say what they keep."""

_BREATH = 25
"""Lines of others that are read between two moments for whatever else waits."""

_CONSOLE = "console:"
"""Accounts of people who sit at the machine and can read its disk."""

_PRIVATE_FOLDER = 0o700


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportRules:
    """Where files go for those who can read the disk, and the time zone of what is read."""

    folder: Path
    zone: tzinfo


@dataclass(slots=True)
class _Lines:
    """An export line by line; `entries` counts them."""

    rows: AsyncIterator[Row]
    header: Header
    entries: int = 0

    async def each(self) -> AsyncIterator[bytes]:
        """Every line, the first and the last included."""
        yield written(self.header)
        async for row in self.rows:
            self.entries += 1
            yield written(row)
        yield written(End(entries=self.entries))


def commands(app: App) -> tuple[Command, ...]:
    """The commands of this file, of this pet."""
    rules = ExportRules(folder=app.settings.data_dir / "exports", zone=app.zone)
    return (export_command(app.storage.exports, app.clock, rules, app.siblings.circle),)


def export_command(
    exports: Exports, clock: Clock, rules: ExportRules, siblings: Siblings = NO_SIBLINGS
) -> Command:
    """`/export`, to be read by the caller alone; what other processes keep stands in it too."""

    async def ask(one: Sibling, who: SiblingAccount) -> bytes:
        return await one.told("/export", WhoAsks(who=who), limit_s=ELSEWHERE_S)

    async def run(call: Call) -> Answer:
        caller = call.caller
        if not caller.private:
            return Answer(text=say("export.in_private", call.locale))
        others = await siblings.about(caller, ask)
        selection = ExportSelection(person=caller.person.id, within=caller.scope)
        rows = _with_others(exports.entries(selection, Scope(frozenset())), others)
        lines = _Lines(rows, Header(at=clock.now(), person=caller.person.id))
        if caller.takes_files:
            answer = await _attached(lines, caller)
        elif caller.account.startswith(_CONSOLE):
            answer = await _on_disk(lines, caller, rules.folder)
        else:
            answer = await _in_the_room(rows, caller, clock, rules.zone)
        if not others.missing:
            return answer
        missing = ", ".join(others.names_missing)
        lacks = say("siblings.not_exported", caller.locale, missing=missing)
        return replace(answer, text=f"{answer.text}\n{lacks}")

    return Command(
        name="export",
        **described("commands.export"),
        run=run,
    )


async def _with_others(rows: AsyncIterator[Row], others: Answers[bytes]) -> AsyncIterator[Row]:
    """The rows of this process, then those of the others, whose people and rooms come again."""
    async for row in rows:
        yield row
    for lines in others.given.values():
        for number, line in enumerate(io.BytesIO(lines)):
            if not number % _BREATH:
                await asyncio.sleep(0)
            entry = read_entry(line)
            if not isinstance(entry, Header | End):
                yield entry


async def _attached(lines: _Lines, caller: Caller) -> Answer:
    """A file with the answer: as it is while it is small, packed while that helps."""
    raw = bytearray()
    async for line in lines.each():
        raw += line
        if len(raw) > LARGEST_RAW:
            return _too_large(caller)
    name = _file_name(lines)
    content = bytes(raw)
    if len(content) > LARGEST_PLAIN:
        content = await asyncio.to_thread(_packed, name, content)
        name = f"{name}.zip"
    if len(content) > LARGEST_FILE:
        return _too_large(caller)
    text = say("export.exported", caller.locale, count=lines.entries)
    return Answer(text=text, file=Attached(name=name, content=content))


async def _on_disk(lines: _Lines, caller: Caller, folder: Path) -> Answer:
    """A file that only the user of this machine can read, who sits there."""
    path = folder / _file_name(lines)
    try:
        await asyncio.to_thread(folder.mkdir, _PRIVATE_FOLDER, parents=True, exist_ok=True)
        with new_file(path) as write:
            async for line in lines.each():
                write(line)
    except (FileRefused, OSError) as error:
        log.warning("export.refused", reason=str(error))
        return Answer(text=say("export.refused", caller.locale))
    return Answer(text=say("export.exported_to", caller.locale, count=lines.entries, path=path))


async def _in_the_room(
    rows: AsyncIterator[Row], caller: Caller, clock: Clock, zone: tzinfo
) -> Answer:
    """The pages of an export as one text, as much of it as fits."""
    pages: dict[str, str] = {}
    export = ExportPages(pages.__setitem__, caller.locale, zone)
    async for row in rows:
        export.take(row)
    export.finish(clock.now())
    text = "\n\n".join(pages[page] for page in _by_worth(pages)).strip()
    longest = LONGEST_TEXT if caller.room.platform == HERE else LONGEST_ELSEWHERE
    if len(text) <= longest:
        return Answer(text=text)
    partial = say("export.partial", caller.locale, person=caller.person.id)
    return Answer(text="\n".join((text[:longest].rpartition("\n")[0], partial)))


def _by_worth(pages: Iterable[str]) -> list[str]:
    """The pages without the one that only leads to them: what is known, then the latest talk."""
    talk = [page for page in pages if page.startswith("conversations/")]
    known = (page for page in pages if page not in talk and page != FRONT_PAGE)
    return [*known, *sorted(talk, key=lambda page: page.rpartition("/")[2], reverse=True)]


def _too_large(caller: Caller) -> Answer:
    return Answer(text=say("export.too_large", caller.locale, person=caller.person.id))


def _file_name(lines: _Lines) -> str:
    person = (lines.header.person or "")[:8]
    return f"eko-export-{person}-{lines.header.at:%Y%m%d-%H%M%S}.jsonl"


def _packed(name: str, content: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return file.getvalue()
