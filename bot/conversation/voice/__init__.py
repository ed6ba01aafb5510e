"""Voice notes on their way to words: which is listened to, and what follows.

It may use what the rest of the conversation has. Start with `listening.py`.
"""
