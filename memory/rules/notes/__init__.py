"""Notes of a vault: Markdown, and the pieces of a note that are indexed. Pure.

Start with `chunks.py`.
"""
