"""How good recall is on conversations with known answers: `python -m benchmarks.locomo FILE...`."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Literal

import typer

from benchmarks.evaluation import run as exams
from benchmarks.evaluation.examination import Manner
from benchmarks.evaluation.options import (
    Conversations,
    Embedder,
    Facts,
    Fusion,
    Json,
    progress,
)
from benchmarks.evaluation.rows import RowsRefused, written_to
from benchmarks.evaluation.tables import print_scores, print_sets
from bot.surfaces.terminal.terminal import fail, out, run_or_exit, settings_or_exit


def locomo(
    files: Annotated[list[Path], typer.Argument(help="Files in the LoCoMo format.")],
    embedder: Embedder = None,
    fusion: Fusion = None,
    conversations: Conversations = None,
    category: Annotated[
        list[str] | None,
        typer.Option(help="Only questions of this kind, by its name; may be given again."),
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Only the first so many questions of a file.")
    ] = None,
    asked_by: Annotated[
        str,
        typer.Option(
            metavar="stranger|SPEAKER",
            help="Who asks: a third person, or one who speaks in the conversations, by name.",
        ),
    ] = "stranger",
    store: Annotated[
        Literal["shared", "each"],
        typer.Option(help="One store for all conversations of a file, or one for each of them."),
    ] = "shared",
    rows: Annotated[
        Path | None,
        typer.Option(
            help="Write a line of JSON for each question here: what was found, what was "
            "injected, how surely, what was late."
        ),
    ] = None,
    *,
    in_flow: Annotated[
        bool,
        typer.Option(
            "--in-flow",
            help="Ask each question where it belongs while the talk goes on; only what was said "
            "before it counts.",
        ),
    ] = False,
    facts: Facts = False,
    qa: Annotated[
        bool, typer.Option("--qa", help="Also answer each question with the model and judge it.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Let the pet hear long conversations, ask about them, and score what reaches its model.

    The first figure is the share of the questions for which the injected lines, as they are cut
    for the model, hold evidence, with the answer where that stands in the evidence word for word.
    Runs in a temporary store of its own; the pet's own data is neither read nor changed.
    """
    manner = Manner(
        asked_by=None if asked_by == "stranger" else asked_by,
        in_flow=in_flow,
        stores=store,
        facts=facts,
    )
    setups = [
        exams.Setup(
            file=file, conversations=conversations, kinds=tuple(category or ()),
            embedder=embedder, fusion=fusion, manner=manner,
        )
        for file in files
    ]  # fmt: skip
    settings = settings_or_exit()
    with progress() as said, _rows(rows) as keep:
        found = run_or_exit(exams.several(settings, setups, said, limit=limit, qa=qa, keep=keep))
    one_file = found["sets"][setups[0].name] if len(setups) == 1 else None
    if as_json:
        out.print(json.dumps(one_file or found), markup=False)
    elif one_file:
        print_scores(one_file)
    else:
        print_sets(found)


@contextmanager
def _rows(path: Path | None) -> Iterator[exams.Keep]:
    """Keeps each question as a line of a file; a file that cannot be written is one sentence."""
    try:
        with written_to(path) as keep:
            yield keep
    except RowsRefused as error:
        fail(str(error))


if __name__ == "__main__":
    typer.run(locomo)
