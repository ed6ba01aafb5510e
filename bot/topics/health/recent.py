"""What a page shows and may be a minute old, kept for the process of one site."""

from typing import Annotated, cast

from fastapi import Depends, Request

from memory.storage.reporting.recent import RecentAnswers


def _recent_of(request: Request) -> RecentAnswers:
    state = request.app.state
    if not hasattr(state, "recent_answers"):
        state.recent_answers = RecentAnswers(state.parts.app.clock)
    return cast("RecentAnswers", state.recent_answers)


Recent = Annotated[RecentAnswers, Depends(_recent_of)]
"""The answers of the last minute; only for what every reader of the page may see alike."""
