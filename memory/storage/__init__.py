"""SQLite: everything that is kept, a file and its queries for each part of it.

`storage.py` bundles all of them, `sqlite/` has the database they work on. Queries stand in the
`.sql` file beside the module that asks them. May use `rules` and what is below; the values it
returns are those of `memory.model`. More in `docs/storage.md`.
"""
