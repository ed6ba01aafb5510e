"""What sentences state, read by rules: statements, and what kind of statement they are.

May use `language`. Start with `extraction/finder.py`.
"""
