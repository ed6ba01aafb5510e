"""Embedders: how texts become vectors. Each is one adapter of `memory.ports.Embedder`.

Start with `usem3.py`, which works without a key. May use `model` and `ports`.
"""
