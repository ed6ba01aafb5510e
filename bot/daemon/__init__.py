"""The process that runs: it holds the data folder, serves the page and the control socket.

Start with `daemon.py`, which also says what the clock does when.
"""
