"""What unrelated lines bring up in heard conversations: `python -m benchmarks.silence LINES...`."""

import json
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.evaluation import run as exams
from benchmarks.evaluation.examination import Manner
from benchmarks.evaluation.options import Conversations, Embedder, Facts, Fusion, Json, progress
from bot.surfaces.terminal.terminal import out, run_or_exit, settings_or_exit, several
from bot.topics.answers.evaluation_terminal import print_silence


def silence(
    queries: Annotated[
        list[str],
        typer.Argument(help="Recordings of rooms, or lines of text: files, folders or patterns."),
    ],
    against: Annotated[Path, typer.Option(help="The LoCoMo file that the pet has heard.")],
    embedder: Embedder = None,
    fusion: Fusion = None,
    conversations: Conversations = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="So many lines, drawn evenly from all of them.")
    ] = None,
    questions: Annotated[
        int | None, typer.Option(min=0, help="Only the first so many questions of the file.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Which lines are drawn.")] = 1,
    show: Annotated[int, typer.Option(min=0, help="So many examples of what was injected.")] = 5,
    *,
    facts: Facts = False,
    as_json: Json = False,
) -> None:
    """Say lines that have nothing to do with what the pet knows; count what is injected.

    A stranger says them who may know every conversation of the file. The file's own questions show
    beside it how often evidence is injected where it is among the first 20 that recall finds.
    """
    setup = exams.Setup(
        file=against, conversations=conversations, embedder=embedder, fusion=fusion,
        manner=Manner(facts=facts),
    )  # fmt: skip
    settings = settings_or_exit()
    with progress() as said:
        found = run_or_exit(
            exams.silence(
                settings, setup, said,
                queries=queries, limit=limit, questions=questions, seed=seed,
            )
        )  # fmt: skip
    found["examples"] = found["examples"][:show]
    if as_json:
        out.print(json.dumps(found, ensure_ascii=False), markup=False)
        return
    print_silence(found)
    if kept := found["questions_with_evidence_at_20"]:
        out.print(
            f"Of {several(kept, 'question')} with evidence among the first 20, "
            f"evidence was injected for {found['evidence_injected']:.1%}."
        )


if __name__ == "__main__":
    typer.run(silence)
