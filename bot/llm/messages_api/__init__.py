"""Models behind the Messages API: Claude, and local servers that speak like it.

Start with `claude.py`; `request.py` and `answer.py` translate, `traits.py` is how models differ.
"""
