"""Questions about what was said: what is asked of whom, and which line answers.

Start with `answering.py`. Everything here is pure.
"""
