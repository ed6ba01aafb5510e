"""People, their accounts and aliases.

Start with `people.py`; `memory/storage/linking` joins two of them into one.
"""
