"""Times the pre-hook as the daemon runs it: `python -m benchmarks.recall FOLDER [busy]`.

Prints its figures as one JSON object. When busy, a digest and an ingestion in bulk run meanwhile.
Linux only: it reads /proc.
"""

import asyncio
import gc
import json
import sys
from collections import defaultdict
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from pathlib import Path
from time import process_time

from benchmarks.busy import busy
from benchmarks.figures import Figures, p95_of_each, spread
from benchmarks.floor import replayed_ms, statements_of
from benchmarks.mark import asked_of
from benchmarks.processes import worked_ms, worker_of
from benchmarks.repetition import times
from benchmarks.settings import bench_settings, prepare_process
from benchmarks.stalls import watched
from benchmarks.town import Asked, Talk, placed
from bot.wiring.app import App, open_app
from memory.model.audience import OPERATOR, scope_of
from memory.model.retrieval import Question
from memory.retrieval.recall import Recall

QUESTIONS = times(400, 40)
"""Enough that the 99th percentile is not the slowest one."""

PAUSE_S = 0.005
"""Between two questions, as in a room that is busy and not flooded."""

WINDOW = 10
"""Earlier turns that the model still sees."""

FOR_EVER = timedelta(days=10_000)
"""Continue whatever conversation there was."""


async def measure(folder: Path, *, is_busy: bool = False, seed: int = 11) -> Figures:
    """Ask a filled pet questions, one after the other, and time each recall."""
    async with open_app(bench_settings(folder)) as app:
        talk = Talk(seed)
        most = asked_of(folder, QUESTIONS)
        asked = [await _question(app, talk.question()) for _ in range(most)]
        await app.services.recall.warm_up()
        gc.freeze()
        async with busy(app) if is_busy else nullcontext() as load:
            with watched() as stalls:
                seen = await _asked(app.services.recall, asked)
        cost = {} if is_busy else await _cost(app, folder, asked)
    return {
        **spread(seen.took_ms),
        **cost,
        "stall_ms": round(stalls.largest_ms, 1),
        "by_source": p95_of_each(seen.steps_ms),
        "questions": len(asked),
        "looked_up": len(seen.took_ms),
        "answered": seen.answered,
        "late_sources": seen.late_sources,
        **(asdict(load) if load else {}),
    }


async def _cost(app: App, folder: Path, questions: Sequence[Question]) -> Figures:
    """Processor time of a recall, and of what no recall could do without: SQL and vectors.

    Asked again, without a watch on the loop, which costs as much as a tenth of it.
    """
    worker = worker_of(app.index)
    spent_ms, vector_ms = process_time() * 1000, worked_ms(worker)
    recalls = 0
    for question in questions:
        recalls += bool((await app.services.recall.before(question)).took_ms)
    vector_ms = (worked_ms(worker) - vector_ms) / recalls
    cpu_ms = (process_time() * 1000 - spent_ms) / recalls + vector_ms
    sql_ms = replayed_ms(folder, await statements_of(app, folder, questions)) / recalls
    return {
        "cpu_ms": round(cpu_ms, 1),
        "sql_floor_ms": round(sql_ms, 1),
        "vector_ms": round(vector_ms, 1),
        "floor_ratio": round(cpu_ms / (sql_ms + vector_ms), 2),
    }


@dataclass(slots=True)
class _Seen:
    """What is kept of the recalls; the rest is let go, as the daemon does."""

    took_ms: list[float] = field(default_factory=list)
    steps_ms: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    answered: int = 0
    late_sources: int = 0


async def _asked(recall: Recall, questions: Sequence[Question]) -> _Seen:
    seen = _Seen()
    for question in questions:
        found = await recall.before(question)
        if found.took_ms:
            seen.took_ms.append(found.took_ms)
        for step, took_ms in found.steps_ms.items():
            seen.steps_ms[step].append(took_ms)
        seen.answered += bool(found.lines)
        seen.late_sources += len(found.late)
        await asyncio.sleep(PAUSE_S)
    return seen


async def _question(app: App, asked: Asked) -> Question:
    account, room = asked.resident.account, placed(asked.room)
    person = await app.storage.people.person(account.platform, account.external_id, account.name)
    window = []
    if asked.follows:
        session = await app.storage.turns.session(person.id, room.id, FOR_EVER)
        said = await app.storage.turns.window(session.id, OPERATOR)
        window = said[-app.settings.sessions.window_messages // 2 :]
    ids = tuple(turn.id for turn in window)
    return Question(
        text=asked.text,
        context=asked.context,
        speaker=person.name,
        room=room,
        scope=scope_of(room, person.id, asked.resident.spaces),
        window=ids,
        replayed=ids,
    )


if __name__ == "__main__":
    prepare_process()
    print(json.dumps(asyncio.run(measure(Path(sys.argv[1]), is_busy="busy" in sys.argv[2:]))))
