"""The loop of a turn: the model is asked, its tools are run, until it has answered.

Start with `loop.py`; `metering.py` counts and caps every call.
"""
