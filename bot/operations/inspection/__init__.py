"""What the owner looks at besides what the command line has: figures, logs, trials, the machine.

Each module makes JSON-like values of what `memory/storage/reporting/` reads, for the API and the
pages alike.
"""
