"""The doctor: which part works, which does not, and what there is to do.

Start with `doctor.py`, which looks; `findings.py` is what it may find, `report.py` its words.
"""
