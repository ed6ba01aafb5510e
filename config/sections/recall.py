"""The sections about what is looked up before it answers, and when the model asks."""

from typing import Literal

from pydantic import Field

from config.sections.section import SettingsSection, Share


class RecallSettings(SettingsSection):
    """What is looked up, silently, before it answers."""

    enabled: bool = Field(
        default=True, description="Whether anything is put before the model by itself."
    )
    vector_results: int = Field(
        30,
        ge=0,
        le=200,
        description="Rows found by meaning, at most, in each of statements, exchanges and lobby.",
    )
    text_results: int = Field(
        40, ge=0, le=500, description="Rows found by words, at most, in each of them."
    )
    live_results: int = Field(
        15,
        ge=0,
        le=100,
        description="Lobby messages among the lines it is given, at most.",
    )
    max_results: int = Field(20, ge=0, le=100, description="Lines put before the model, at most.")
    min_score: Share = Field(
        0.5,
        description="How sure it must be that a row fits, to bring it up; "
        "where one does, a third as sure is enough for others.",
    )
    max_tokens: int = Field(600, ge=0, le=8000, description="Tokens of those lines, at most.")
    deadline_ms: int = Field(
        100,
        ge=10,
        le=10000,
        description="Milliseconds to search, for what goes with it, and to judge, each.",
    )
    embed_timeout_ms: int = Field(
        2000, ge=10, le=30000, description="Milliseconds to embed the question, and to read it."
    )
    recent_hours: float = Field(
        6, ge=0, le=168, description="Hours for which what a room brought counts as recent there."
    )
    fusion: Literal["score", "rrf"] = Field(
        "score", description="What orders the rows: their scores, or their ranks by each signal."
    )
    rrf_k: int = Field(60, ge=1, le=1000, description="The constant of the order by ranks.")
    dedupe_similarity: Share = Field(
        0.85, description="Above this similarity to what is in the window, a line is left out."
    )
    dedupe_buffer: int = Field(
        100, ge=0, le=10000, description="Recalled lines remembered for that comparison."
    )
    persist: Literal["window", "turn"] = Field(
        "window",
        description="Recalled lines stay while their message is in the window, or one turn only.",
    )


class BranchSettings(SettingsSection):
    """A deep recall: searches of its own that the model may ask for; what one may take."""

    max_turns: int = Field(6, ge=1, le=20, description="Rounds of searches, at most.")
    max_tokens: int = Field(1024, ge=64, le=64000, description="Tokens of one reply, at most.")
    most_tokens: int = Field(
        40_000,
        ge=1000,
        le=1_000_000,
        description="Fresh tokens, sent and received, after which it must conclude.",
    )
    timeout_s: float = Field(60, gt=0, le=600, description="Seconds it may take.")
