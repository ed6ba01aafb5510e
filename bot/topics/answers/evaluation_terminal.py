"""`eko eval`: how good the pet's memory is, on your own rooms."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from bot.surfaces.terminal.terminal import (
    err,
    fail,
    operate,
    out,
    print_rows,
    run_or_exit,
    settings_or_exit,
    several,
)
from bot.topics.answers.reasons import reason

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from bot.topics.answers.evening.play import PlayedEvening
    from bot.topics.answers.evening.record import Evening
    from bot.topics.answers.evening.score import EveningScore
    from config.settings import Settings

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


@app.command()
def evening(
    records: Annotated[
        list[str] | None,
        typer.Argument(help="fr, en, or a TOML file like those two; both if not given."),
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="So many messages of each, from the first on.")
    ] = None,
    *,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before it costs.")] = False,
    as_json: Json = False,
) -> None:
    """Let the chosen model live through an evening of five people; count what it keeps and loses.

    A pet of its own in a folder that is thrown away hears them, with your model, embedder and
    caps. Before the first call it says about how many there will be and asks. Ctrl-C prints what
    there is by then.
    """
    from bot.topics.answers.evening.play import estimate
    from bot.topics.answers.evening.record import SHIPPED, EveningRefused, read_evening

    settings = settings_or_exit()
    if not settings.model.is_chosen:
        fail("No model is chosen: put ANTHROPIC_API_KEY into .env, or what docs/models.md says.")
    try:
        evenings = {name: read_evening(name) for name in records or SHIPPED}
    except EveningRefused as refused:
        fail(str(refused))
    err.print("Counting what it will take...", style="dim")
    for name, one in evenings.items():
        _print_estimate(name, run_or_exit(estimate(settings, one, limit)))
    if not yes:
        typer.confirm(f"Ask {settings.model.name}?", abort=True, err=True)
    scores = list(_scores(settings, evenings, limit))
    if as_json:
        found = {"evenings": [asdict(one) for one in scores]}
        out.print(json.dumps(found, ensure_ascii=False), markup=False)
    else:
        _print_evenings(scores)


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


def _print_estimate(name: str, played: "PlayedEvening") -> None:
    calls = sum(one.calls for one in played.spent)
    tokens = sum(one.sent for one in played.spent)
    dollars = sum(one.dollars for one in played.spent)
    price = f"${dollars:.3f} if no cache helps" if played.is_priced else "at no known price"
    err.print(
        f"{name}: {several(len(played.lines), 'message')}, about {several(calls, 'call')} with "
        f"{tokens:,} tokens, {price}.",
        markup=False,
    )


def _scores(
    settings: "Settings", evenings: "Mapping[str, Evening]", limit: int | None
) -> "Iterator[EveningScore]":
    """The score of each evening, with its progress shown; none after one that was interrupted."""
    from rich.progress import Progress

    from bot.topics.answers.evening.play import play
    from bot.topics.answers.evening.score import score

    for name, one in evenings.items():
        with Progress(console=err, transient=True, disable=not err.is_terminal) as bar:
            said = partial(_show_progress, bar, bar.add_task(f"{name}...", total=None))
            played = run_or_exit(play(settings, one, limit, said))
        yield score(name, one, played)
        if played.interrupted:
            err.print("Interrupted: what was not read by then counts as lost.", style="yellow")
            return


def _show_progress(bar: "Progress", task: "TaskID", done: int, total: int) -> None:
    bar.update(task, completed=done, total=total)


def _print_evenings(scores: "Sequence[EveningScore]") -> None:
    rows = [_row(one) for one in scores]
    heads = ("", *(one.record for one in scores))
    print_rows(heads, [(name, *(row[name] for row in rows)) for name in rows[0]], empty="")
    for one in scores:
        for (kind, what), times in Counter((f.kind, f.what) for f in one.failures).items():
            often = f" ({times} times)" if times > 1 else ""
            out.print(f"\n{one.record}, {kind}{often}: {what}", markup=False)
            same = next(f for f in one.failures if (f.kind, f.what) == (kind, what))
            for line in same.seen_in:
                out.print(f"    {line}", markup=False)


def _row(one: "EveningScore") -> dict[str, str]:
    """The figures of an evening as they are read, by what they are called."""
    from bot.topics.answers.evening.score import FailureKind as Kind

    wholes = {
        Kind.TWICE: one.facts,
        Kind.LOST: one.facts,
        Kind.ENDED: one.facts,
        Kind.HELD: one.over,
        Kind.KEPT: one.never,
        Kind.TOLD: one.confidences,
        Kind.MISSING: one.needed,
    }
    share = max(1, one.played)
    of = {kind: f" of {wholes[kind]}" if kind in wholes else "" for kind in Kind}
    return {
        "messages": f"{one.played} of {one.messages}",
        "facts kept right": f"{one.right} of {one.facts}",
        **{kind.value: f"{one.counts[kind]}{of[kind]}" for kind in Kind},
        "calls a message": f"{one.calls / share:.1f}",
        "tokens a message": f"{one.tokens / share:,.0f}",
        "dollars a message": "unknown" if one.dollars is None else f"{one.dollars / share:.4f}",
    }
