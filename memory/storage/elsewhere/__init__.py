"""What people asked of one process of the pet and its siblings are to do as well.

Start with `deeds.py`.
"""
