"""The values between a channel and the model: events, turns, requests, commands.

Frozen values; they import `memory.model` and nothing of the other rooms. Start with `events.py`.
"""
