"""Matrix: the only room that imports matrix-nio, which is asked for the encryption alone.

Start with `channel.py`, which outlives every connection, then `connection.py`, which reads one
answer of the server after the other; `inbound` reads events, `outbound` sends. More in
`docs/matrix.md`.
"""
