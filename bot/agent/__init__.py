"""How a model comes to an answer: it is asked, its tools are run, until it has closed the loop.

Start with `loop.py`, then `toolbox.py`; `metering.py` counts and caps every call,
`circuit_breaker.py` leaves a model alone that fails. May use `model` and `ports`, and of `memory`
what the tools do; knows neither the conversation nor which model it asks. More in `docs/tools.md`.
"""
