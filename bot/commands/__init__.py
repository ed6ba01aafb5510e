"""Commands: what people and admins tell the pet to do in a chat, one file a topic.

Start with `framework/dispatcher.py`; `bot/wiring/commands.py` lists which commands there are. May
use `conversation`, `diagnostics` and `transfer`; a channel is a caller and an answer to it.
"""
