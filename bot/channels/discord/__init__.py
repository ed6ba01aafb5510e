"""Discord: the only room that imports the library of that name.

Start with `channel.py`, which outlives every connection; `inbound` reads events, `outbound` sends,
`interactions` has Discord's own commands. More in `docs/discord.md`.
"""
