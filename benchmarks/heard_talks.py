"""Every kind of talk of a folder, heard and asked one after the other: what benchmarks share."""

import argparse
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from benchmarks.french import EMBEDDERS
from benchmarks.french_set import SPLITS, Asked, Split, questions
from benchmarks.talk_pairs import AskedStore, asked_french, asked_talks
from benchmarks.talk_sets import SETS, TalkSet, everyday_lines, in_folder
from benchmarks.unrelated import Quiet, said_lines

FRENCH = "French set"
"""Our own set; every other one is in the folder."""

KINDS = (*dict.fromkeys(one.kind for one in SETS), FRENCH)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Which talks are heard, and how much of each is asked.

    `only` are kinds of talk by name, all without one; `unheard` are sets by name; `halves` are
    those of the French set. `questions` of each set and `lines` of each kind are drawn by `seed`.
    """

    folder: Path
    sets: Sequence[TalkSet] = SETS
    only: tuple[str, ...] = ()
    unheard: tuple[str, ...] = ()
    halves: tuple[Split, ...] = SPLITS
    embedder: str = "offline"
    questions: int | None = None
    lines: int = 300
    seed: int = 1

    def french(self) -> list[Asked]:
        """The questions of the French set that are asked."""
        every = questions(self.halves)
        if self.questions is None or self.questions >= len(every):
            return every
        return Random(self.seed).sample(every, self.questions)


@dataclass(frozen=True, slots=True, kw_only=True)
class HeardTalk:
    """One set that was heard and asked, with the unrelated lines that were said to it by kind."""

    name: str
    kind: str
    asked: AskedStore
    quiet: Mapping[str, Quiet]
    in_flow: bool = False


async def heard_talks(choice: Choice) -> AsyncIterator[HeardTalk]:
    """Each set of the choice, its store open until the next one is asked for."""
    lines = everyday_lines(choice.folder, choice.lines, choice.seed)

    async def said(asked: AskedStore, own: str | None) -> Mapping[str, Quiet]:
        return await said_lines(asked, lines, own, choice.lines, choice.seed)

    for one in choice.sets:
        if (choice.only and one.kind not in choice.only) or one.name in choice.unheard:
            continue
        drawn = in_folder(one, choice.folder, choice.questions, choice.seed)
        for name, conversations in drawn:
            tell(name)
            async with asked_talks(one, conversations, choice.embedder, unwatched) as asked:
                quiet = await said(asked, one.kind if len(conversations) > 1 else None)
                yield HeardTalk(
                    name=name, kind=one.kind, asked=asked, quiet=quiet, in_flow=one.in_flow
                )
    if not choice.only or FRENCH in choice.only:
        tell(FRENCH)
        async with asked_french(choice.embedder, choice.french()) as asked:
            quiet = await said(asked, None)
            yield HeardTalk(name=FRENCH, kind=FRENCH, asked=asked, quiet=quiet)


def choice_of(options: argparse.Namespace) -> Choice:
    """What a command line chose with the options of `choosing`."""
    return Choice(
        folder=options.folder,
        only=tuple(options.only),
        embedder=options.embedder,
        questions=options.questions,
        lines=options.lines,
        seed=options.seed,
    )


def choosing(name: str, description: str | None) -> argparse.ArgumentParser:
    """The parser of a command over the folder, whose own options are added to it."""
    parser = argparse.ArgumentParser(prog=f"python -m benchmarks.{name}", description=description)
    parser.add_argument("folder", type=_folder, help="where the sets and the everyday lines are")
    parser.add_argument(
        "--only", action="append", choices=KINDS, default=[], help="this kind of talk (repeatable)"
    )
    parser.add_argument("--embedder", choices=EMBEDDERS, default="offline")
    parser.add_argument("--questions", type=int, metavar="N", help="so many of each set, drawn")
    parser.add_argument("--lines", type=int, default=300, metavar="N", help="of each kind, drawn")
    parser.add_argument("--seed", type=int, default=1, help="which ones are drawn")
    return parser


def _folder(text: str) -> Path:
    folder = Path(text)
    if not folder.is_dir():
        raise argparse.ArgumentTypeError(f"{folder} is no folder")
    return folder


def tell(name: str) -> None:
    """Say what is heard and asked now, where figures are not."""
    print(f"{name} ...", file=sys.stderr, flush=True)


def unwatched(_doing: str, _done: int, _total: int) -> None:
    """A set is too short to be told how far it is."""
