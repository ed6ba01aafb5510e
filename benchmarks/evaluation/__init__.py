"""How good recall and answers are, measured on conversations with known answers.

Start with `run.py`, which opens a trial store, asks the pet's own recall and counts.
`docs/recall.md` says what is counted.
"""
