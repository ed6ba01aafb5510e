"""Discord's own commands and its buttons, answered where only the asker sees it.

Start with `handler.py`; `command_tree.py` registers the commands with Discord, and
`buttons.py` how an answer looks, in pages of `bot/platforms/paged_answer.py`.
"""
