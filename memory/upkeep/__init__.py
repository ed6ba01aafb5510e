"""What follows a commit: the vector index is brought up to it, the settings in force are swapped.

Start with `indexer.py`; `live_settings.py` is what may change while the pet runs.
"""
