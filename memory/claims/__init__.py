"""What people say, read as claims: clause, slot, status, value, times.

Start with `reader.py`.
"""
