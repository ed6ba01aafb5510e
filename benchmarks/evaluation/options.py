"""Options that the evaluations share, and their progress bar."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Literal

import typer
from rich.progress import Progress

from benchmarks.evaluation.trial_store import Said
from bot.surfaces.terminal.terminal import err

Json = Annotated[
    bool, typer.Option("--json", help="Print one JSON object on the last line instead of words.")
]
Embedder = Annotated[
    Literal["none", "offline", "local", "voyage"] | None,
    typer.Option(help="What turns texts into vectors here; as configured if not given."),
]
Fusion = Annotated[
    Literal["rrf", "score"] | None,
    typer.Option(
        help="What orders the rows: their scores, or their ranks by each signal; as configured "
        "if not given."
    ),
]
Facts = Annotated[
    bool, typer.Option("--facts", help="Remember the file's observations too, as digested facts.")
]
Conversations = Annotated[
    str | None, typer.Option(help="Only these conversations of a file, such as 1-5 or 2,7-9.")
]


@contextmanager
def progress() -> Iterator[Said]:
    """A progress bar on the error stream, where that is a terminal."""
    with Progress(console=err, transient=True, disable=not err.is_terminal) as bar:
        task = bar.add_task("opening...", total=None)

        def said(doing: str, done: int, total: int) -> None:
            bar.update(task, description=f"{doing}...", completed=done, total=total)

        yield said
