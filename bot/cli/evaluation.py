"""`eko eval`: how good the pet's memory is, on conversations with known answers and on your own."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from rich.table import Table

from bot.cli.scores import print_scores, print_sets
from bot.surfaces.terminal.terminal import (
    err,
    fail,
    operate,
    out,
    run_or_exit,
    settings_or_exit,
    several,
)
from bot.topics.answers.reasons import reason

if TYPE_CHECKING:
    from bot.evaluation.run import Keep
    from bot.evaluation.trial_store import Said

app = typer.Typer(
    help="Measure how good the pet's memory is.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)

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


@app.command()
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
    from bot.evaluation import run as exams
    from bot.evaluation.examination import Manner

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
    with _progress() as said, _rows(rows) as keep:
        found = run_or_exit(exams.several(settings, setups, said, limit=limit, qa=qa, keep=keep))
    one_file = found["sets"][setups[0].name] if len(setups) == 1 else None
    if as_json:
        out.print(json.dumps(one_file or found), markup=False)
    elif one_file:
        print_scores(one_file)
    else:
        print_sets(found)


@app.command()
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
    from bot.evaluation import run as exams
    from bot.evaluation.examination import Manner

    setup = exams.Setup(
        file=against, conversations=conversations, embedder=embedder, fusion=fusion,
        manner=Manner(facts=facts),
    )  # fmt: skip
    settings = settings_or_exit()
    with _progress() as said:
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
    _print_silence(found)


@app.command()
def mine(
    questions: Annotated[
        int, typer.Option(min=1, max=200, help="How many past questions to look at.")
    ] = 10,
    answers: Annotated[
        Path | None,
        typer.Option(help="Take the labels from this file (y, n or s a line; q stops)."),
    ] = None,
    *,
    history: Annotated[
        bool, typer.Option("--history", help="Only show the scores that were kept.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Label what was recalled for past questions of your own rooms, and keep the score.

    Each line is shown with what spoke most for it and how sure that was. Nothing leaves this
    machine, and only figures are kept: no questions, no lines.
    """
    from bot.cli.labels import asking, labelled, reading

    if history:
        kept = operate("eval_history", {}, as_json=as_json)
        if not as_json:
            _print_history(kept["scores"])
        return
    ask = asking() if answers is None else reading(answers)
    found = operate("eval_questions", {"count": questions}, as_json=False)["questions"]
    if not found:
        fail("There is nothing to label yet: nothing was recalled for anybody's question.")
    labels = labelled(found, ask, err if as_json else out)
    done = operate("eval_keep", {"labels": labels}, as_json=as_json)
    if not as_json:
        _print_grade(done["score"])


@contextmanager
def _rows(path: Path | None) -> "Iterator[Keep]":
    """Keeps each question as a line of a file; a file that cannot be written is one sentence."""
    from bot.evaluation.rows import RowsRefused, written_to

    try:
        with written_to(path) as keep:
            yield keep
    except RowsRefused as error:
        fail(str(error))


@contextmanager
def _progress() -> "Iterator[Said]":
    """A progress bar on the error stream, where that is a terminal."""
    from rich.progress import Progress

    with Progress(console=err, transient=True, disable=not err.is_terminal) as bar:
        task = bar.add_task("opening...", total=None)

        def said(doing: str, done: int, total: int) -> None:
            bar.update(task, description=f"{doing}...", completed=done, total=total)

        yield said


def _print_silence(found: Mapping[str, Any]) -> None:
    each = f", with {found['lines_per_injection']:g} lines each" if found["injected"] else ""
    out.print(
        f"Something was injected for {found['injected_share']:.1%} of {found['queries']} unrelated "
        f"lines ({found['injected']}{each})."
    )
    for why, lines in found["by_reason"].items():
        out.print(f"  what spoke most for it: {reason(why)} ({lines})", markup=False)
    if kept := found["questions_with_evidence_at_20"]:
        out.print(
            f"Of {several(kept, 'question')} with evidence among the first 20, "
            f"evidence was injected for {found['evidence_injected']:.1%}."
        )
    for example in found["examples"]:
        out.print(f'  "{example["query"]}"', markup=False)
        why = f"{reason(example['why'])}, {example['score']:.2f}"
        out.print(f"    brought: {example['line']} ({why})", markup=False)


def _print_grade(score: Mapping[str, Any] | None) -> None:
    if score is None:
        out.print("No line was labelled; nothing is kept.")
        return
    out.print(
        f"Useful: {score['precision']:.0%} of {several(score['lines'], 'line')}; at least one in "
        f"{score['helped']:.0%} of {several(score['questions'], 'question')} "
        f"(mean reciprocal rank {score['mrr']:.2f}). The score is kept: eko eval mine --history"
    )


def _print_history(scores: Sequence[Mapping[str, Any]]) -> None:
    if not scores:
        out.print("No score is kept yet. Make one with: eko eval mine")
        return
    heads = ("when", "questions", "lines", "useful", "helped", "mrr", "ranking")
    table = Table(*heads, box=None, pad_edge=False, header_style="bold")
    for one in scores:
        table.add_row(
            one["at"][:16], str(one["questions"]), str(one["lines"]), f"{one['precision']:.0%}",
            f"{one['helped']:.0%}", f"{one['mrr']:.2f}", one["ranking"],
        )  # fmt: skip
    out.print(table)
