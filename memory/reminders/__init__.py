"""Reminders that people set, see and cancel; the bot delivers them.

May use storage and the floors below it.
"""
