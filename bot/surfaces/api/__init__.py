"""What every resource of the API keeps to: problems, revisions, cursors, and its description.

A resource beside this room declares its refusals by `documented.py`, pages by `cursors.py` and lets
through by `revisions.py` only what was made for what there is. Nothing here knows a resource.
"""
