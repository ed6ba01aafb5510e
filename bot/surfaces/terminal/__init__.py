"""How a word of the terminal asks: of the running daemon, or of the data folder it opens itself.

Start with `terminal.py`, then `connection.py`. A topic's terminal module imports at its top what
`eko --help` needs: typer, rich's tables, values. The settings, `asyncio` and the pet are imported
by functions when a command runs, the pet only where no daemon has it.
"""
