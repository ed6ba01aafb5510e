"""What every model behind a service over HTTP has in common, whichever way it is spoken to.

Start with `asking.py`; `answers.py` reads what servers send, `refusals.py` what they refuse. Knows
no vendor.
"""
