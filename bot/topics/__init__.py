"""What can be asked of the pet about one thing, on every surface: a folder a topic.

A topic's folder holds its operations, its resources of the API, its pages, its chat commands and
its words of the terminal; its `TOPIC` names them, which is all it takes to be reachable. What the
topics share of each surface is in `bot/surfaces` and `bot/commands`.
"""
