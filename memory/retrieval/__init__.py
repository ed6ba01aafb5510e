"""Recall: from a question to the lines that are injected.

The path: `question_reader.py` reads the question into a `query.py`, `sources.py` and
`open_sources.py` find candidates in one snapshot, `scoring.py` scores them, `ranking.py` orders,
and says how sure they are, `selection.py` chooses, `rendering.py` writes the block.
`recall.py` is that path from top to bottom: start there.
"""
