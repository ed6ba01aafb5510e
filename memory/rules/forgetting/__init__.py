"""What a request to forget covers, what becomes of each row, and the receipt. Pure.

Start with `selector.py`, then `erasure.py`.
"""
