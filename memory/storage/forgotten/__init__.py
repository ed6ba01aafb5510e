"""What a forgetting means and leaves behind: the rows it selects, tombstones, masks of values.

Start with `selection.py`; `ownership.py` says whose a row is. What writes rows asks here first.
"""
