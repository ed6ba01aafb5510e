"""`eko eval`: how good the pet's memory is, on your own rooms."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from bot.surfaces.terminal.terminal import (
    err,
    fail,
    operate,
    out,
    several,
)
from bot.topics.answers.reasons import reason

app = typer.Typer(
    help="Measure how good the pet's memory is.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Json = Annotated[
    bool, typer.Option("--json", help="Print one JSON object on the last line instead of words.")
]


def register(program: typer.Typer) -> None:
    """Add the words of this topic to the command line."""
    program.add_typer(app, name="eval")


@app.command()
def silence(
    queries: Annotated[
        list[str],
        typer.Argument(help="Recordings of rooms, or lines of text: files, folders or patterns."),
    ],
    limit: Annotated[
        int, typer.Option(min=1, max=10_000, help="So many lines, drawn evenly from all of them.")
    ] = 200,
    seed: Annotated[int, typer.Option(help="Which lines are drawn.")] = 1,
    show: Annotated[int, typer.Option(min=0, help="So many examples of what was injected.")] = 5,
    *,
    as_json: Json = False,
) -> None:
    """Say lines that have nothing to do with what the pet knows; count what would be injected.

    A stranger of the home space says them; nothing is sent, stored or counted, and no model is
    called. In a source checkout `python -m benchmarks.silence` does it with a data set.
    """
    from bot.topics.answers.unrelated_lines import QueriesRefused, read_queries, sampled

    try:
        lines = sampled(read_queries(queries), limit, seed)
    except QueriesRefused as error:
        fail(str(error))
    found = operate("silence", {"lines": lines, "show": show}, as_json=as_json)
    if not as_json:
        print_silence(found)


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
    from bot.topics.answers.verdicts import asking, labelled, reading

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


def print_silence(found: Mapping[str, Any]) -> None:
    """Show how often unrelated lines brought something up, by what, and some examples."""
    each = f", with {found['lines_per_injection']:g} lines each" if found["injected"] else ""
    out.print(
        f"Something was injected for {found['injected_share']:.1%} of {found['queries']} unrelated "
        f"lines ({found['injected']}{each})."
    )
    for why, lines in found["by_reason"].items():
        out.print(f"  what spoke most for it: {reason(why)} ({lines})", markup=False)
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
