"""French: how its sentences state something."""
