"""Qdrant Edge in a process of its own, which may die or hang without the pet.

Start with `index.py`, the adapter; `worker.py` is what runs in the process.
"""
