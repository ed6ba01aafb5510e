"""Questions that no similarity answers, such as "what's new?", by the patterns they follow.

Start with `open.py`; `patterns.py` are its phrases.
"""
