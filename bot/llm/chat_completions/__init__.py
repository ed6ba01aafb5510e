"""Models behind chat completions: OpenAI, and all that speak like it, on this machine or not.

Start with `openai.py`; `request.py` and `answer.py` translate, `dialect.py` is how servers differ.
"""
