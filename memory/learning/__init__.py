"""How statements come in: stored, compared with what is known, associated, corrected, tidied.

May use every other room of `memory`. Start with `store.py`; `observed.py` is for what observers
found. More in `docs/memory.md`.
"""
