"""Eko and mem0 side by side: `python -m benchmarks.peers FILE --mem0 PYTHON`.

Both keep every turn of the conversations of a LoCoMo file, with the vectors of the same embedder,
and are asked its questions, one after the other, each in a process of its own.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.evaluation.ingestion import IngestedConversation
from benchmarks.evaluation.locomo import (
    Conversation,
    LocomoQuestion,
    LocomoTurn,
    chosen,
    read_locomo,
)
from benchmarks.evaluation.metrics import FoundLine, Outcome
from benchmarks.evaluation.runner import QuestionRunner
from benchmarks.evaluation.trial_store import Trial, trial, trial_settings
from benchmarks.figures import Figures, machine, percentile
from benchmarks.mem0_process import HOW_TO_INSTALL, Mem0, Mem0Failed, Mem0Missing, running
from benchmarks.settings import bench_settings, prepare_process
from benchmarks.side_by_side import Side, compared
from benchmarks.suite import lines_of
from bot.errors import BotError
from bot.wiring import settings as rule_factories
from memory.embedders.usem3 import OfflineEmbedder

DEPTH = 20
"""Results that are scored, on either side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What is compared.

    `named` puts the speaker's name before each text that mem0 is given: Eko knows who spoke too.
    `top_k` results are asked of mem0, which weighs four times as many.
    """

    file: Path
    python: Path
    conversations: str | None = None
    named: bool = True
    top_k: int = DEPTH


class Hearing:
    """Times how long the pet hears conversations: told of its progress, it looks at a stopwatch."""

    def __init__(self) -> None:
        self._started = 0.0
        self.took_ms = 0.0

    def __call__(self, _doing: str, done: int, total: int) -> None:
        """Start at the first word and stop after the last."""
        if done == 0:
            self._started = perf_counter()
        if done == total:
            self.took_ms = (perf_counter() - self._started) * 1000


class Mem0Asker:
    """Asks mem0 what the pet is asked, once it has been told what the pet has heard."""

    def __init__(self, mem0: Mem0, embedder: OfflineEmbedder, setup: Setup) -> None:
        self._mem0 = mem0
        self._embedder = embedder
        self._setup = setup
        self._turns: dict[str, str] = {}
        self.texts = 0
        self.ingestion_ms = 0.0
        self.embedding_ms: list[float] = []

    async def take_in(self, conversation: Conversation) -> None:
        """Let mem0 keep every turn that has a word, session by session."""
        for sitting in conversation.sittings:
            heard = [said for said in sitting.said if said.text.strip()]
            texts = [self._text(said) for said in heard]
            vectors = await self._embedder.embed(texts, "document")
            kept = await self._mem0.add(_user(conversation), texts, vectors)
            self._turns |= zip(kept.ids, (said.id for said in heard), strict=True)
            self.texts += len(texts)
            self.ingestion_ms += kept.took_ms

    async def outcome(self, place: IngestedConversation, asked: LocomoQuestion) -> Outcome:
        """What mem0 finds for one question, with the time it took without the embedding."""
        started = perf_counter()
        (vector,) = await self._embedder.embed([asked.text], "query")
        self.embedding_ms.append((perf_counter() - started) * 1000)
        found = await self._mem0.search(
            _user(place.conversation), asked.text, vector, self._setup.top_k
        )
        return Outcome(
            category=asked.category,
            evidence=asked.evidence,
            lines=tuple(FoundLine(frozenset({self._turns[one]}), 0) for one in found.ids),
            took_ms=found.took_ms,
        )

    def _text(self, said: LocomoTurn) -> str:
        return f"{said.speaker}: {said.text}" if self._setup.named else said.text


async def measure(setup: Setup) -> Figures:
    """Everything that is compared, with the version of mem0 and the machine.

    Raises:
        LocomoRefused: the file cannot be read.
        Mem0Missing: there is no mem0 to compare with.
        Mem0Failed: it ended in the middle.

    """
    conversations = chosen(read_locomo(setup.file), setup.conversations)
    embedder, hearing = OfflineEmbedder(), Hearing()
    settings = trial_settings(bench_settings(Path()), "offline", None)
    with TemporaryDirectory(prefix="eko-mem0-") as folder:
        async with (
            running(setup.python, Path(folder), embedder.fingerprint.dimension) as mem0,
            trial(settings, conversations, hearing, facts=False) as tried,
        ):
            peer = Mem0Asker(mem0, embedder, setup)
            for conversation in conversations:
                await peer.take_in(conversation)
            ours, theirs = await _asked(tried, peer)
    eko = Side(texts=peer.texts, ingestion_ms=hearing.took_ms, outcomes=ours)
    other = Side(texts=peer.texts, ingestion_ms=peer.ingestion_ms, outcomes=theirs)
    return {
        **compared(eko, other),
        "mem0_version": mem0.version,
        "mem0_keywords": mem0.has_keywords,
        "mem0_texts_named": setup.named,
        "mem0_top_k": setup.top_k,
        "embedding_p50_ms": round(percentile(peer.embedding_ms, 0.5), 2),
        "machine": machine(),
    }


async def _asked(tried: Trial, peer: Mem0Asker) -> tuple[list[Outcome], list[Outcome]]:
    """What both find for every question, in turns: who goes first changes each time."""
    asker = QuestionRunner(tried.app, rule_factories.recall_rules(tried.app.settings).wording)
    asked = [(place, one) for place in tried.places for one in place.conversation.asked]
    tried.clock.at = asked[0][0].asked_at
    for side in (asker, peer):  # the first search of a process loads what the others find loaded
        await side.outcome(*asked[0])
    peer.embedding_ms.clear()
    found: dict[QuestionRunner | Mem0Asker, list[Outcome]] = {asker: [], peer: []}
    for turn, (place, one) in enumerate(asked):
        tried.clock.at = place.asked_at
        for side in (asker, peer) if turn % 2 else (peer, asker):
            outcome = await side.outcome(place, one)
            found[side].append(replace(outcome, lines=outcome.lines[:DEPTH]))
    return found[asker], found[peer]


def _user(conversation: Conversation) -> str:
    return f"conversation-{conversation.number}"


def setup_of(words: Sequence[str]) -> tuple[Setup, bool]:
    """What a command line asks for, and whether it wants one JSON object."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__)
    parser.add_argument("file", type=Path, help="conversations in LoCoMo format")
    parser.add_argument("--mem0", type=Path, metavar="PYTHON", help="the Python that has mem0ai")
    parser.add_argument("--conversations", metavar="NUMBERS", help='some of them, such as "1-5"')
    parser.add_argument(
        "--verbatim", action="store_true", help="leave the speakers' names out of mem0's texts"
    )
    parser.add_argument(
        "--top-k", type=int, default=DEPTH, help="results asked of mem0; 20 are scored"
    )
    parser.add_argument("--json", action="store_true", help="print the figures as one object")
    options = parser.parse_args(words)
    if options.mem0 is None:
        parser.error(HOW_TO_INSTALL)
    setup = Setup(
        file=options.file,
        python=options.mem0,
        conversations=options.conversations,
        named=not options.verbatim,
        top_k=options.top_k,
    )
    return setup, options.json


def main() -> None:
    """Compare what the command line names, and print the figures."""
    setup, as_json = setup_of(sys.argv[1:])
    prepare_process()
    try:
        found = asyncio.run(measure(setup))
    except (BotError, Mem0Missing, Mem0Failed) as error:
        sys.exit(str(error))
    print(json.dumps(found) if as_json else "\n".join(lines_of(found)))


if __name__ == "__main__":
    main()
