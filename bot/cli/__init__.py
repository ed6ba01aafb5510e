"""The command line: each command asks the running daemon, or opens the data folder itself.

Start with `terminal.py`, then `connection.py`; what a command does is in `bot/operations`. The
modules of commands import at their top what `eko --help` needs: typer, rich's tables, values. The
settings, `asyncio` and the pet are imported by functions when a command runs, the pet only where no
daemon has it.
"""
