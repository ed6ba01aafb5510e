"""What each source and signal of recall is worth: `python -m benchmarks.ablation FILE`.

Hears a LoCoMo file in a temporary store, asks its questions, and lets recall order what was found
once as it is and once with each thing switched off. The table says how recall@10 changes then.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.box import MARKDOWN
from rich.console import Console
from rich.table import Table

from benchmarks import marking
from benchmarks.french import EMBEDDERS
from benchmarks.settings import prepare_process
from benchmarks.variants import WHOLE, variants
from benchmarks.worth import DECIDES, Marked, worth
from bot.evaluation.locomo import Conversation, LocomoRefused, chosen, read_locomo

WIDE = 240
"""Columns of the table: a narrow terminal must not break what is pasted into a page."""

EVERY = 50
"""Questions between two lines about how far it is."""

Figures = dict[str, Any]


async def measure(
    conversations: Sequence[Conversation],
    reported: frozenset[str],
    embedder: str,
    *,
    facts: bool,
    french: bool,
) -> AsyncIterator[Figures]:
    """The worth of everything by column, set by set: what is reported of it, and the whole."""
    compared = variants()
    for with_facts in (False, True) if facts else (False,):
        if conversations:
            name = "LoCoMo with facts" if with_facts else "LoCoMo"
            marked = await marking.locomo(
                conversations, embedder, compared, _said, facts=with_facts
            )
            yield _columns(name, marked, reported)
    if french:
        marked = await marking.french(embedder, compared, _said)
        yield _columns("French", marked, frozenset({"report"}))


def _columns(name: str, marked: Sequence[Marked], reported: frozenset[str]) -> Figures:
    """The part that was not tuned on, and the whole set."""
    unseen = [one for one in marked if one.part in reported]
    parts = {f"{name}, reported": unseen, f"{name}, all": marked}
    return {part: worth(those) for part, those in parts.items() if those}


def table(columns: Mapping[str, Figures]) -> Table:
    """Recall@10 of the whole, and under it by how much it changes without each thing."""
    drawn = Table(f"change of {DECIDES}", *columns, box=MARKDOWN)
    whole = (f"{each[WHOLE.name][DECIDES]:.3f} of {each['questions']}" for each in columns.values())
    drawn.add_row(WHOLE.name, *whole)
    for name in next(iter(columns.values()))["variants"]:
        drawn.add_row(name, *(_cell(each["variants"][name]) for each in columns.values()))
    return drawn


def _cell(found: Figures) -> str:
    """The change in thousandths with its bounds; bold when it is on one side of none."""
    if not found["better"] and not found["worse"]:
        return "="
    mean, low, high = (1000 * found["difference"][each] for each in ("mean", "low", "high"))
    text = f"{mean:+.0f} [{low:+.0f}, {high:+.0f}]"
    return f"**{text}**" if low > 0 or high < 0 else text


def _said(doing: str, done: int, total: int) -> None:
    if done % EVERY == 0 or total <= EVERY:
        print(f"{doing}: {done} of {total}", file=sys.stderr, flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ablation", description=__doc__)
    parser.add_argument("file", nargs="?", type=Path, help="a file in the LoCoMo format")
    parser.add_argument("--embedder", choices=EMBEDDERS, default="offline")
    parser.add_argument("--conversations", help="report these by themselves, such as 6-10")
    parser.add_argument("--facts", action="store_true", help="once more with the file's facts")
    parser.add_argument("--french", action="store_true", help="the French set too")
    parser.add_argument("--json", action="store_true", help="print figures, the last line has all")
    arguments = parser.parse_args()
    if not arguments.file and (arguments.facts or not arguments.french):
        parser.error("name a file: only --french goes without one")
    return arguments


async def _shown(asked: argparse.Namespace) -> Figures:
    """The figures of every set; as JSON also those of each as soon as they are there."""
    conversations = read_locomo(asked.file) if asked.file else []
    reported = chosen(conversations, asked.conversations) if asked.conversations else []
    numbers = frozenset(str(one.number) for one in reported)
    found: Figures = {"embedder": asked.embedder, "columns": {}}
    measured = measure(
        conversations, numbers, asked.embedder, facts=asked.facts, french=asked.french
    )
    async for columns in measured:
        found["columns"] |= columns
        if asked.json:
            print(json.dumps(found), flush=True)
    return found


def main() -> None:
    """Measure what the command line asks for, and print it."""
    asked = _arguments()
    prepare_process()
    try:
        found = asyncio.run(_shown(asked))
    except LocomoRefused as refused:
        sys.exit(str(refused))
    if not asked.json:
        Console(width=WIDE).print(table(found["columns"]), markup=False)


if __name__ == "__main__":
    main()
