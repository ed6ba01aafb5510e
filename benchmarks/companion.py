"""What a pet without a model says: `python -m benchmarks.companion [--half tune|held]`.

For each entry of tests/data/companion an empty pet hears the told lines through the product's own
path and is asked. Prints how many replies are right, and those to utterances as JSON lines, for a
reader to judge.
"""

import argparse
import asyncio
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from multiprocessing import Pool
from typing import Any

from benchmarks.companion_pet import reply_in
from benchmarks.companion_set import HALVES, LANGUAGES, Encounter, Half, encounters
from benchmarks.settings import prepare_process
from memory.language.text import fold

UNKNOWING = re.compile(
    r"\b(?:don't know|do not know|no idea|(?:never|nobody|no one)(?: has)? told me|wasn't told"
    r"|not been told|haven't been told|never heard"
    r"|ne sais pas|sais pas|aucune idee|(?:m'a|me l'a)(?: jamais| pas) (?:dit|parle)"
    r"|ne me l'a dit|jamais entendu|(?:was said|heard nothing) here|(?:dit|entendu) ici)\b"
)
"""The ways to say that something was never told, folded."""


@dataclass(frozen=True, slots=True)
class Replied:
    """An entry with the reply to it."""

    encounter: Encounter
    reply: str

    @property
    def first_line(self) -> str:
        """The first line of the reply, folded."""
        return fold(self.reply.partition("\n")[0])

    @property
    def is_right(self) -> bool:
        """Whether the first line has an answer and nothing that misleads."""
        has = any(fold(one) in self.first_line for one in self.encounter.answers)
        return has and not any(fold(one) in self.first_line for one in self.encounter.misleading)

    @property
    def is_unknowing(self) -> bool:
        """Whether the reply says first that it does not know."""
        return UNKNOWING.search(self.first_line) is not None


def replies_to(entries: Sequence[Encounter], language: str, processes: int) -> list[Replied]:
    """The reply to each entry, by a pet of its own each."""
    with Pool(processes, initializer=prepare_process) as pool:
        replies = pool.starmap(_reply, [(entry, language) for entry in entries], chunksize=4)
    return list(map(Replied, entries, replies))


def _reply(entry: Encounter, language: str) -> str:
    return asyncio.run(reply_in(entry, language))


def _judged(what: str, replied: Iterable[Replied]) -> Iterator[tuple[Replied, bool]]:
    for one in replied:
        yield one, one.is_unknowing if what == "unknown" else one.is_right


def figures(what: str, replied: Sequence[Replied]) -> dict[str, Any]:
    """How many replies of a file are right, of how many; of dialogues each by its name."""
    judged = list(_judged(what, replied))
    found: dict[str, Any] = {"right": sum(right for _, right in judged), "of": len(judged)}
    if what == "dialogues":
        for name in dict.fromkeys(one.encounter.kind for one in replied):
            found[name] = sum(right for one, right in judged if one.encounter.kind == name)
    return found


def _shown(replied: Iterable[Replied]) -> Iterator[str]:
    for one in replied:
        given = one.encounter
        told = [f"{line.by} ({line.where}): {line.text}" for line in given.told]
        shown = {"id": given.id, "told": told, "text": given.text} | {
            "good": given.good,
            "bad": given.bad,
            "reply": one.reply,
        }
        yield json.dumps(shown, ensure_ascii=False)


def _wrong(what: str, replied: Iterable[Replied]) -> Iterator[str]:
    for one, right in _judged(what, replied):
        if not right:
            wanted = f" (wanted {one.encounter.answers})" if one.encounter.answers else ""
            yield f"  {one.encounter.id} {one.encounter.text!r}{wanted}\n    -> {one.reply!r}"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.companion", description=__doc__)
    parser.add_argument("--half", choices=HALVES, default="tune")
    parser.add_argument("--language", choices=LANGUAGES, action="append")
    parser.add_argument(
        "--what",
        choices=("questions", "unknown", "dialogues", "utterances"),
        action="append",
        help="one kind of entries; all by default",
    )
    parser.add_argument("--wrong", action="store_true", help="list the replies that are not right")
    parser.add_argument("--processes", type=int, default=1, help="pets at the same time")
    parser.add_argument("--json", action="store_true", help="print all as one object")
    return parser.parse_args()


def main() -> None:
    """Measure what the command line asks for, and print it."""
    chosen = _arguments()
    half: Half = chosen.half
    found: dict[str, Any] = {"half": half}
    for language in chosen.language or LANGUAGES:
        for what in chosen.what or ("questions", "unknown", "dialogues", "utterances"):
            replied = replies_to(encounters(what, language, half), language, chosen.processes)
            if chosen.json:
                found[f"{language} {what}"] = figures(what, replied) | {
                    "replies": [asdict(one.encounter) | {"reply": one.reply} for one in replied]
                }
            elif what == "utterances":
                print(*_shown(replied), sep="\n", flush=True)
            else:
                print(f"{language} {what}: {figures(what, replied)}", flush=True)
                print(*(_wrong(what, replied) if chosen.wrong else ()), sep="\n", flush=True)
    if chosen.json:
        print(json.dumps(found, ensure_ascii=False, default=str))


if __name__ == "__main__":
    main()
