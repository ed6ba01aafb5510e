"""What people ask to have forgotten in their own words, and the rows that say it. Pure.

Start with `reading.py`, then `choosing.py`. `wording.py` says what a message looks like to the
classifiers, `closeness.py` what a row looks like beside a request; `weights/` is fitted by
`benchmarks/fit_forgetting.py`.
"""
