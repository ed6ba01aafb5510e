"""The machine of the pet: one platform of which the console and the page are two faces.

They share its lobby and its rooms. Start with `hub.py`; `ports.py` is what a face sees of it.
"""
