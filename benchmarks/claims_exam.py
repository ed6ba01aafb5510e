"""What a pet without a model learns and answers: `python -m benchmarks.claims_exam`.

For each entry of tests/data/claims an empty pet hears the lines through the product's own path,
and is asked. Prints figures for each language and kind of entries; `--out` writes every entry as
played, for a reader to judge. Nobody who writes code reads what it writes of the half `held`.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.claims_entries import CLAIMS, HALVES, KINDS, ClaimEntry, Kind, entries
from benchmarks.claims_play import PlayedEntry, played
from benchmarks.claims_verdicts import Verdict, verdict_of_entry, verdict_of_reply
from benchmarks.companion_set import LANGUAGES
from benchmarks.settings import prepare_process


def figures(done: Iterable[PlayedEntry]) -> dict[str, Verdict]:
    """The verdicts of each language and kind of entries, added up, with how many are judged.

    Of talks each kind of question has a row of its own, too. Utterances have none.
    """
    sums: dict[str, Counter[str]] = {}
    for one in done:
        row = f"{one.entry.language} {one.entry.kind}"
        for name, verdict in _verdicts(one, row):
            sums.setdefault(name, Counter()).update(verdict)
    return {name: dict(found) for name, found in sums.items()}


def _verdicts(one: PlayedEntry, row: str) -> Iterator[tuple[str, Verdict]]:
    yield from [(row, found)] if (found := verdict_of_entry(one)) else []
    for ask, reply in zip(one.entry.asks, one.replies, strict=True):
        verdict = verdict_of_reply(one.entry, ask, reply)
        for name in (row, f"{row}: {ask.kind}" if ask.kind else ""):
            if name and verdict:
                yield name, {"of": 1} | dict(verdict)


def written(one: PlayedEntry) -> dict[str, Any]:
    """An entry as it was played, for a reader; a talk has a list of what was `asked`."""
    entry = one.entry
    shown = {
        "id": entry.id,
        "language": entry.language,
        "kind": entry.kind,
        "lines": [
            f"{place} {line.by} ({line.where}, {_ago(line.ago.total_seconds())}): {line.text}"
            for place, line in enumerate(entry.lines)
        ],
        "values": entry.values,
        "good": entry.good,
        "bad": entry.bad,
    }
    kept = {
        "memories": [asdict(memory) for memory in one.memories],
        "core_facts": [asdict(fact) for fact in one.facts],
    }
    asked = list(_asked(one))
    if entry.kind == "talks":
        return _without_nothing(shown) | {"asked": asked} | kept
    merged = asked[0] | {"verdict": dict(verdict_of_entry(one)) | asked[0]["verdict"]}
    return _without_nothing(shown) | merged | kept


def _asked(one: PlayedEntry) -> Iterator[dict[str, Any]]:
    for ask, reply in zip(one.entry.asks, one.replies, strict=True):
        verdict = verdict_of_reply(one.entry, ask, reply)
        yield _without_nothing(
            {
                "by": ask.by,
                "question": ask.text,
                "about": ask.kind,
                "answers": ask.answers,
                "misleading": ask.misleading,
            }
        ) | {"reply": reply, "verdict": dict(verdict)}


def _without_nothing(shown: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in shown.items() if value}


def _ago(seconds: float) -> str:
    minutes = int(seconds / 60)
    days, hours = divmod(minutes // 60, 24)
    return f"{days}d" if days and not hours else f"{days * 24 + hours}h{minutes % 60:02}"


def _table(found: dict[str, Verdict]) -> Iterator[str]:
    for row, verdict in found.items():
        counts = {name: int(count) for name, count in verdict.items() if name != "of"}
        told = ", ".join(f"{name} {count}" for name, count in counts.items())
        yield f"{row} (of {verdict['of']}): {told}"


def _chosen_entries(chosen: argparse.Namespace) -> list[ClaimEntry]:
    return [
        entry
        for language in chosen.language or LANGUAGES
        for kind in chosen.what
        for entry in entries(CLAIMS, chosen.half, language, kind)[: chosen.some]
    ]


def _kinds(written_kinds: str) -> Sequence[Kind]:
    wanted = written_kinds.split(",")
    if unknown := set(wanted).difference(KINDS):
        raise argparse.ArgumentTypeError(f"no such kind: {', '.join(sorted(unknown))}")
    return [kind for kind in KINDS if kind in wanted]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.claims_exam", description=__doc__)
    parser.add_argument("--half", choices=HALVES, default="tune")
    parser.add_argument("--language", choices=LANGUAGES, action="append")
    parser.add_argument(
        "--what", type=_kinds, default=KINDS, help="kinds of entries with commas between them"
    )
    parser.add_argument("--some", type=int, help="only so many of each, the first ones")
    parser.add_argument("--out", type=Path, help="a file for every entry as it was played")
    parser.add_argument("--processes", type=int, default=3, help="pets at the same time")
    return parser.parse_args()


def main() -> None:
    """Examine the pet as the command line asks, and print the figures."""
    chosen = _arguments()
    prepare_process()
    started = perf_counter()
    done = played(_chosen_entries(chosen), chosen.processes)
    took_s = perf_counter() - started
    if chosen.out:
        lines = (f"{json.dumps(written(one), ensure_ascii=False)}\n" for one in done)
        chosen.out.write_text("".join(lines), "utf-8")
    print(*_table(figures(done)), sep="\n")
    print(f"{len(done)} entries took {took_s:.0f} s, {took_s / max(1, len(done)):.2f} s each")


if __name__ == "__main__":
    main()
