"""How much of a French-speaking community the pet finds again: `python -m benchmarks.french`.

Stores the set of tests/data/french through the product's own write path into a temporary folder,
asks its questions through the product's own recall, and prints how well they are answered.
"""

import argparse
import asyncio
import json
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import get_args

from benchmarks.evaluation.trial_store import trial_settings
from benchmarks.figures import Figures
from benchmarks.french_scores import Answered, scores
from benchmarks.french_set import SPLITS, Asked, Split, Statement, questions, statements
from benchmarks.settings import bench_settings, prepare_process
from benchmarks.suite import lines_of
from benchmarks.town import PLATFORM, group_room, placed
from bot.wiring.app import App, open_app
from config.sections.vectors import EmbedderSettings
from memory.clock import FrozenClock
from memory.learning.store import Stored
from memory.model.audience import Origin, scope_of
from memory.model.people import Person
from memory.model.retrieval import Candidate, Question
from memory.model.rooms import HOME, RoomRole, Visibility
from memory.model.statements import MemoryId, NewMemory, Source
from memory.model.stores import Collection, Store

DEPTH = 20
"""Results asked for: beyond them a rank counts as not found."""

EMBEDDERS = tuple(
    kind
    for kind in get_args(EmbedderSettings.model_fields["kind"].annotation)
    if kind in {"offline", "none"}
)
"""The kinds of embedder that need no service, of those the settings know."""

LOBBY = placed(group_room(HOME, RoomRole.LOBBY))


@dataclass(frozen=True, slots=True)
class Community:
    """A running pet, the people it has met, and the statement behind each memory it keeps."""

    app: App
    clock: FrozenClock
    people: dict[str, Person]
    known: dict[MemoryId, str]
    merged: list[str]


async def measure(embedder: str, splits: Sequence[Split]) -> tuple[Figures, list[Answered]]:
    """The figures of these halves of the questions, and every answer behind them."""
    async with community(embedder) as met:
        answered = [await _answered(met, one) for one in questions(splits)]
        found = {"memories": len(statements()), "merged": met.merged, **scores(answered)}
    return found, answered


@asynccontextmanager
async def community(embedder: str) -> AsyncIterator[Community]:
    """A pet in a temporary folder that was told every statement, until the body ends."""
    said = statements()
    clock = FrozenClock(said[0].at)
    with TemporaryDirectory(prefix="eko-french-") as folder:
        inside = trial_settings(bench_settings(Path(folder)), embedder, None)
        async with open_app(inside, clock) as app:
            met = await _met(app, clock, {*_speakers(said)})
            for statement in said:
                await _told(met, statement)
            await app.services.indexer.settle()
            yield met


def question(met: Community, asked: Asked) -> Question:
    """A question of the set, asked now: the clock stands at its moment."""
    met.clock.at = asked.at
    speaker = met.people[asked.asked_by]
    return Question(
        text=asked.text,
        context="",
        speaker=speaker.name,
        room=LOBBY,
        scope=scope_of(LOBBY, speaker.id),
    )


def _speakers(said: Iterable[Statement]) -> Iterable[str]:
    yield from (statement.said_by for statement in said)
    yield from (one.asked_by for one in questions())


async def _met(app: App, clock: FrozenClock, names: Iterable[str]) -> Community:
    await app.storage.people.keep_room(LOBBY)
    people = {
        name: await app.storage.people.person(PLATFORM, name.casefold(), name)
        for name in sorted(names)
    }
    return Community(app, clock, people, {}, [])


async def _told(met: Community, statement: Statement) -> None:
    """Let a statement be remembered on the day it was made."""
    met.clock.at = statement.at
    stored = await met.app.services.writer.store(
        NewMemory(
            store=Store.MEMORY,
            content=statement.content,
            origin=Origin(visibility=Visibility.SPACE, room=LOBBY.id, space=LOBBY.space),
            source=Source.DIGEST,
            memory_type=statement.memory_type,
            subjects=statement.subjects,
            said_by=statement.said_by,
            said_at=statement.at,
        )
    )
    _note(met, statement, stored)


def _note(met: Community, statement: Statement, stored: Stored) -> None:
    if not stored.is_new or stored.replaced:
        met.merged.append(statement.id)
    met.known.setdefault(stored.id, statement.id)


async def _answered(met: Community, asked: Asked) -> Answered:
    found = statements_in(await met.app.services.recall.ranked(question(met, asked)))
    return Answered(asked, tuple(met.known[MemoryId(one.id)] for one in found))


def statements_in(ranked: Iterable[Candidate]) -> list[Candidate]:
    """The statements of a ranking, as many as are counted."""
    return [one for one in ranked if is_statement(one)][:DEPTH]


def is_statement(row: Candidate) -> bool:
    """Whether a row is what the set tells: the pet has heard nothing else."""
    return row.collection is Collection.MEMORY


def _missed(answered: Iterable[Answered]) -> Iterable[str]:
    """The questions to learn from; those for reporting stay unseen."""
    for one in answered:
        if one.asked.split == "tune" and one.recall(10) < 1:
            yield f"{one.asked.text}\n  wanted {one.asked.answers}\n  found  {one.found[:10]}"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.french", description=__doc__)
    parser.add_argument("--split", choices=(*SPLITS, "all"), default="all")
    parser.add_argument("--embedder", choices=EMBEDDERS, default="offline")
    parser.add_argument("--json", action="store_true", help="print the figures as one object")
    parser.add_argument("--misses", action="store_true", help="list what the tune half missed")
    return parser.parse_args()


def main() -> None:
    """Measure what the command line asks for, and print it."""
    chosen = _arguments()
    prepare_process()
    splits = SPLITS if chosen.split == "all" else (chosen.split,)
    found, answered = asyncio.run(measure(chosen.embedder, splits))
    if chosen.misses:
        print(*_missed(answered), sep="\n")
    print(json.dumps(found) if chosen.json else "\n".join(lines_of(found)))


if __name__ == "__main__":
    main()
