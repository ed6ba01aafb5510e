"""Files that memory comes from and goes to: exports, recordings, seeds.

Start with `files.py`; what a line of an export says is in `memory/model/export.py`.
"""
