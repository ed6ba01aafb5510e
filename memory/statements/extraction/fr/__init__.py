"""French: how its sentences state something. Start with `grammar.py`."""
