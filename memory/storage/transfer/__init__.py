"""The rows of an export: `exports.py` reads them out, `imports.py` writes them in.

What is let in is decided in `memory/transfer/importer.py`.
"""
