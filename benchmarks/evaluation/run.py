"""What `benchmarks.locomo` and `benchmarks.silence` do: a trial store, questions, figures."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.evaluation.examination import Manner, answered, answered_afterwards, first, of_kinds
from benchmarks.evaluation.graded_answers import Examiner, Prompts, Recalled, graded
from benchmarks.evaluation.locomo import Conversation, chosen, read_locomo
from benchmarks.evaluation.metrics import injection_figures, macro_mean, summary
from benchmarks.evaluation.runner import Answered
from benchmarks.evaluation.silence import said_to, stranger_at
from benchmarks.evaluation.trial_store import (
    Said,
    Trial,
    TrialRefused,
    empty_store,
    trial,
    trial_settings,
)
from bot.model.requests import Purpose
from bot.topics.answers.silence import Noise
from bot.topics.answers.unrelated_lines import read_queries, sampled
from bot.wiring import adapters as adapter_factories
from bot.wiring.app import App
from config.settings import Settings

Figures = dict[str, Any]

Keep = Callable[[str, Answered], None]
"""Told each question with what came of it, and the name of the set it is of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """The file that is asked about and how, and what replaces the settings."""

    file: Path
    conversations: str | None = None
    kinds: tuple[str, ...] = ()
    embedder: str | None = None
    fusion: str | None = None
    manner: Manner = field(default_factory=Manner)

    @property
    def name(self) -> str:
        """What the file is called in tables."""
        return self.file.stem


def unkept(_name: str, _one: Answered) -> None:
    """Keep nothing of a question but its part of the figures."""


async def locomo(
    settings: Settings,
    setup: Setup,
    said: Said,
    *,
    limit: int | None,
    qa: bool,
    keep: Keep = unkept,
) -> Figures:
    """Ask the first `limit` questions and score what is recalled; with `qa`, what is answered.

    Each question is told to `keep` with what came of it.
    """
    if qa and adapter_factories.thinks_offline(settings):
        raise TrialRefused(
            "--qa needs a model: set ANTHROPIC_API_KEY, or ANTHROPIC_BASE_URL for a local one."
        )
    heard = of_kinds(chosen(read_locomo(setup.file), setup.conversations), setup.kinds)
    inside = trial_settings(settings, setup.embedder, setup.fusion)
    _require_questions(heard)
    every = []
    async for one in answered(inside, first(heard, limit), setup.manner, said):
        every.append(one)
        keep(setup.name, one)
    if not every:
        raise TrialRefused("There is nothing to score: no evidence was said before its question.")
    async with empty_store(inside, every[-1].place.asked_at) as empty:
        found = {
            **_header(empty.app, heard, setup),
            **summary([one.examined for one in every]),
        }
        if qa:
            found["qa"] = await _examined(empty.app, every, said)
    return found


async def several(
    settings: Settings,
    setups: Sequence[Setup],
    said: Said,
    *,
    limit: int | None,
    qa: bool,
    keep: Keep = unkept,
) -> Figures:
    """The figures of several files by name, and the mean over the files of each share."""
    names = [setup.name for setup in setups]
    if twice := [name for name in names if names.count(name) > 1]:
        raise TrialRefused(f"Two of the files are called {twice[0]}: their figures would be one.")
    sets: Figures = {}
    for setup in setups:
        sets[setup.name] = await locomo(settings, setup, said, limit=limit, qa=qa, keep=keep)
    return {"sets": sets, "macro_mean": macro_mean(list(sets.values()))}


async def silence(
    settings: Settings,
    setup: Setup,
    said: Said,
    *,
    queries: Sequence[str],
    limit: int | None,
    questions: int | None,
    seed: int,
) -> Figures:
    """Say unrelated lines and count injections; ask the file's own questions and count evidence."""
    lines = sampled(read_queries(queries), limit, seed)
    conversations = chosen(read_locomo(setup.file), setup.conversations)
    inside = trial_settings(settings, setup.embedder, setup.fusion)
    heard = first(conversations, questions)
    async with trial(inside, heard, said, facts=setup.manner.facts) as tried:
        noise = await _noise(tried, lines, said)
        examined = [one.examined async for one in answered_afterwards(tried, setup.manner)]
        header = _header(tried.app, conversations, setup)
    kept = injection_figures(examined)
    return {
        **header,
        **noise.figures(),
        **{name: kept[name] for name in ("evidence_injected", "questions_with_evidence_at_20")},
        "examples": noise.examples,
    }


def _require_questions(conversations: Sequence[Conversation]) -> None:
    """A score of nothing would read as a bad one."""
    if not any(one.asked for one in conversations):
        raise TrialRefused(
            "There is nothing to score: no question of these conversations has evidence that "
            "could be found."
        )


async def _examined(app: App, every: Sequence[Answered], said: Said) -> Figures:
    """Answer and judge every question; at one moment, so that the caps count the whole run."""
    examiner, judged = Examiner(app.services.model, _prompts()), []
    for done, one in enumerate(every):
        said("answering and judging", done, len(every))
        judged.append(await examiner.judged(Recalled(one.asked, one.block)))
    spent = await app.storage.ledger.spent(app.clock.now())
    used = [one for one in spent if one.purpose == Purpose.EVALUATION]
    return {
        **graded(judged),
        "model": app.services.model.name,
        "tokens": {
            "input": sum(one.input for one in used),
            "output": sum(one.output for one in used),
        },
    }


async def _noise(tried: Trial, lines: Sequence[str], said: Said) -> Noise:
    room, scope = await stranger_at(tried.app, tried.places)
    noise = Noise()
    for done, line in enumerate(lines):
        said("saying unrelated lines", done, len(lines))
        noise.count(line, await said_to(tried.app, room, scope, line))
    return noise


def _header(app: App, conversations: Sequence[Conversation], setup: Setup) -> Figures:
    return {
        "embedder": str(app.embedder.fingerprint),
        "fusion": app.settings.recall.fusion,
        **asdict(setup.manner),
        "conversations": [one.number for one in conversations],
        "without_evidence": sum(one.without_evidence for one in conversations),
    }


def _prompts() -> Prompts:
    folder = Path(__file__).parent
    return Prompts(
        answer=(folder / "answer.md").read_text("utf-8"),
        judge=(folder / "judge.md").read_text("utf-8"),
    )
