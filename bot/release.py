"""Which release this is: the name it is installed by, and its version."""

from importlib.metadata import version

DISTRIBUTION = "eko-pet"
"""The name on PyPI; `eko` there is a project of others. The command is `eko`."""

VERSION = version(DISTRIBUTION)
