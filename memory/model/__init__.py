"""The values that everything talks in: people, rooms, messages, statements, who may know them.

Frozen values and pure functions over them; imports nothing of the other rooms. Start with
`statements.py` and `audience.py`.
"""
