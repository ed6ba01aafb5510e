"""What the pet remembers: storing, recalling, forgetting, learning; no channel, no model.

Rooms, each of which may import those before it: `model`, `language` and `embedders`, `statements`
and `vectorstores`, `rules`, `storage`, `vaults` and `transfer`, `retrieval`, `forgetting` and
`upkeep`, `learning`. Start with `model/statements.py`, then `retrieval/recall.py`.
"""
