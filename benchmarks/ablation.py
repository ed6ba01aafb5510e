"""What each source and signal of recall is worth: `python -m benchmarks.ablation FOLDER`.

The folder is that of `benchmarks.talks`. Hears each set in a temporary store, asks its questions,
and lets recall order what was found once as it is and once with each thing switched off. The table
says how recall@10 changes then, set by set.
"""

import asyncio
import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rich.box import MARKDOWN
from rich.console import Console
from rich.table import Table

from benchmarks.heard_talks import Choice, choice_of, choosing
from benchmarks.marking import marked
from benchmarks.settings import prepare_process
from benchmarks.talk_sets import LOCOMO, SETS, TalkSet
from benchmarks.variants import WHOLE, variants
from benchmarks.worth import DECIDES, Marked, worth
from bot.errors import BotError

WIDE = 240
"""Columns of the table: a narrow terminal must not break what is pasted into a page."""

WITH_FACTS = TalkSet(
    name="LoCoMo 6-10 with facts", kind="LoCoMo", pattern=LOCOMO, heard=range(6, 11), facts=True
)
"""The only set with statements that are learnt from messages and tied to each other."""

Figures = dict[str, Any]


async def measure(choice: Choice) -> Figures:
    """The worth of everything, set by set."""
    by_set: dict[str, list[Marked]] = {}
    async for one in marked(choice, variants()):
        by_set.setdefault(one.part, []).append(one)
    return {name: worth(each) for name, each in by_set.items()}


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


def main() -> None:
    """Measure what the command line asks for, and print it."""
    parser = choosing("ablation", __doc__)
    parser.add_argument("--json", action="store_true", help="print the figures as one object")
    options = parser.parse_args()
    prepare_process()
    try:
        found = asyncio.run(measure(replace(choice_of(options), sets=(*SETS, WITH_FACTS))))
    except BotError as refused:
        sys.exit(str(refused))
    if options.json:
        print(json.dumps(found))
    else:
        Console(width=WIDE).print(table(found), markup=False)


if __name__ == "__main__":
    main()
