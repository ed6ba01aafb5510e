"""What a model does besides talking: extracting facts, comparing statements, summarising.

Each is an adapter of a port of `observers` or `memory`. Start with `extraction.py`.
"""
