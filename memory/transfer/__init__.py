"""Taking in an export: which of its lines, under which ids, and what must not come back.

Decides over values and ports; rows are written by `memory/storage/transfer/imports.py`. Start with
`importer.py`.
"""
