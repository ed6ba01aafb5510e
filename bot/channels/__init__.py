"""Channels: where people talk with the pet.

Each is a folder with an adapter of `bot.ports.Channel`.
"""
