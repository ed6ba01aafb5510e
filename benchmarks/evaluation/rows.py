"""One JSON line for each question that was asked: what was found, what was injected, how surely."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from benchmarks.evaluation.metrics import CLOSE, recall_at
from benchmarks.evaluation.runner import Answered
from bot.errors import BotError


class RowsRefused(BotError):
    """The lines of the questions cannot be kept."""


@contextmanager
def written_to(path: Path | None) -> Iterator[Callable[[str, Answered], None]]:
    """Keeps each question as a line of a file while the body runs; without a path, nothing.

    Raises:
        RowsRefused: the file cannot be written.

    """
    with ExitStack() as stack:
        try:
            file = stack.enter_context(path.open("w", encoding="utf-8")) if path else None
        except OSError as error:
            raise RowsRefused(f"{path} cannot be written: {error.strerror}.") from error

        def keep(name: str, one: Answered) -> None:
            if file is not None:
                file.write(line_of(name, one))

        yield keep


def line_of(name: str, one: Answered) -> str:
    """A question of a set as one line of JSON, with its break."""
    return json.dumps({"set": name, **_row(one)}, ensure_ascii=False) + "\n"


def _row(one: Answered) -> dict[str, Any]:
    outcome, injection = one.examined.outcome, one.examined.injection
    return {
        "conversation": one.place.conversation.number,
        "question": one.asked.text,
        "category": one.asked.category,
        "answer": one.asked.answer,
        "answer_is_span": injection.is_span,
        "evidence": sorted(one.asked.evidence),
        "recall@10": round(recall_at(outcome, 10), 4),
        "answer_injected": one.examined.is_answered,
        "reason": one.retrieval.reason,
        "found": _found(one),
        "injected": [
            {
                "turns": sorted(line.covers),
                "text": line.text,
                "confidence": round(line.confidence, 4),
                "why": line.reason,
                "holds_answer": line.holds,
            }
            for line in injection.lines
        ],
        "late": list(injection.missed),
    }


def _found(one: Answered) -> list[dict[str, Any]]:
    """The first rows by rank, with what the gate made of those that were judged."""
    lines, verdicts = one.examined.outcome.lines[:CLOSE], one.verdicts
    return [
        {
            "turns": sorted(line.covers),
            "worth": row.worth,
            "signals": {name: round(added, 4) for name, added in row.signals.items()},
            **(
                {"confidence": round(item.score, 4), "kept": item.kept, "why": item.reason}
                if (item := verdicts.get(row.id)) is not None
                else {}
            ),
        }
        for line, row in zip(lines, one.found, strict=False)
    ]
