"""Statements and knowledge, their history and their associations.

Start with `statements.py`.
"""
