"""Reminders that are due: when they are, what is said, and that it is said once.

May use conversation, texts and what is below them.
"""
