"""The model without a model: reads what is wished for, and answers from what was recalled.

Start with `model.py`, then `intent.py` and `replies.py`.
"""
