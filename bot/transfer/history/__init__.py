"""What people said elsewhere, brought along: files of other programs, read line by line.

Start with `model.py`.
"""
