"""The operations on statements and core facts that the dashboard and the API have.

`listing.py` and `searching.py` read, `changing.py` and `facts.py` keep and put right; each within
the scope and by the authority of its caller. It may use what the other operations may.
"""
