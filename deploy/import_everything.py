"""Imports every module of the pet: so bytecode of what it needs is made while an image is built."""

import pkgutil
from contextlib import suppress
from importlib import import_module

for package in ("bot", "memory", "observers", "config"):
    for found in pkgutil.walk_packages(import_module(package).__path__, f"{package}."):
        with suppress(ImportError):  # an extra that this image does not have
            import_module(found.name)
