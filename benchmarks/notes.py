"""Times how a vault is followed: `python -m benchmarks.notes [NOTES]`, in a folder made for it.

Prints its figures as one JSON object.
"""

import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.figures import Figures, machine, spread
from benchmarks.repetition import times
from benchmarks.settings import bench_settings, prepare_process
from benchmarks.stalls import watched
from benchmarks.town import Talk, placed
from bot.wiring.app import App, open_app
from config.sections.obsidian import ObsidianSettings
from memory.model.audience import EVERYONE, Scope, space_audience
from memory.model.retrieval import Question
from memory.model.rooms import HOME
from observers.notes import NoteReport, NoteSync

SECTIONS = 3
"""Headings of a note."""

SENTENCES = 10
"""Below each, so that a note is fifteen hundred characters or so."""

EDITED = 100
"""Notes that are written to between two passes: a busy day."""

QUESTIONS = times(200, 20)
"""Recalls that are timed once the notes are known."""


async def measure(folder: Path, notes: int) -> Figures:
    """Follow a new vault, an unchanged one, one with edits, and one after a restart."""
    vault = folder / "vault"
    await asyncio.to_thread(_fill, vault, range(notes), 7)
    chosen = ObsidianSettings(kind="folder", folder=str(vault), audience="space")
    settings = bench_settings(folder / "data").model_copy(update={"obsidian": chosen})
    figures: Figures = {"notes": notes}
    async with open_app(settings) as app:
        await app.services.recall.warm_up()  # loading the embedder is no part of it
        figures["first"] = await _pass(app, notes)
        started = perf_counter()
        await app.services.indexer.settle()
        figures["then_indexed_s"] = round(perf_counter() - started, 2)
        figures["unchanged"] = await _pass(app, 0)
        await asyncio.to_thread(_fill, vault, range(min(EDITED, notes)), 8)
        figures["edited"] = await _pass(app, min(EDITED, notes))
        figures["recall"] = await _recalls(app)
    async with open_app(settings) as app:
        figures["restarted"] = await _pass(app, 0)
    return figures


async def _pass(app: App, expected: int) -> Figures:
    with watched() as stalls:
        started = perf_counter()
        report = await _following(app).sync()
        took_s = perf_counter() - started
    _check(report, expected)
    return {
        "took_s": round(took_s, 2),
        "read": len(report.read),
        "pieces": report.pieces,
        "stall_ms": round(stalls.largest_ms, 1),
    }


def _following(app: App) -> NoteSync:
    if app.services.notes is None:
        raise SystemExit("The pet follows no vault: nothing could be measured.")
    return app.services.notes


def _check(report: NoteReport, expected: int) -> None:
    if len(report.read) != expected:
        raise SystemExit(f"{len(report.read)} notes were read and not {expected}.")


async def _recalls(app: App) -> Figures:
    talk = Talk(9)
    took_ms = []
    for _ in range(QUESTIONS):
        asked = talk.question()
        question = Question(
            text=asked.text,
            context=asked.context,
            speaker=asked.resident.name,
            room=placed(asked.room),
            scope=Scope(frozenset({EVERYONE, space_audience(HOME)})),
        )
        started = perf_counter()
        await app.services.recall.before(question)
        took_ms.append((perf_counter() - started) * 1000)
    return spread(took_ms)


def _fill(vault: Path, numbers: Sequence[int], seed: int) -> None:
    """Write notes with the tag, in a hundred folders; another seed has them say something else."""
    talk = Talk(seed)
    for number in numbers:
        place = vault / f"folder {number % 100}" / f"note {number}.md"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(_note(talk), "utf-8")


def _note(talk: Talk) -> str:
    parts = ["---\ntags: [eko]\n---"]
    for section in range(SECTIONS):
        said = " ".join(talk.fact(talk.resident())[0] + "." for _ in range(SENTENCES))
        parts.append(f"# Part {section + 1}\n\n{said}")
    return "\n\n".join(parts)


def main() -> None:
    """Measure as many notes as the command line says."""
    prepare_process()
    notes = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    with TemporaryDirectory(prefix="eko-bench-") as folder:
        found = asyncio.run(measure(Path(folder), notes))
    json.dump(found | {"machine": machine()}, sys.stdout, indent=2)


if __name__ == "__main__":
    main()
