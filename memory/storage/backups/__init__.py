"""Copies of the database, and what makes an old copy lose what was forgotten since.

Start with `copies.py`, which makes one; `erasures.py` reads what lost its words, `replay.py` does
it again on a copy, `records.py` keeps how the last backup went.
"""
