"""How good recall and answers are, measured on data sets and on people's own questions.

Start with `run.py`, which opens a trial store, asks the pet's own recall and counts; `labels.py` is
a person's own verdict. `docs/recall.md` says what is counted.
"""
