"""A model tried on a talk whose truth is known: two evenings of five invented people.

`record.py` reads an evening, `play.py` lets a pet of its own live through it, `score.py` counts.
"""
