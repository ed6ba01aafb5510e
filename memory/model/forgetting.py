"""What a forgetting covers, counted."""

from collections.abc import Mapping
from enum import StrEnum


class Kind(StrEnum):
    """What is counted, in the order in which it is shown."""

    MESSAGES = "messages"
    LIVE = "live"
    EXCHANGES = "exchanges"
    STATEMENTS = "statements"
    SUMMARIES = "summaries"
    FACTS = "facts"
    NOTES = "notes"
    REMINDERS = "reminders"
    QUIET = "quiet"
    """Topics that were to be left alone."""
    SHARED = "shared"
    """Statements that stay with the part of others."""
    MUTED = "muted"
    """Statements of others about the asker: they are recalled no more, and their words are kept."""
    QUOTES = "quotes"
    """Answers in other exchanges that quoted what was forgotten."""
    NAMES = "names"


Counts = Mapping[Kind, int]
