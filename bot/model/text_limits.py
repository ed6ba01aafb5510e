"""How much of a text is put before a model."""

from memory.retrieval.rendering import without_fences

LONGEST = 16_000
"""Characters of one batch that a model is shown; the rest is kept and searchable all the same."""

UNSAID = "…"
"""Stands for an answer that was forgotten: services refuse an empty one."""


def shortened(text: str) -> str:
    """A text as a model is shown it: without our fences, and cut in the middle when very long."""
    text = without_fences(text)
    if len(text) <= LONGEST:
        return text
    half = LONGEST // 2
    return f"{text[:half]}\n[... {len(text) - LONGEST} characters left out ...]\n{text[-half:]}"
