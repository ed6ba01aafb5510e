"""What every chat command goes through, typed or a platform's own: syntax, authority, an answer.

Start with `dispatcher.py`; `platform_dispatcher.py` is for platforms with commands of their own.
The commands are in `bot/topics`, as `*command.py`.
"""
