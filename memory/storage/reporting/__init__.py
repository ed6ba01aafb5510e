"""Figures over everything that is kept, for its owner. Reads only.

Start with `statistics.py`. They walk whole tables, so that what was counted is told again for a
minute.
"""
