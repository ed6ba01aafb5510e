"""The command line: each command asks the running daemon, or opens the data folder itself.

The modules of commands import at their top what `eko --help` needs: typer, rich's tables, values.
The settings, `asyncio` and the pet are imported by the functions of `terminal` and `connection`
when a command runs, the pet only where no daemon has it.
"""
