"""Models behind the Messages API: Claude, and local servers that speak like it.

Start with `claude.py`; `request.py`, which knows how models differ, and `answer.py` translate.
"""
