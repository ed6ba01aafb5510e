"""What an owner looks at: figures over everything, and logs by the page. Reads only.

Start with `reports.py`, which has them by name. A log goes by the keys of an index, so that a page
costs the same however much there is; figures over a whole table are kept for a minute.
"""
