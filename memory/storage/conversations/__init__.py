"""Messages and turns, and what is derived from them: digests, summaries, extraction, the ledger.

Start with `messages.py` and `turns.py`.
"""
