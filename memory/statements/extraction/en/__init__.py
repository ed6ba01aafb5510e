"""English: how its sentences state something."""
