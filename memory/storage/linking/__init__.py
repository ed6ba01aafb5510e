"""People as a whole: accounts joined and split, codes that do it, and what is kept of each.

Start with `merging.py`, which has a step for every table that names a person. It may use the rooms
of people and statements.
"""
