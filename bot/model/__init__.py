"""The values between a channel and the model: events, turns, requests, commands.

Frozen values and pure functions; they use values and pure functions of `memory` and no other room
of `bot`. Start with `events.py`, then `turns.py`.
"""
