"""Channels in, replies out: the path a message takes, and the process around it.

Rooms, each of which may import those before it: `model`, `agent`, `texts`, `transfer`,
`conversation` and `llm`, `diagnostics` and `platforms`, `commands`, `channels`, `wiring`,
`evaluation`, `operations`, `cli` and `daemon`. Start with `conversation/turn.py`, the path, then
`ports.py`, what it needs from outside. `docs/architecture.md` has all of it on a page.
"""
