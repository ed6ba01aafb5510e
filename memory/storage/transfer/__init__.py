"""Rows on their way out of a database and into another one."""
