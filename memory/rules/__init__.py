"""Decisions over values: what says the same, what replaces what, what is novel, what is forgotten.

Pure; no table and no clock. May use `statements` and `language`. Start with `comparison.py` and
`supersession.py`.
"""
