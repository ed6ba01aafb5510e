"""How a command shows what an operation says: progress, warnings, its result or one sentence."""

import json
import re
import sys
from collections.abc import Coroutine, Mapping
from datetime import datetime, tzinfo
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING, Annotated, Any, Literal, NoReturn

import typer
from rich.console import Console
from rich.table import Column, Table

from bot.errors import BotError
from memory.model.errors import EkoMemoryError

if TYPE_CHECKING:
    from rich.progress import Progress

    from bot.surfaces.values import Event
    from config.settings import Settings

out = Console(highlight=False, soft_wrap=True)

_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?\+00:00")
"""A moment as operations tell it: in UTC."""

err = Console(stderr=True, highlight=False, soft_wrap=True)

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of words.")]

StoreName = Annotated[
    Literal["memory", "self", "goals"] | None, typer.Option("--store", help="Only this store.")
]

Limit = Annotated[int, typer.Option("--limit", "-n", min=1, help="How many, at most.")]


def several(count: int, one: str, many: str = "") -> str:
    """A figure with its noun: "1 memory", "2 memories"; `many` where it is no plain plural."""
    return f"{count} {one if count == 1 else many or f'{one}s'}"


def as_typed(words: str) -> str:
    """A command of this program as it can be typed here: by its path where a shell finds no eko."""
    program = Path(sys.argv[0])
    return f"{program.name if which(program.name) else program} {words}"


def settings_or_exit(*, quiet: bool = True) -> "Settings":
    """The settings with logs set up; a command keeps quiet about anything under a warning."""
    from bot.texts.catalogue import texts_in
    from bot.texts.log_sentences import LogSentences
    from config.errors import SettingsRefused
    from config.logs import set_up_logs
    from config.settings import load_settings

    try:
        settings = load_settings()
        sentences = LogSentences(texts_in(settings.locale), settings.zone)
    except (SettingsRefused, BotError) as refused:
        fail(str(refused))
    log = settings.log
    if quiet and log.level == "info":
        log = log.model_copy(update={"level": "error"})
    try:
        set_up_logs(log, sentences, secrets=settings.secrets())
    except OSError as error:
        fail(f"{log.file} cannot hold the log: {error.strerror}. Choose another [log] file.")
    return settings


def fail(sentence: str) -> NoReturn:
    """Say what went wrong and leave with status 1."""
    err.print(sentence, style="red", markup=False)
    raise typer.Exit(1)


def run_or_exit(work: Coroutine[Any, Any, Any]) -> Any:
    """The result of `work`; what it refuses becomes one sentence, Ctrl-C leaves with 130."""
    import asyncio

    try:
        return asyncio.run(work)
    except (BotError, EkoMemoryError) as error:
        fail(str(error))
    except KeyboardInterrupt:
        raise typer.Exit(130) from None


def operate(name: str, arguments: Mapping[str, Any], *, as_json: bool) -> "Event":
    """The result of an operation, with its progress shown meanwhile on the error stream."""
    result = operated(settings_or_exit(), name, arguments, quietly=as_json)
    if as_json:
        out.print(json.dumps(result, ensure_ascii=False), markup=False)
    return result


def operated(
    settings: "Settings", name: str, arguments: Mapping[str, Any], *, quietly: bool
) -> "Event":
    """The result of an operation, of which nothing is printed but its progress."""
    result: Event = run_or_exit(_operated(settings, name, arguments, as_json=quietly))
    local: Event = in_zone(result, settings.zone)
    return local


def in_zone(value: Any, zone: tzinfo) -> Any:
    """A result with every moment in it as of the zone that the pet lives in."""
    match value:
        case dict():
            return {key: in_zone(one, zone) for key, one in value.items()}
        case list():
            return [in_zone(one, zone) for one in value]
        case str() if _MOMENT.fullmatch(value):
            return datetime.fromisoformat(value).astimezone(zone).isoformat()
        case _:
            return value


def print_rows(heads: tuple[str, ...], rows: list[tuple[str, ...]], *, empty: str) -> None:
    """Show rows under their heads, or one sentence when there are none."""
    if not rows:
        out.print(empty, markup=False)
        return
    whole = (Column(head, overflow="fold") for head in heads)  # ids are typed again
    table = Table(*whole, box=None, pad_edge=False, header_style="bold")
    for row in rows:
        table.add_row(*(cell.replace("[", "\\[") for cell in row))
    out.print(table)


def print_waiting(done: dict[str, Any]) -> None:
    """Say how many changes the vector store has not taken yet."""
    if done["unindexed"]:
        err.print(
            f"The vector store does not answer: {several(done['unindexed'], 'change')} not in it "
            "yet. Nothing is lost, words find it meanwhile.",
            style="yellow",
        )


async def _operated(
    settings: "Settings", name: str, arguments: Mapping[str, Any], *, as_json: bool
) -> "Event":
    from rich.progress import Progress

    from bot.surfaces.terminal.connection import connect

    async with connect(settings, f"eko {name}") as caller:
        with Progress(console=err, transient=True, disable=as_json or not err.is_terminal) as bar:
            task = bar.add_task(f"{name}...", total=None)
            async for event in caller.call(name, arguments):
                if "result" in event:
                    result: Event = event["result"]
                    return result
                if "error" in event:
                    raise OperationFailed(event["error"])
                _show(bar, task, event["progress"])
    raise OperationFailed("The daemon ended before it had an answer.")


def _show(bar: "Progress", task: Any, progress: "Event") -> None:
    if "warning" in progress:
        err.print(progress["warning"], style="yellow", markup=False)
    elif "total" in progress:
        bar.update(task, completed=progress["done"], total=progress["total"])
    elif "state" in progress:
        bar.update(task, description=f"{progress['state']}...")


class OperationFailed(BotError):
    """An operation ended with a sentence instead of a result."""
