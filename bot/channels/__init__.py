"""Channels: where people talk with the pet.

Each is a folder with an adapter of `bot.ports.Channel`. May use `conversation` and `commands`, and
is opened by `bot/wiring/adapters.py`. Start with `local/hub.py`, which needs no library.
"""
