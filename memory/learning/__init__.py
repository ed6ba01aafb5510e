"""How statements come in: stored, compared with what is known, associated, corrected, tidied.

May use every other room of `memory`. Start with `store.py`.
"""
