"""What the command line asks of a pet: a request goes in, events and one result come out.

They run in the daemon that holds the data folder, or in a process of their own. Start with
`operations.py`, which has them by name; `requests.py` is what they take.
"""
