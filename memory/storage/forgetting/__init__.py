"""Requests to forget: what they select, erase, remember of it, and give back when undone.

Start with `requests.py`.
"""
