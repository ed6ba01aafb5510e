"""Vector stores: each is one adapter of `memory.ports.VectorIndex`.

Start with `in_memory.py`, the shortest; `edge` is the default, `qdrant.py` a server.
"""
