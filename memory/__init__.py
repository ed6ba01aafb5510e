"""Keeps what the pet learns and finds it again, within the scope it was said in."""

import os

# Before numpy is loaded: products of vectors this small gain nothing from OpenBLAS's threads, which
# spin for 30 ms after each one and took four times the processor time of a whole recall.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
