"""What searches read: full text, counts of terms, embeddings, the outbox of the vector index.

Start with `candidates.py`, which reads rows as recall weighs them.
"""
