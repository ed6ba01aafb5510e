"""`/seed`, `/usage`, `/doctor`, `/settings`: for those whom the settings name, in two languages."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from bot.transfer.seeds import read_seed
from bot.wiring.app import App
from config.sections.budget import BudgetSettings, TurnCapSettings
from config.sections.model import ModelSettings
from config.sections.pet import SeedSettings
from memory.clock import FrozenClock
from memory.language.detection import told_language
from memory.model.audience import OPERATOR
from memory.model.ledger import ModelCall
from tests.cast import NOON
from tests.flow.guilds import ALICE, KEEPER, ZOE, asks, audited, pet, presses

BUDGET = BudgetSettings(
    turn=TurnCapSettings(daily_input_tokens=100_000, daily_output_tokens=None),
    per_person_turns=40,
)

THINKING = ModelSettings(base_url="http://127.0.0.1:9", name="claude-haiku-5-5")
"""A model that is not asked for anything: rules have no caps."""


@pytest.fixture
def clock() -> FrozenClock:
    """The time, in the hand of the test."""
    return FrozenClock(NOON)


@pytest.fixture
async def app(tmp_path: Path, clock: FrozenClock) -> AsyncIterator[App]:
    """A pet with a cap."""
    async with pet(tmp_path, clock, budget=BUDGET, model=THINKING) as opened:
        yield opened


async def used(app: App, purpose: str, tokens: int) -> None:
    """A model call that sent so many tokens, a quarter of them recalled, half from a cache."""
    await app.storage.ledger.record(
        ModelCall(
            purpose=purpose,
            model="some",
            outcome="end",
            person=None,
            space=None,
            answers=0,
            input=tokens // 2,
            output=10,
            cache_read=tokens // 2,
            cache_write=0,
            injected=tokens // 4,
            estimated=tokens,
            cost=0,
            took_ms=1.0,
        )
    )


async def test_the_seed_is_shown_before_it_is_planted(app: App) -> None:
    """Again it adds nothing."""
    shown = await asks(app, "seed", KEEPER, locale="fr")
    assert "ce qui y est déjà reste tel quel" in shown.text
    before = (await app.storage.health.counts())["memories"]
    planted = await presses(app, shown.actions[0], KEEPER)
    again = await presses(app, shown.actions[0], KEEPER)
    lines = shown.text.count("\n")
    assert before == 0
    assert shown.text.startswith(f"{lines} lignes ; ")
    assert planted.text == f"Lines planted: {lines}, new ones: {lines}."
    assert again.text == f"Lines planted: {lines}, new ones: 0."


async def test_the_seed_is_planted_once_in_the_language_of_the_pet(tmp_path: Path) -> None:
    """A pet that speaks another one since keeps what it was planted with."""
    data = tmp_path / "data"
    planned = [one.content for one in read_seed(None, "fr")]
    for locale in ("fr", "en"):
        async with pet(data, locale=locale) as app:
            await asks(app, "seed", KEEPER, confirm="yes")
            rows = await app.storage.memories.latest(None, OPERATOR, 50)
        assert sorted(row.content for row in rows) == sorted(planned)
    assert {told_language(one) for one in planned} == {"fr"}


async def test_a_seed_that_cannot_be_read_names_no_file_in_a_chat(tmp_path: Path) -> None:
    """The command line does."""
    missing = SeedSettings(file=str(tmp_path / "missing.toml"))
    async with pet(tmp_path / "data", seed=missing) as app:
        told = await asks(app, "seed", KEEPER)
    assert told.text == "The seed cannot be read; `eko seed` says why."


async def test_usage_is_told_by_purpose_with_its_caps(app: App, clock: FrozenClock) -> None:
    """Today, and in thirty days; what was recalled as a share of what was sent."""
    await used(app, "digest", 4_000)
    clock.advance(timedelta(days=1))
    await used(app, "turn", 20_000)
    told = (await asks(app, "usage", KEEPER)).text.splitlines()
    turn = "• answers: 1 call, 10,000 tokens in, 10,000 cached, 10 out, 25% of it recalled"
    later = told.index("In 30 days:")
    assert told[:2] == ["Today (UTC):", f"{turn} [90,000 of 100,000 tokens in left]"]
    assert "• everything together: 9,989,990 of 10,000,000 tokens left, $5.00 of $5.00 left" in told
    assert "• digests: nothing [2,000,000 of 2,000,000 tokens in left," in "\n".join(told[2:later])
    assert told[later + 1 :] == [
        turn,
        "• digests: 1 call, 2,000 tokens in, 2,000 cached, 10 out, 25% of it recalled",
        "At most 40 answers a day for one person.",
        "Prices as of 2026-10-24: https://platform.claude.com/docs/en/about-claude/pricing",
    ]


async def test_what_was_not_used_is_told_with_its_cap(app: App) -> None:
    """In the language of whoever asks; over thirty days nothing is nothing."""
    told = (await asks(app, "usage", KEEPER, locale="fr")).text.splitlines()
    assert "• réponses : rien [tokens restants en entrée : 100 000 sur 100 000]" in told
    assert told[told.index("En 30 jours :") + 1] == "• rien"


@pytest.mark.parametrize("locale", ["en", "fr"])
async def test_the_doctor_names_nothing_of_the_machine_in_a_chat(
    app: App, tmp_path: Path, locale: str
) -> None:
    """Neither folders nor addresses; every part has its line."""
    told = (await asks(app, "doctor", KEEPER, locale=locale)).text
    assert str(tmp_path) not in told
    assert "127.0.0.1" not in told
    parts = [line for line in told.splitlines() if not line.startswith(" ")]
    assert len(parts) == len(await app.doctor.diagnose())
    expected = {"en": " database: SQLite", "fr": " base de données : SQLite"}
    assert any(line[1:].startswith(expected[locale]) for line in parts)
    token = {"en": "there is no bot token", "fr": "pas de jeton de bot"}
    assert token[locale] in told


@pytest.mark.parametrize("command", ["seed", "usage", "doctor", "settings get", "digest now"])
async def test_managing_a_community_is_not_enough(app: App, command: str) -> None:
    """They concern the pet as a whole."""
    for who in (ALICE, ZOE):
        told = await asks(app, command, who)
        assert told.text.startswith("Only the people who look after me can do that.")
    assert (await app.storage.health.counts())["memories"] == 0


async def test_a_changed_setting_is_audited_with_the_account(app: App) -> None:
    """Of whoever changed it in a chat."""
    await asks(app, "settings set", KEEPER, name="auto_retrieve_max_results", value="8")
    assert (await audited(app))[0] == (
        "discord:1",
        "setting.changed",
        "auto_retrieve_max_results",
        "20 -> 8",
    )
