"""The words of the command line that measure: `eko eval` and `eko bench`.

All others are in `bot/topics`, as `*terminal.py`.
"""
