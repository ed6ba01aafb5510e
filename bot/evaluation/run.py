"""What `eko eval locomo` and `eko eval silence` do: a trial store, questions, figures."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from bot.evaluation.graded_answers import Examiner, Prompts, Recalled, graded
from bot.evaluation.ingestion import IngestedConversation
from bot.evaluation.locomo import Conversation, LocomoQuestion, chosen, read_locomo
from bot.evaluation.metrics import Outcome, summary
from bot.evaluation.queries import read_queries, sampled
from bot.evaluation.runner import QuestionRunner, question
from bot.evaluation.silence import Noise, SilenceScore, evidence_kept, said_to, stranger_at
from bot.evaluation.trial_store import Said, Trial, TrialRefused, trial, trial_settings
from bot.model.requests import Purpose
from bot.wiring import adapters as adapter_factories
from bot.wiring import settings as rule_factories
from config.settings import Settings
from memory.model.recalled import block_of

Figures = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """The file that is asked about, and what replaces the settings."""

    file: Path
    conversations: str | None = None
    embedder: str | None = None
    fusion: str | None = None
    facts: bool = False


async def locomo(
    settings: Settings, setup: Setup, said: Said, *, limit: int | None, qa: bool
) -> Figures:
    """Ask the first `limit` questions and score what is recalled; with `qa`, what is answered."""
    if qa and adapter_factories.thinks_offline(settings):
        raise TrialRefused(
            "--qa needs a model: set ANTHROPIC_API_KEY, or ANTHROPIC_BASE_URL for a local one."
        )
    conversations = chosen(read_locomo(setup.file), setup.conversations)
    inside = trial_settings(settings, setup.embedder, setup.fusion)
    _require_questions(conversations)
    async with trial(inside, conversations, said, facts=setup.facts) as tried:
        asked = _asked(tried.places, limit)
        outcomes = await _outcomes(tried, asked, said)
        found = {**_header(tried, conversations, setup), **summary(outcomes)}
        if qa:
            found["qa"] = await _examined(tried, asked, said)
    return found


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
    async with trial(inside, conversations, said, facts=setup.facts) as tried:
        noise = await _noise(tried, lines, said)
        kept = await _kept(tried, _asked(tried.places, questions), said)
    return {
        **_header(tried, conversations, setup),
        **noise.figures(),
        **kept.figures(),
        "examples": noise.examples,
    }


def _require_questions(conversations: Sequence[Conversation]) -> None:
    """A score of nothing would read as a bad one."""
    if not any(one.asked for one in conversations):
        raise TrialRefused(
            "There is nothing to score: no question of these conversations has evidence that "
            "could be found."
        )


def _asked(
    places: Sequence[IngestedConversation], limit: int | None
) -> list[tuple[IngestedConversation, LocomoQuestion]]:
    """The first questions of the conversations, in the order of the file."""
    every = [(place, asked) for place in places for asked in place.conversation.asked]
    return every[:limit]


async def _outcomes(
    tried: Trial, asked: Sequence[tuple[IngestedConversation, LocomoQuestion]], said: Said
) -> list[Outcome]:
    asker, outcomes = _asker(tried), []
    for done, (place, one) in enumerate(asked):
        said("asking", done, len(asked))
        tried.clock.at = place.asked_at
        outcomes.append(await asker.outcome(place, one))
    return outcomes


async def _examined(
    tried: Trial, asked: Sequence[tuple[IngestedConversation, LocomoQuestion]], said: Said
) -> Figures:
    """Answer and judge every question; at one moment, so that the caps count the whole run."""
    recalled = [await _recalled(tried, place, one) for place, one in asked]
    now = tried.clock.at = max(place.asked_at for place in tried.places)
    examiner, judged = Examiner(tried.app.services.model, _prompts()), []
    for done, one in enumerate(recalled):
        said("answering and judging", done, len(recalled))
        judged.append(await examiner.judged(one))
    spent = await tried.app.storage.ledger.spent(now)
    used = [one for one in spent if one.purpose == Purpose.EVALUATION]
    return {
        **graded(judged),
        "model": tried.app.services.model.name,
        "tokens": {
            "input": sum(one.input for one in used),
            "output": sum(one.output for one in used),
        },
    }


async def _recalled(tried: Trial, place: IngestedConversation, asked: LocomoQuestion) -> Recalled:
    tried.clock.at = place.asked_at
    found = await tried.app.services.recall.before(question(place, asked.text))
    return Recalled(asked, block_of(found.lines))


async def _noise(tried: Trial, lines: Sequence[str], said: Said) -> Noise:
    room, scope = await stranger_at(tried.app, tried.places)
    noise = Noise()
    for done, line in enumerate(lines):
        said("saying unrelated lines", done, len(lines))
        noise.count(line, await said_to(tried.app, room, scope, line))
    return noise


async def _kept(
    tried: Trial, asked: Sequence[tuple[IngestedConversation, LocomoQuestion]], said: Said
) -> SilenceScore:
    asker, kept = _asker(tried), SilenceScore()
    for done, (place, one) in enumerate(asked):
        said("asking", done, len(asked))
        tried.clock.at = place.asked_at
        await evidence_kept(tried.app, asker, place, one, kept)
    return kept


def _asker(tried: Trial) -> QuestionRunner:
    return QuestionRunner(tried.app, rule_factories.recall_rules(tried.app.settings).wording)


def _header(tried: Trial, conversations: Sequence[Conversation], setup: Setup) -> Figures:
    return {
        "embedder": str(tried.app.embedder.fingerprint),
        "fusion": tried.app.settings.recall.fusion,
        "facts": setup.facts,
        "conversations": [one.number for one in conversations],
        "without_evidence": sum(one.without_evidence for one in conversations),
    }


def _prompts() -> Prompts:
    folder = files("config") / "prompts"
    return Prompts(
        answer=(folder / "evaluation_answer.md").read_text("utf-8"),
        judge=(folder / "evaluation_judge.md").read_text("utf-8"),
    )
