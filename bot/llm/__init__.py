"""Language models, each an adapter of `bot.ports.Model`, and what they are asked besides talking.

Start with `offline/model.py`, which answers without a key; `tasks` are extraction, comparison and
summaries. May use `texts`, `model` and the rules of `memory`; knows no conversation.
"""
