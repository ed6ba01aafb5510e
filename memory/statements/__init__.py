"""Finds the plain statements people make about themselves and those they know; pure.

A wrong memory is worse than a missed one: only sentences that match a known pattern count.
"""

from memory.statements.find import find_statements
from memory.statements.model import Statement

__all__ = ["Statement", "find_statements"]
