"""Vaults of notes: a folder, or the REST plug-in of Obsidian.

Both are adapters of `observers.ports.NoteSource`. Start with `folder.py`, which needs no Obsidian.
"""
