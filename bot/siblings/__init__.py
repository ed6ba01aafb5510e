"""The other processes of the same pet: what is asked of them, and what they ask here.

`values.py` is what goes between them; `client.py` asks one of them, `circle.py` all of them. Of
what goes on here `recalling.py` asks them for what they know, `everywhere.py` has them do what a
person asked for. `desk.py` and `doing.py` answer theirs. It may use everything below the commands.
"""
