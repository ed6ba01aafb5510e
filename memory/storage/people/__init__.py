"""People, their accounts and aliases, and joining two of them into one.

Start with `people.py`; `merging.py` has a step for every table that names a person.
"""
