"""How a person labels lines in the terminal, or beforehand in a file."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import typer
from rich.console import Console

from bot.surfaces.terminal.terminal import fail
from bot.topics.answers.reasons import reason

WORDS = {"y": True, "yes": True, "n": False, "no": False, "s": None, "skip": None}
"""What can be said of a line; `q` stops."""

_USES = {True: "useful", False: "not useful"}

Ask = Callable[[], str]
"""The next word of the person."""


def asking() -> Ask:
    """Asks in the terminal until one of the words comes."""

    def ask() -> str:
        while True:
            word = typer.prompt("    useful? (y, n, s to skip, q to stop)", err=True)
            word = word.strip().lower()
            if word in WORDS or word == "q":
                return str(word)

    return ask


def reading(path: Path) -> Ask:
    """Takes the words of a file, one a line; when there are no more, it stops."""
    try:
        words = iter(path.read_text("utf-8").lower().split())
    except OSError as error:
        fail(f"{path} cannot be read: {error.strerror}.")
    except UnicodeDecodeError:
        fail(f"{path} cannot be read: it is not text.")

    def ask() -> str:
        word = next(words, "q")
        if word not in WORDS and word != "q":
            fail(f'{path} says "{word}": a label is y, n or s, and q stops.')
        return word

    return ask


def labelled(
    questions: Sequence[dict[str, Any]], ask: Ask, page: Console
) -> list[list[bool | None]]:
    """The labels of every line that was asked about, question by question, each shown first."""
    labels: list[list[bool | None]] = []
    for question in questions:
        page.print(f"\n{question['speaker']} ({_day(question)}): {question['text']}", markup=False)
        labels.append([])
        for line in question["lines"]:
            page.print(_bullet(line), markup=False)
            if line["useful"] is not None:
                labels[-1].append(line["useful"])
                page.print(f"    labelled on the dashboard: {_USES[line['useful']]}", style="dim")
                continue
            if (word := ask()) == "q":
                return labels
            labels[-1].append(WORDS[word])
    return labels


def _bullet(line: dict[str, Any]) -> str:
    said_by = f", {line['said_by']}" if line["said_by"] else ""
    why = f"{reason(line['why'])}, {line['score']:.2f}"
    return f"  • {line['content']} ({_day(line)}{said_by}) ({why})"


def _day(row: dict[str, Any]) -> str:
    return str(row["at"])[:10]
