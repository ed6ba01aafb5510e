"""The page about trouble has every sentence of the doctor that asks for something."""

import re
import tomllib
from pathlib import Path

import pytest

WELL = {
    "bot": {
        *("software", "folder", "database", "clock", "embedder", "vectors", "vectors_unused"),
        *("model", "model_calls", "window", "forms", "voice", "voice_unused", "notes"),
        *("notes_unused", "page", "dashboard", "dashboard_by_tls", "daemon", "pauses_none"),
        *("siblings", "siblings_none"),
    },
    "discord": {"connected"},
    "telegram": {"connected"},
    "whatsapp": {"connected", "agent_connected"},
    "matrix": {"connected"},
}
"""Sentences that say of a part that it works."""


def _said(root: Path, owner: str) -> dict[str, str]:
    """What the doctor says of the parts of the pet (`bot`), or of a channel."""
    folder = root / "bot" if owner == "bot" else root / "bot" / "channels" / owner
    texts = tomllib.loads((folder / "texts" / "en.toml").read_text("utf-8"))
    said: dict[str, str | dict[str, str]] = texts["doctor"]["said"]
    return {key: text if isinstance(text, str) else text["other"] for key, text in said.items()}


def kernel(sentence: str) -> str:
    """The longest stretch of a sentence that no value fills in."""
    stretches = re.split(r"\{\w+\}", " ".join(sentence.split()))
    return max((one.strip(" ;,:()") for one in stretches), key=len)


def missing(page: str, sentences: dict[str, str], well: set[str]) -> list[str]:
    """The keys of the sentences that the page lacks."""
    flat = " ".join(page.split())
    return [key for key, text in sentences.items() if key not in well and kernel(text) not in flat]


@pytest.mark.parametrize("owner", WELL)
def test_the_page_has_every_sentence(root: Path, owner: str) -> None:
    """Those of a channel below the heading of its name."""
    page = (root / "docs" / "troubleshooting.md").read_text("utf-8")
    heading = "the pet" if owner == "bot" else owner
    sections = {one.partition("\n")[0].lower(): one for one in page.split("\n## ")}
    said = _said(root, owner)
    assert set(said) >= WELL[owner]
    assert missing(sections[heading], said, WELL[owner]) == []


def test_every_channel_with_findings_is_asked_for(root: Path) -> None:
    """A channel that comes later has a section too."""
    found = {path.parts[-3] for path in root.glob("bot/channels/*/texts/en.toml")}
    assert found | {"bot"} == set(WELL)


def test_the_rule_sees_what_is_missing() -> None:
    """By the words between the values, on however many lines."""
    sentences = {"a": "{name} does not\nanswer at {place}", "b": "{name} is away", "c": "well"}
    assert missing("| … does not answer at … |", sentences, {"c"}) == ["b"]
