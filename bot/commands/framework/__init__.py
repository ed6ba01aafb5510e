"""What every command goes through, typed or a platform's own: syntax, authority, answer or refusal.

Start with `dispatcher.py`; `platform_dispatcher.py` is for platforms with commands of their own.
"""
