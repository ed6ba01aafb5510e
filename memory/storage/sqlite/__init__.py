"""The database itself: the connection, its schema and queries, columns, the audit log, upkeep.

Start with `database.py`. Every room of the storage builds on this one; it knows none of them.
"""
