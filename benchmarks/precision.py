"""PrecisionMemBench's cases asked of recall: `python -m benchmarks.precision FOLDER`.

The folder holds `beliefs.json` and cases (tenurehq/precisionmembench, MIT). Each scope is a space;
beliefs of everybody's scope are told in all of them, by their content, their names as subjects.
Counted is as its authors count: relevant beliefs alone, since pinned ones are always present and
open questions have a place of their own; superseded ones are not told. Of a case that wants nothing
precision and recall are 1 if nothing came. It is passed if exactly what it wants came.
"""

import argparse
import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.settings import bench_settings, prepare_process
from benchmarks.town import PLATFORM, group_room, placed
from bot.wiring.app import App, open_app
from memory.clock import FrozenClock
from memory.model.audience import Origin, scope_of
from memory.model.people import Person
from memory.model.retrieval import Question
from memory.model.rooms import Room, RoomRole, SpaceId, Visibility
from memory.model.statements import MemoryId, MemoryType, NewMemory, Source
from memory.model.stores import Store

TOLD, ASKED = datetime(2026, 10, 1, tzinfo=UTC), datetime(2026, 11, 1, tzinfo=UTC)

EVERYWHERE = "user:universal"

TYPES: Mapping[str, MemoryType] = {
    "preference": MemoryType.PREFERENCE,
    "decision": MemoryType.DECISION,
}
"""What a belief's type is here; any other one is a fact."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """What was wanted of a case and what came; both the ids of relevant beliefs."""

    id: str
    wanted: frozenset[str]
    came: frozenset[str]

    @property
    def precision(self) -> float:
        """The share of what came that was wanted."""
        return len(self.wanted & self.came) / len(self.came) if self.came else 1.0

    @property
    def recall(self) -> float:
        """The share of what was wanted that came."""
        return len(self.wanted & self.came) / len(self.wanted) if self.wanted else 1.0


def read(folder: Path) -> tuple[list[Any], list[Any]]:
    """The beliefs and the cases of a folder."""
    beliefs = json.loads((folder / "beliefs.json").read_text("utf-8"))
    paths = sorted(folder.glob("cases*.json"))
    return beliefs, [case for path in paths for case in json.loads(path.read_text("utf-8"))]


async def measure(
    beliefs: Sequence[Mapping[str, Any]], cases: Sequence[Mapping[str, Any]]
) -> list[Case]:
    """Every case, in its order."""
    clock = FrozenClock(TOLD)
    with TemporaryDirectory(prefix="eko-precision-") as data:
        async with open_app(bench_settings(Path(data)), clock) as app:
            person = await app.storage.people.person(PLATFORM, "teller", "Sam")
            rooms = {scope: _room(scope) for case in cases for scope in case["scope"]}
            known = await _told(app, beliefs, rooms, person)
            clock.at = ASKED
            return [
                await _asked(app, case, rooms[case["scope"][0]], person, known) for case in cases
            ]


def _room(scope: str) -> Room:
    return placed(group_room(SpaceId(scope.replace(":", "-")), RoomRole.LOBBY))


async def _told(
    app: App, beliefs: Sequence[Mapping[str, Any]], rooms: Mapping[str, Room], person: Person
) -> Mapping[MemoryId, str]:
    """Tell what holds where it belongs; the beliefs that count, by what they became."""
    known = {}
    for room in rooms.values():
        await app.storage.people.keep_room(room)
    for one in beliefs:
        if one["epistemic_status"] == "superseded":
            continue
        everywhere = EVERYWHERE in one["scope"]
        for room in (room for scope, room in rooms.items() if everywhere or scope in one["scope"]):
            stored = await app.services.writer.store(
                NewMemory(
                    store=Store.MEMORY,
                    content=one["content"],
                    origin=Origin(visibility=Visibility.SPACE, room=room.id, space=room.space),
                    source=Source.IMPORT,
                    memory_type=TYPES.get(one["type"], MemoryType.FACT),
                    subjects=(one["canonical_name"].replace("_", " "), *one["aliases"]),
                    said_by=person.name,
                    said_at=TOLD,
                )
            )
            if not (one["pinned"] or one["type"] == "open_question"):
                known[stored.id] = one["_id"]
    await app.services.indexer.settle()
    return known


async def _asked(
    app: App, case: Mapping[str, Any], room: Room, person: Person, known: Mapping[MemoryId, str]
) -> Case:
    found = await app.services.recall.before(
        Question(
            text=case["query"],
            context="",
            speaker=person.name,
            room=room,
            scope=scope_of(room, person.id),
        )
    )
    came = {MemoryId(item.candidate.id) for item in found.items if item.kept}
    return Case(
        id=case["caseId"],
        wanted=frozenset(case["expect"]["relevantBeliefs"]["shouldOnlyInclude"]),
        came=frozenset(known[id_] for id_ in came & known.keys()),
    )


def main() -> None:
    """Ask the cases of a folder, and print the figures; with `--wrong` those that failed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.precision", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--wrong", action="store_true", help="list the cases that are not passed")
    options = parser.parse_args()
    prepare_process()
    cases = asyncio.run(measure(*read(options.folder)))
    failed = [one for one in cases if one.wanted != one.came]
    if options.wrong:
        for one in failed:
            missing, excess = sorted(one.wanted - one.came), sorted(one.came - one.wanted)
            print(f"{one.id}: missing {missing}, too much {excess}")
    means = {
        name: round(sum(getattr(one, name) for one in cases) / len(cases), 3)
        for name in ("precision", "recall")
    }
    print(json.dumps({"cases": len(cases), "passed": len(cases) - len(failed), **means}))


if __name__ == "__main__":
    main()
