"""Told in Chinese, Japanese, Arabic, Russian and German, and asked in other words than told."""

from collections import defaultdict
from pathlib import Path

from bot.wiring.app import App, open_app
from config.sections.recall import RecallSettings
from config.sections.vectors import VectorSettings
from config.settings import Settings
from memory.clock import FrozenClock
from memory.model.audience import OPERATOR
from memory.model.authority import BY_OPERATOR
from memory.model.retrieval import Question
from tests.cast import LOBBY, NOON, room_of
from tests.storage import statement

ASKED = [
    line.split("\t")
    for line in (Path(__file__).parent.parent / "data" / "languages" / "questions.tsv")
    .read_text("utf-8")
    .splitlines()
]
"""Language, what is told, what is asked."""

LEAST = {"zh": 9, "ja": 9, "ar": 7, "ru": 9, "de": 9}
"""Of ten questions of a language, how many have their answer in the first three lines at least."""


async def ranked(app: App, text: str) -> list[str]:
    """The first lines for a question, with the vectors of the statements in it."""
    question = Question(text=text, context="", speaker="David", room=room_of(LOBBY), scope=OPERATOR)
    return [row.content for row in (await app.services.recall.ranked(question))[:3]]


async def test_ten_questions_of_five_languages_find_what_was_told(tmp_path: Path) -> None:
    """All fifty in one store, by the embedder that ships and by words."""
    settings = Settings(
        data_dir=tmp_path,
        vectors=VectorSettings(kind="edge"),
        recall=RecallSettings(deadline_ms=10_000, embed_timeout_ms=10_000),
    )
    right: dict[str, int] = defaultdict(int)
    async with open_app(settings, FrozenClock(NOON)) as app:
        told = [statement(one, said_by="David") for _, one, _ in ASKED]
        await app.services.writer.store_all(told, BY_OPERATOR)
        await app.services.indexer.settle()
        for language, content, asked in ASKED:
            right[language] += content in await ranked(app, asked)
    assert {name: count for name, count in right.items() if count < LEAST[name]} == {}


async def test_words_without_spaces_are_found_without_an_embedder(tmp_path: Path) -> None:
    """By pairs of letters, whatever stands around them."""
    settings = Settings.model_validate(
        {"data_dir": tmp_path, "embedder": {"kind": "none"}, "vectors": {"kind": "edge"}}
    )
    async with open_app(settings, FrozenClock(NOON)) as app:
        told = [statement(one, said_by="David") for _, one, _ in ASKED]
        await app.services.writer.store_all(told, BY_OPERATOR)
        await app.services.indexer.settle()
        assert (await ranked(app, "钥匙？"))[0] == "我把备用钥匙放在花盆下面。"
        assert (await ranked(app, "紅茶"))[0] == "コーヒーより紅茶のほうが好きです。"
