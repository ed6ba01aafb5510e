"""Models behind the Messages API: Claude, and what speaks like it."""
