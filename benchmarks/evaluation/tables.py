"""The tables of `eko eval locomo`: by kind of question for one file, by file for several."""

from collections.abc import Iterable, Mapping
from typing import Any

from rich.table import Table

from bot.surfaces.terminal.terminal import out, several

_READ = {
    "answer_injected": "answer",
    "evidence_injected": "evidence",
    "answer_in_lines": "in lines",
}
"""What the model reads, with short heads: all of it fits into 80 columns."""

_FOUND = {"recall@5": "@5", "recall@10": "@10", "recall@20": "@20", "mrr": "mrr"}

_COLUMNS = _READ | _FOUND

_LEGEND = (
    "answer: the model reads evidence, with the answer where that is a span of it (of all "
    "questions). evidence: it reads evidence, where that is among the first 20 found. in lines: "
    "the answer is in the line, where it is in the row. @10: the share of the evidence among the "
    "first 10 found."
)


def print_scores(found: Mapping[str, Any]) -> None:
    """One file: its kinds of questions, all of them, and how it was asked."""
    _print_table("kind", [*found["by_category"].items(), ("all", found)])
    latency = found["latency_ms"]
    out.print(
        f"Embedder {found['embedder']}, fusion {found['fusion']}; a question takes "
        f"{latency['p50']:.1f} ms, {latency['p95']:.1f} ms at the 95th percentile.",
        markup=False,
    )
    _print_missed(found["missed_deadlines"])
    if "qa" in found:
        qa = found["qa"]
        out.print(
            f"Answered by {qa['model']}: {qa['correct']:.1%} of {qa['n']} judged correct, for "
            f"{qa['tokens']['input']} tokens sent and {qa['tokens']['output']} received.",
            markup=False,
        )


def print_sets(found: Mapping[str, Any]) -> None:
    """Several files: each whole, and the mean over the files."""
    sets = found["sets"]
    _print_table("set", [*sets.items(), ("mean of the sets", {"n": "", **found["macro_mean"]})])
    _print_missed(sum(one["missed_deadlines"] for one in sets.values()))


def _print_table(what: str, rows: Iterable[tuple[str, Mapping[str, Any]]]) -> None:
    table = Table(what, "n", *_COLUMNS.values(), box=None, pad_edge=False, header_style="bold")
    for name, row in rows:
        table.add_row(name, str(row["n"]), *(_share(row.get(column)) for column in _COLUMNS))
    out.print(table)
    out.print(_LEGEND, markup=False)


def _print_missed(missed: int) -> None:
    if missed:
        out.print(
            f"{several(missed, 'question')} missed a deadline: these figures are too low.",
            markup=False,
        )


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
