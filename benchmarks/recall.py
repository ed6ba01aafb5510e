"""Times the pre-hook as the daemon runs it: `python -m benchmarks.recall FOLDER [busy]`.

Prints its figures as one JSON object. When busy, a digest and an ingestion in bulk run meanwhile.
"""

import asyncio
import gc
import json
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from pathlib import Path
from time import process_time

from benchmarks.busy import busy
from benchmarks.figures import Figures, p95_of_each, spread
from benchmarks.settings import bench_settings, prepare_process
from benchmarks.stalls import watched
from benchmarks.timed import Stopwatch, TimedEvidence, TimedReading, TimedSources
from benchmarks.town import Asked, Talk, placed
from bot import rules
from bot.app import App, open_app
from memory.recall import Recall
from memory.retrieval import Question
from memory.scope import scope_of
from memory.sources import Sources

QUESTIONS = 400
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
        stopwatch = Stopwatch()
        recall = _timed_recall(app, stopwatch)
        talk = Talk(seed)
        asked = [await _question(app, talk.question()) for _ in range(QUESTIONS)]
        await app.mind.recall.warm_up()
        gc.freeze()
        stopwatch.durations_ms.clear()
        busy_s = process_time()
        async with busy(app) if is_busy else nullcontext() as load:
            with watched() as stalls:
                seen = await _asked(recall, asked)
        busy_s = process_time() - busy_s
    return {
        **spread(seen.took_ms),
        "cpu_ms": round(busy_s * 1000 / max(1, len(seen.took_ms)), 1),
        "stall_ms": round(stalls.largest_ms, 1),
        "by_source": p95_of_each(stopwatch.durations_ms),
        "questions": QUESTIONS,
        "looked_up": len(seen.took_ms),
        "answered": seen.answered,
        "late_sources": seen.late_sources,
        **(asdict(load) if load else {}),
    }


@dataclass(slots=True)
class _Seen:
    """What is kept of the recalls; the rest is let go, as the daemon does."""

    took_ms: list[float] = field(default_factory=list)
    answered: int = 0
    late_sources: int = 0


async def _asked(recall: Recall, questions: Sequence[Question]) -> _Seen:
    seen = _Seen()
    for question in questions:
        found = await recall.before(question)
        if found.took_ms:
            seen.took_ms.append(found.took_ms)
        seen.answered += bool(found.lines)
        seen.late_sources += len(found.late)
        await asyncio.sleep(PAUSE_S)
    return seen


def _timed_recall(app: App, stopwatch: Stopwatch) -> Recall:
    """The recall of this app, put together again with stopwatches inside."""
    truth = app.truth
    sources = Sources(truth.kept, app.index)
    return Recall(
        TimedReading(app.mind.reading, stopwatch),
        TimedSources(sources, stopwatch),
        TimedEvidence(app.mind.evidence, stopwatch),
        app.clock,
        lambda: rules.recall_rules(app.settings),
    )


async def _question(app: App, asked: Asked) -> Question:
    account, room = asked.resident.account, placed(asked.room)
    person = await app.truth.people.person(account.platform, account.external_id, account.name)
    window = []
    if asked.follows:
        session = await app.truth.turns.session(person.id, room.id, FOR_EVER)
        said = await app.truth.turns.window(session.id)
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
